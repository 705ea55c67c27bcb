// Enlarge a figure on a phone.

/** Fit a figure to the screen, rotated if that makes it clearly larger, when it is tapped. */
export function startEnlarging() {
  addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLImageElement)) return;
    if (!target.matches(".bd-article figure img:not(dialog *)")) return;
    const [width, height] = ["width", "height"].map((side) => Number(target.getAttribute(side)));
    if (target.clientWidth > 0.8 * width) return;
    const room = document.createElement("dialog");
    room.className = "enlarged";
    room.ariaLabel = "The figure, enlarged";
    const large = target.cloneNode() as HTMLImageElement;
    const close = document.createElement("button");
    Object.assign(close, {
      className: "btn",
      textContent: "\u00D7",
      ariaLabel: "Close the figure",
    });
    room.append(close, large);
    room.addEventListener("click", () => room.close());
    room.addEventListener("close", () => room.remove());
    target.closest("figure")?.append(room);
    room.showModal();
    const [across, along] = [innerWidth, innerHeight - 2 * close.offsetHeight];
    const upright = Math.min(across / width, along / height);
    const rotated = Math.min(across / height, along / width);
    const rotates = rotated > 1.3 * upright;
    const scale = rotates ? rotated : upright;
    // A figure that would be small has its own size instead, and scrolls.
    if (room.classList.toggle("fitted", scale > 0.7)) {
      large.style.width = `${scale * width}px`;
      if (rotates) large.style.rotate = "90deg";
    }
    large.decode().then(() => {
      room.scrollLeft = (room.scrollWidth - room.clientWidth) / 2;
      room.scrollTop = (room.scrollHeight - room.clientHeight) / 2;
    });
  });
}
