// Listening: what a reader gives, chooses and presses, and mouse, fingers and keys on the map.

/** Read files that were chosen or dropped; several hold a table each. */
async function takeFiles(lab, files) {
  if (!files.length) return;
  lab.part("text").value = "";
  const texts = [];
  for (const file of files) {
    const bytes = new Uint8Array(await file.slice(0, 4 * MOST.characters + 4).arrayBuffer());
    const refused = noText(bytes);
    if (refused) return lab.accept(failed(refused));
    const title = file.name.replace(/\.\w+$/, "");
    texts.push(files.length > 1 ? `# ${title}\n${textOf(bytes).trim()}` : textOf(bytes));
  }
  lab.take(texts.join("\n\n"));
}

/** A button for each sample. */
function offerSamples(lab) {
  const { el, part } = lab;
  lab.samples.forEach((sample) => {
    const show = () => {
      lab.clearInput();
      lab.take(sample.text, sample);
    };
    part("samples").insertBefore(buttonOf(sample.title, show, { "data-sample": sample.name }), el.querySelector(".kx-reset"));
  });
}

/** Have buttons act, by their names. */
function onAction(lab, actions) {
  for (const [name, act] of Object.entries(actions)) lab.button(name).addEventListener("click", act);
}

/** Follow what the reader gives: text and files. */
function listenToInput(lab) {
  const { el, part } = lab;
  const box = part("text");
  const read = () => lab.take(box.value);
  const clear = () => {
    box.value = "";
    box.focus();
  };
  onAction(lab, { read, clear, forget: () => lab.forget() });
  part("as").addEventListener("change", () => (box.value ? read() : lab.given && lab.take(...lab.given)));
  box.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text") ?? "";
    if (pasted.length > MOST.typed) {
      event.preventDefault();
      lab.take(pasted);
    } else setTimeout(read, 0);
  });
  const file = el.querySelector('input[type="file"]');
  file.addEventListener("click", () => (file.value = ""));
  file.addEventListener("change", () => takeFiles(lab, [...file.files]));
  el.addEventListener("dragover", (event) => event.preventDefault());
  el.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer.getData("text");
    if (event.dataTransfer.files.length) takeFiles(lab, [...event.dataTransfer.files]);
    else if (dropped) {
      box.value = dropped.length > MOST.typed ? "" : dropped;
      lab.take(dropped);
    }
  });
}

/** Follow the choices of method, kernel, width and dimensions. */
function listenToChoices(lab) {
  const { el, part } = lab;
  const choose = (changes) => {
    Object.assign(lab.choices, changes);
    lab.refit();
  };
  for (const [method, name] of Object.entries(METHODS))
    part("methods").append(buttonOf(name, () => choose({ method }), { "data-method": method }));
  el.querySelectorAll("select[data-choice]").forEach((select) =>
    select.addEventListener("change", () =>
      choose({
        [select.dataset.choice]: select.value,
        ...(["kernel", "metric"].includes(select.dataset.choice) ? { parameter: null } : {}),
      }),
    ),
  );
  el.querySelectorAll("[data-dimensions]").forEach((button) =>
    button.addEventListener("click", () => choose({ dimensions: Number(button.dataset.dimensions) })),
  );
  onAction(lab, { median: () => choose({ parameter: null }) });
  const parameter = () => {
    const value = Number(part("width").value);
    return RANGES[lab.choices.kernel] ? value : rounded(lab.start * 10 ** value);
  };
  lab.frames = eachFrame(() => lab.drag(parameter()));
  part("width").addEventListener("input", lab.frames.later);
  part("width").addEventListener("change", () => choose({ parameter: parameter() }));
}

/** Copy the code, or select it where the browser forbids that, and say so on the button. */
async function copyCode(code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = "selected";
  }
  setTimeout(() => (button.textContent = "copy"), 2000);
}

/** Follow the buttons round the map and below it. */
function listenToOutput(lab) {
  const { el, part, view } = lab;
  const choose = (changes) => {
    Object.assign(lab.choices, changes);
    lab.refresh();
  };
  for (const name of ["colour", "labels"])
    part(name).addEventListener("change", () => choose({ [name]: part(name).value }));
  onAction(lab, {
    in: () => view.enlarge(1.4),
    out: () => view.enlarge(1 / 1.4),
    whole: () => {
      view.whole();
      if (lab.choices.dimensions === 3) lab.lay({ camera: null });
    },
    turn: () => lab.lay({ turn: turnedMore(lab.choices.turn, 2, { degrees: 15 }) }),
    flip: () => lab.lay({ turn: turnedMore(lab.choices.turn, lab.choices.dimensions, { mirrored: true }) }),
    stable: () => lab.stable(),
    chance: () => lab.chance(),
    stop: () => lab.job?.stop(),
    arrows: () => choose({ arrows: !lab.choices.arrows }),
    keep: () => keepMap(lab, true),
    apart: () => keepMap(lab, false),
    second: () => compareWith(lab, readTable(part("second").value), "the other table"),
    copy: () => copyCode(part("python"), lab.button("copy")),
  });
  for (const [axes, camera] of Object.entries(ALONG))
    part("axes").append(buttonOf(axes, () => lab.lay({ camera }), { "data-axes": axes }));
  el.querySelectorAll("[data-save]").forEach((button) =>
    button.addEventListener("click", () => saveAs(lab, button.dataset.save)),
  );
  part("look").addEventListener("change", () => part("look").value && view.look(Number(part("look").value)));
}

