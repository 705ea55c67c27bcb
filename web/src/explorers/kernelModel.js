// What the explorer of kernels computes and says.

import { eigenvalues } from "../core/eigenpairs.js";
import { kernelPcaFromGram } from "../core/kernelPca.js";
import {
  DampedCosine,
  Exponential,
  kernelMatrix,
  Linear,
  Polynomial,
  Power,
  RBF,
} from "../core/kernels.js";
import { columnOf, fromRows, largestModulus } from "../core/matrix.js";
import { countSigns } from "../core/spectrum.js";
import { text } from "../ui/text.js";

export const [MOST, FEWEST, COMPONENTS] = [60, 5, 4];
export const REACH = [3.12, 2.82];
export const [WIDE, HIGH, UNIT, STEP] = [340, 310, 50, 10];
export const DIGITS = "₁₂₃₄";
export const PRESETS = ["line", "grid", "rings", "moons", "clusters"];
const GROUPS = ["circles", "squares", "triangles"];
export const ASKED = {
  kernel:
    "How like <i>x</i> is each place of the plane? And which points, or " +
    "parameters, give " +
    "<i>K</i> a negative eigenvalue?",
  components:
    "Which component parts the groups, at which width? And where is a new point <i>x</i> put?",
};

const ranging = (name, label, least, most, step, first) => ({
  name,
  label,
  least,
  most,
  step,
  first,
});
const WIDTH = { ...ranging("theta", "θ", -2, 2, 0.05, 1), log: true };
/**
 * The library's kernels that the explorer offers: how to make them, their sliders, their formula.
 */
export const FAMILIES = {
  Linear: [() => Linear(), [], () => "xᵀy"],
  Polynomial: [
    ({ degree, offset }) => Polynomial(degree, offset),
    [ranging("degree", "degree", 1, 6, 1, 2), ranging("offset", "offset", 0, 3, 0.25, 1)],
    ({ degree, offset }) => `(xᵀy + ${offset})${"¹²³⁴⁵⁶"[degree - 1]}`,
  ],
  RBF: [({ theta }) => RBF(theta), [WIDTH], ({ theta }) => `exp(−${theta} ‖x − y‖²)`],
  Exponential: [
    ({ theta }) => Exponential(theta),
    [WIDTH],
    ({ theta }) => `exp(−${theta} ‖x − y‖)`,
  ],
  DampedCosine: [
    ({ alpha, omega }) => DampedCosine(alpha, omega),
    [ranging("alpha", "α", 0, 6, 0.1, 0.6), ranging("omega", "ω", 0, 6, 0.1, 3)],
    ({ alpha, omega }) => `exp(−${alpha}δ) cos ${omega}δ, δ = ‖x − y‖`,
  ],
  Power: [
    ({ beta }) => Power(beta),
    [ranging("beta", "β", 0.25, 4, 0.25, 1)],
    ({ beta }) => `−δ to the power ${beta}, δ = ‖x − y‖`,
  ],
};

/** The kernel's name and parameters where the sliders reach them, else null. */
export function cleanKernel(kernel) {
  if (!Object.hasOwn(FAMILIES, kernel?.name)) return null;
  const sliders = FAMILIES[kernel.name][1];
  const inside = ({ name, least, most, log }) => {
    const place = log ? Math.log10(kernel[name]) : kernel[name];
    return Number.isFinite(kernel[name]) && place > least - 1e-9 && place < most + 1e-9;
  };
  if (!sliders.every(inside) || (kernel.name === "Polynomial" && kernel.degree % 1)) return null;
  return {
    name: kernel.name,
    ...Object.fromEntries(sliders.map(({ name }) => [name, kernel[name]])),
  };
}

/**
 * Kernel matrix, its spectrum and, for the question about components, the fit; `centring` is
 * "all", "fit" (new points are not centred) or "none".
 */
export function study({ points, kernel, centring, asks }) {
  const [X, n] = [fromRows(points), points.length];
  const k = FAMILIES[kernel.name][0](kernel);
  const K = kernelMatrix(k, X, 2);
  const [scale, rows] = [largestModulus(K), (at) => kernelMatrix(k, at, 2, X)];
  if (asks === "kernel") return { k, n, scale, gram: K, values: eigenvalues(K, n), rows };
  const fit = kernelPcaFromGram(K, n, COMPONENTS, { centred: centring !== "none" });
  const offsets = fit.transform(new Float64Array(n)).map((c) => 0 - c);
  const forgotten = centring === "fit" ? offsets : new Float64Array(fit.columns);
  const place = (at) => fit.transform(rows(at)).map((y, c) => y + forgotten[c % fit.columns]);
  return { k, n, scale, gram: fit.gram, values: fit.spectrum(), rows, fit, offsets, place };
}

