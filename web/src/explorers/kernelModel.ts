// The numbers and the texts of the explorer of kernels.

import { eigenvalues } from "../core/eigenpairs.ts";
import { kernelPcaFromGram } from "../core/kernelPca.ts";
import {
  DampedCosine,
  Exponential,
  type Kernel,
  kernelMatrix,
  Linear,
  Polynomial,
  Power,
  RBF,
} from "../core/kernels.ts";
import { columnOf, fromRows, largestModulus, type Matrix, type Point } from "../core/matrix.ts";
import { countSigns } from "../core/spectrum.ts";
import { subscript, text } from "../ui/text.ts";

type Parameters = Record<"degree" | "offset" | "theta" | "alpha" | "omega" | "beta", number>;
/** The name of a kernel and its parameters; those of the other kernels are missing. */
type NamedKernel = { name: string } & Parameters;
export type Slider = ReturnType<typeof ranging>;
type Family = [(parameters: Parameters) => Kernel, Slider[], (parameters: Parameters) => string];
/** The result of a view: only "component" has the fit, and it has no matrix. */
export interface Result {
  k: Kernel;
  n: number; // the number of points
  scale: number; // the largest absolute entry of the kernel matrix
  gram: Matrix; // the kernel matrix
  values: Matrix; // its eigenvalues
  rows: (others: Matrix) => Matrix; // returns the kernel values of other points
  fit: ReturnType<typeof kernelPcaFromGram>;
  project: (others: Matrix) => Matrix; // returns the components of other points
}

/** A component in the plane, and the scores of the points. */
export type Scores = { f: Matrix; Y: Matrix; axesUsed: number };
export interface State {
  show: "component" | "definiteness" | "function"; // the view
  points: Point[];
  groups: number[]; // the groups of the points, from 0 to 2
  kernel: NamedKernel;
  component: number; // the component that is drawn, from 1
  test: Point; // the new point x
  chosen: number; // the index of the chosen point
  signs: number[]; // the signs of the components
  last: Scores | null; // the last component since the state was loaded
}

export const [MOST, FEWEST, COMPONENTS] = [60, 5, 4];
export const MAX_COORDINATES = [3.12, 2.82];
export const [WIDTH, HEIGHT, UNIT, STEP] = [340, 310, 50, 5];
export const PRESETS = ["line", "grid", "rings", "moons", "clusters"];
const GROUPS = ["circles", "squares", "triangles"];
export const KERNEL_NAMES = {
  Linear: "linear",
  Polynomial: "polynomial",
  RBF: "RBF",
  Exponential: "exponential",
  DampedCosine: "damped cosine",
  Power: "power",
};

/** A parameter with the label and the [low, high, step] of its slider, and its first value. */
function ranging(name: keyof Parameters, label: string, ends: number[], first: number) {
  return { name, label, ends, first, log: false };
}
const THETA = { ...ranging("theta", "θ", [-2, 2, 0.05], 1), log: true };
/** The kernels that can be chosen: function, sliders, formula. */
export const FAMILIES: Record<string, Family> = {
  Linear: [() => Linear(), [], () => "xᵀy"],
  Polynomial: [
    ({ degree, offset }) => Polynomial(degree, offset),
    [ranging("degree", "degree", [1, 6, 1], 2), ranging("offset", "offset", [0, 3, 0.25], 1)],
    ({ degree, offset }) => `(xᵀy + ${offset})^${degree}`,
  ],
  RBF: [({ theta }) => RBF(theta), [THETA], ({ theta }) => `exp(−${theta} ‖x − y‖²)`],
  Exponential: [
    ({ theta }) => Exponential(theta),
    [THETA],
    ({ theta }) => `exp(−${theta} ‖x − y‖)`,
  ],
  DampedCosine: [
    ({ alpha, omega }) => DampedCosine(alpha, omega),
    [ranging("alpha", "α", [0, 6, 0.1], 0.6), ranging("omega", "ω", [0, 6, 0.1], 3)],
    ({ alpha, omega }) => `exp(−${alpha}δ) cos ${omega}δ, δ = ‖x − y‖`,
  ],
  Power: [
    ({ beta }) => Power(beta),
    [ranging("beta", "β", [0.25, 4, 0.25], 1)],
    ({ beta }) => `−δ^${beta}, δ = ‖x − y‖`,
  ],
};

/** Return the name and the parameters of a kernel if they are in the sliders' ranges, else null. */
export function cleanKernel(value: unknown): NamedKernel | null {
  const kernel = value as NamedKernel | null;
  if (!kernel || !Object.hasOwn(FAMILIES, kernel.name)) return null;
  const sliders = FAMILIES[kernel.name][1];
  const inside = ({ name, ends: [low, high], log }: Slider) => {
    const place = log ? Math.log10(kernel[name]) : kernel[name];
    return Number.isFinite(kernel[name]) && place > low - 1e-9 && place < high + 1e-9;
  };
  if (!sliders.every(inside) || (kernel.name === "Polynomial" && kernel.degree % 1)) return null;
  const parameters = Object.fromEntries(sliders.map(({ name }) => [name, kernel[name]]));
  return { name: kernel.name, ...(parameters as Parameters) };
}