/** The pixel of an event in the map's own units. */
function pixelOf(map, event) {
  const box = map.root.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** The object under a pixel, or null. */
function objectAt(map, [x, y], reach) {
  let [found, least] = [null, reach];
  map.at.forEach(([a, b], i) => {
    const gap = Math.hypot(a - x, b - y);
    if (gap < least) [found, least] = [i, gap];
  });
  return found;
}

/** Zoom by two fingers, about the middle between them; tells whether two are down. */
function pinching(map, redraw) {
  const fingers = new Map();
  const { root } = map;
  const middleOf = ([a, b]) => [(a[0] + b[0]) / 2 - map.size[0] / 2, (a[1] + b[1]) / 2 - map.size[1] / 2];
  const apart = ([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
  root.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, pixelOf(map, event));
    if (fingers.size === 2) fingers.forEach((_, id) => root.setPointerCapture(id));
  });
  root.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = [...fingers.values()];
    fingers.set(event.pointerId, pixelOf(map, event));
    if (fingers.size !== 2 || !map.data) return;
    const after = [...fingers.values()];
    const [[x0, y0], [x1, y1]] = [before, after].map(middleOf);
    map.view.enlarge(apart(after) / apart(before), [x0, y0]);
    if (map.view.zoom > 1) map.view.move(x1 - x0, y1 - y0);
    redraw();
  });
  const lift = (event) => fingers.delete(event.pointerId);
  root.addEventListener("pointerup", lift);
  root.addEventListener("pointercancel", lift);
  const keep = (event) => event.touches.length === 2 && event.cancelable && event.preventDefault();
  root.addEventListener("touchstart", keep, { passive: false });
  root.addEventListener("touchmove", keep, { passive: false });
  return () => fingers.size > 1;
}

/** Follow mouse, touch and keys on the map. */
function listenToMap(map, redraw) {
  const { root } = map;
  let held = null;
  const isPinched = pinching(map, redraw);
  const drag = (dx, dy) => {
    if (map.data.fit.choices.dimensions === 3) map.view.turn(dx / 120, -dy / 120);
    else map.view.move(dx, dy);
    redraw();
  };
  const canDrag = () => map.data?.fit.choices.dimensions === 3 || map.view.zoom > 1;
  listenToZoom(map, { redraw, drag, canDrag });
  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held = isPinched() ? null : { x: event.clientX, y: event.clientY, far: false };
  });
  root.addEventListener("pointermove", (event) => {
    if (!held) return event.pointerType === "mouse" && hover(map, event);
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!canDrag() || (!held.far && Math.hypot(dx, dy) < 4)) return;
    if (!held.far) root.setPointerCapture(event.pointerId);
    held = { x: event.clientX, y: event.clientY, far: true };
    drag(dx, dy);
  });
  root.addEventListener("pointerup", (event) => {
    if (held && !held.far) {
      const found = objectAt(map, pixelOf(map, event), 26);
      if (found !== null) map.look(found);
    } else if (held) map.tell();
    held = null;
  });
  root.addEventListener("pointercancel", () => (held = null));
}

/** Follow what zooms and turns the map: keys, and a wheel or two fingers with the control key. */
function listenToZoom(map, { redraw, drag, canDrag }) {
  const { root } = map;
  root.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const [x, y] = pixelOf(map, event);
      map.view.enlarge(event.deltaY < 0 ? 1.2 : 1 / 1.2, [x - map.size[0] / 2, y - map.size[1] / 2]);
      redraw();
    },
    { passive: false },
  );
  root.addEventListener("keydown", (event) => {
    const arrow = { ArrowLeft: [-18, 0], ArrowRight: [18, 0], ArrowUp: [0, -18], ArrowDown: [0, 18] }[event.key];
    const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
    if (event.ctrlKey || event.metaKey || !(factor || event.key === "0" || (arrow && canDrag()))) return;
    event.preventDefault();
    event.stopPropagation();
    if (factor) map.view.enlarge(factor);
    else if (!arrow) map.view.reset();
    else return drag(...(map.data.fit.choices.dimensions === 3 ? arrow : arrow.map((step) => -step)));
    redraw();
  });
  root.addEventListener("keyup", (event) => (event.key.startsWith("Arrow") || event.key === "0") && map.tell());
}

function hover(map, event) {
  if (!map.data) return;
  const found = objectAt(map, pixelOf(map, event), 18);
  if (found !== null && found !== map.chosen) map.look(found);
}