/** The groups whose scores lie all above or all below those of the other points. */
export function parted(scores, groups) {
  return [...new Set(groups)].sort().filter((group) => {
    const of = (own) => scores.filter((_, i) => (groups[i] === group) === own);
    const [inner, outer] = [of(true), of(false)];
    if (!outer.length) return false;
    return Math.max(...inner) < Math.min(...outer) || Math.min(...inner) > Math.max(...outer);
  });
}

const refused = (head, reason) => ({ holds: false, head, reason });

/** The banner's words on the question whether k is a kernel. */
export function kernelVerdict({ k, n, values }) {
  const { positive, negative } = countSigns(values);
  if (negative) {
    const why =
      k.conditional > k.positive
        ? "Centred it is one, as Chapter 8 shows: HKH has no negative eigenvalue."
        : "Its vector c makes cᵀKc negative, which would be a squared length.";
    return refused(`No kernel: the smallest eigenvalue of K is ${text(values[n - 1], 3)}.`, why);
  }
  if (k.positive < 2) {
    const head = `No eigenvalue of K is negative on these ${n} points, which proves nothing.`;
    return { head, reason: "Other points of the plane give it a negative one. Find some." };
  }
  const matter = values.filter((value) => value > 1e-3 * values[0]).length;
  return {
    holds: true,
    head: "A kernel: no points of the plane give it a negative eigenvalue.",
    reason:
      `Here ${positive} of ${n} are positive, and ${matter} exceed${matter === 1 ? "s" : ""} ` +
      "a thousandth of the largest: so many features matter.",
  };
}

/** Which groups a component parts, in words. */
function partedWords(found, kinds) {
  if (kinds < 2) return "";
  if (!found.length) return "It parts no group from the others.";
  if (kinds === 2) return `It parts the ${found[0]} from the ${found[1]}.`;
  return `It parts the ${found.join(", and the ")}${found.length > 1 ? "," : ""} from all others.`;
}

/** The words where nothing is centred: only a kernel that falls with the distance is a likeness. */
function uncentredVerdict({ k, n }, scores, component) {
  const one = scores.every((y) => y * scores[0] > 0);
  const head = one ? `All ${n} scores have one sign.` : "Nothing is centred.";
  const central =
    one && component === 1 && k.isotropic ? "It adds up likenesses to the data. " : "";
  return refused(head, `${central}An axis through the kernel’s origin is no component.`);
}

/** The words where the kernel values of new points are not centred: c is what moves them. */
function forgottenVerdict(c, component) {
  const why =
    `Its kernel values are not centred: every new point is moved by c = ` + `${text(c, 3)} here.`;
  if (Math.abs(c) >= 0.0005) return refused("x is put at a wrong place.", why);
  return {
    head: `On component ${component} nobody notices: c = ${text(0, 3)}.`,
    reason: "Its kernel values are not centred all the same; another component may show it.",
  };
}

/** The banner's words on a component. */
export function componentVerdict(found, { component, centring, groups }) {
  const { fit, values } = found;
  const r = component - 1;
  if (r >= fit.columns) {
    return refused(
      `There is no component ${component}: λ${DIGITS[r]} is not positive.`,
      `Here are ${fit.columns}.`,
    );
  }
  const scores = columnOf(fit.points, fit.columns, r);
  if (centring === "none") return uncentredVerdict(found, scores, component);
  if (centring === "fit") return forgottenVerdict(found.offsets[r], component);
  const whole = values.reduce((sum, value) => sum + Math.abs(value), 0);
  const close = [r - 1, r + 1].find(
    (s) => values[s] && Math.abs(values[s] - values[r]) < 0.01 * values[r],
  );
  const open =
    close === undefined
      ? ""
      : ` λ${DIGITS[r]} has an equal beside it, or nearly: turned axes would do as well.`;
  const of = countSigns(values, found.scale).negative
    ? "spectrum, of which a part is negative"
    : "variance";
  const head = `Component ${component} holds ${text((100 * values[r]) / whole, 1)} % of the ${of}.`;
  const apart = parted(scores, groups).map((group) => GROUPS[group]);
  return {
    holds: apart.length > 0 || undefined,
    head,
    reason: partedWords(apart, new Set(groups).size) + open,
  };
}
