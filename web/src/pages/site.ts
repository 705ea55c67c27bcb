// The address of the site, the elements of a page, and scripts that are loaded on demand.

export const root = new URL(document.documentElement.dataset.content_root || "./", location.href);
const scripts = new Map();

/** Load a script in _static once; the promise is fulfilled when the script has run. */
export function loadScript(path: string) {
  const load = (onload: (event: unknown) => void, onerror: (event: unknown) => void): void => {
    const { href } = new URL(`_static/${path}`, root);
    const script = document.createElement("script");
    document.head.append(Object.assign(script, { src: href, onload, onerror }));
  };
  if (!scripts.has(path)) scripts.set(path, new Promise(load));
  return scripts.get(path);
}
