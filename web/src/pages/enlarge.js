// Enlarge a figure on a phone.

/** Show a figure at its own size when it is tapped. */
export function startEnlarging() {
  addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLImageElement) || !target.matches(".bd-article figure img")) return;
    if (target.clientWidth > 0.8 * Number(target.getAttribute("width"))) return;
    const room = document.createElement("dialog");
    room.className = "enlarged";
    room.ariaLabel = "The figure, enlarged";
    const large = /** @type {HTMLImageElement} */ (target.cloneNode());
    const close = document.createElement("button");
    Object.assign(close, {
      className: "btn",
      textContent: "\u00D7",
      ariaLabel: "Close the figure",
    });
    room.append(close, large);
    room.addEventListener("click", () => room.close());
    room.addEventListener("close", () => room.remove());
    document.body.append(room);
    room.showModal();
    large.decode().then(() => (room.scrollLeft = (room.scrollWidth - room.clientWidth) / 2));
  });
}