/** Return the kernel matrix and its spectrum, or the fit in the view "component". */
export function resultOf(state: State): Result;
export function resultOf({ points, kernel, show }: State): Partial<Result> {
  const [X, n] = [fromRows(points), points.length];
  const k = FAMILIES[kernel.name][0](kernel);
  const K = kernelMatrix(k, X, 2);
  const scale = largestModulus(K);
  const rows = (others: Matrix) => kernelMatrix(k, others, 2, X);
  if (show !== "component") return { k, n, scale, gram: K, values: eigenvalues(K, n), rows };
  const fit = kernelPcaFromGram(K, n, COMPONENTS);
  const project = (others: Matrix) => fit.transform(rows(others));
  return { scale, values: fit.spectrum(), fit, project };
}

/** Return the groups whose scores are all larger or all smaller than those of the other points. */
export function separatedGroups(scores: Matrix, groups: number[]) {
  return [...new Set(groups)].sort().filter((group) => {
    const of = (isInside: boolean) => scores.filter((_, i) => (groups[i] === group) === isInside);
    const [inner, outer] = [of(true), of(false)];
    if (!outer.length) return false;
    return Math.max(...inner) < Math.min(...outer) || Math.min(...inner) > Math.max(...outer);
  });
}

const failure = (head: string, reason: string) => ({ holds: false, head, reason });

export function functionVerdict({ k, rows }: Result, { test, points }: State) {
  const x = Float64Array.from(test);
  const values = rows(x);
  const far = points.map(([u, v]) => Math.hypot(u - test[0], v - test[1]));
  const nearest = text(values[far.indexOf(Math.min(...far))]);
  const [low, high] = [Math.min(...values), Math.max(...values)].map((v) => text(v));
  return {
    head:
      nearest === high
        ? `The nearest point is the most similar to x (${high}).`
        : `The nearest point is not the most similar to x: ${nearest} instead of ${high}.`,
    reason:
      `The similarities range from ${low} to ${high}; ` +
      `that of x to itself is ${text(kernelMatrix(k, x, 2)[0])}.`,
  };
}

export function definitenessVerdict({ k, n, values }: Result) {
  const { positive, negative } = countSigns(values);
  if (negative) {
    const why =
      k.conditional > k.positive
        ? "The centred matrix HKH has no negative eigenvalue, as Chapter 8 shows."
        : "No feature vectors have these inner products.";
    return failure(`Not a kernel: the smallest eigenvalue of K is ${text(values[n - 1], 3)}.`, why);
  }
  if (k.positive < 2) {
    const head = `No eigenvalue of K is negative for these ${n} points.`;
    return { head, reason: "This proves nothing: other points lead to a negative eigenvalue." };
  }
  return {
    holds: true,
    head: "A kernel: K has no negative eigenvalue, whatever the points.",
    reason: `Here ${positive} of ${n} eigenvalues ${positive === 1 ? "is" : "are"} positive.`,
  };
}

function separationText(separated: string[], kinds: number) {
  if (!separated.length) return "separates no group from the others";
  if (kinds === 2) return `separates the ${separated[0]} from the ${separated[1]}`;
  return `separates the ${separated.join(" and the ")}${separated[1] ? ", each" : ""} from all other points`;
}

/** Return the verdict on a component. */
export function componentVerdict(result: Result, { component, groups }: State) {
  const { fit, values } = result;
  const r = component - 1;
  if (r >= fit.axesUsed)
    return failure(
      `There is no component ${component}: λ${subscript(component)} is not positive.`,
      `Only ${fit.axesUsed} of the eigenvalues are positive.`,
    );
  const scores = columnOf(fit.points, fit.axesUsed, r);
  const total = values.reduce((sum, value) => sum + Math.abs(value), 0);
  const close = [r - 1, r + 1].find(
    (s) => values[s] && Math.abs(values[s] - values[r]) < 0.01 * values[r],
  );
  const open =
    close === undefined
      ? ""
      : ` Since λ${subscript(component)} and λ${subscript(close + 1)} are nearly equal, both axes can be rotated.`;
  const of = countSigns(values, result.scale).negative
    ? "sum of the absolute eigenvalues"
    : "variance";
  const share = `explains ${text((100 * values[r]) / total, 1)}% of the ${of}.`;
  const kinds = new Set(groups).size;
  if (kinds < 2) return { head: `Component ${component} ${share}`, reason: open };
  const separated = separatedGroups(scores, groups).map((group) => GROUPS[group]);
  return {
    holds: separated.length > 0 || undefined,
    head: `Component ${component} ${separationText(separated, kinds)}.`,
    reason: `It ${share}${open}`,
  };
}
