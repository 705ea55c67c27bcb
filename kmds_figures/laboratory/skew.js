// Skew: the picture of what the two directions of a square table differ by.

/** Half of what the two directions differ by. */
export const skewPart = (table) => table.map((row, i) => row.map((x, j) => (x - table[j][i]) / 2));

const [MOST_DRAWN, MOST_NAMED] = [120, 26];

/** What the picture says: which pair differs most. */
export function skewWords(skew, nameOf) {
  let [most, a, b] = [0, 0, 0];
  skew.forEach((row, i) => row.forEach((x, j) => x > most && ([most, a, b] = [x, i, j])));
  return `The skew part: full squares where the row\u2019s number is larger than the column\u2019s, hollow ones where it is smaller. The largest: from ${nameOf(a)} to ${nameOf(b)}, by ${readable(2 * most, 3)} more than back.`;
}

/** A square for each ordered pair, its side as the difference: full where positive, hollow where negative. */
export function drawSkew(host, skew, nameOf) {
  host.replaceChildren();
  const n = skew.length;
  if (n > MOST_DRAWN) return;
  const top = skew.reduce((high, row) => Math.max(high, largestModulus(row)), 0);
  const side = Math.min(24, 330 / n);
  const left = n <= MOST_NAMED ? 90 : 4;
  const root = svg(host, "svg", {
    viewBox: `0 0 ${left + n * side + 4} ${n * side + 8}`,
    class: "kl-skew",
    role: "img",
    "aria-label": skewWords(skew, nameOf),
    style: `max-width: ${left + n * side + 4}px`,
  });
  skew.forEach((row, i) => {
    const y = 4 + (i + 0.5) * side;
    if (n <= MOST_NAMED) svg(root, "text", { x: left - 6, y, "text-anchor": "end" }).textContent = nameOf(i).slice(0, 13);
    svg(root, "path", { class: "kl-axes", d: `M${left} ${y}h${n * side}` });
    row.forEach((x, j) => {
      const size = 0.88 * side * Math.sqrt(Math.abs(x) / (top || 1));
      if (size < 0.5) return;
      const place = { x: left + (j + 0.5) * side - size / 2, y: y - size / 2, width: size, height: size };
      svg(root, "rect", { ...place, class: x > 0 ? "kl-more" : "kl-less" });
    });
  });
  host.appendChild(document.createElement("p")).textContent = skewWords(skew, nameOf);
}

/** The picture for a reading that has two directions, or had them before they were averaged. */
function showSkew(lab, repairs) {
  const skew = lab.reading.skew ?? repairs.find((repair) => repair.skew)?.skew;
  lab.part("skew").replaceChildren();
  if (skew) drawSkew(lab.part("skew"), skew, (i) => lab.nameOf(i));
}
