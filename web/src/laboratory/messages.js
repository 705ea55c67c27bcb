// Sentences on a fit.

import { largestModulus } from "../core/matrix.js";
import { explained } from "../core/spectrum.js";
import { capital, plural, text } from "../ui/text.js";
import { axesOf } from "./choices.js";
import { LANDMARKS, MOST } from "./limits.js";
import { hasPoints, METRICS } from "./metrics.js";
import { readable } from "./parseCells.js";
import { neighbourhood, worstPairs } from "./residuals.js";

const SECTIONS = {
  classical: "04-classical-scaling.html#ch-scaling",
  pca: "05-pca-equivalence.html#ch-pca",
  kmds: "08-kernel-mds.html#ch-kmds",
  kpca: "07-kernel-pca.html#ch-kpca",
  stress: "09-stress.html#ch-stress",
  B: "03-distances-gram.html#thm-gram-from-distances",
  explained: "04-classical-scaling.html#sec-negative-eigenvalues",
  negative: "04-classical-scaling.html#sec-negative-eigenvalues",
  constant: "04-classical-scaling.html#thm-additive",
  unique: "04-classical-scaling.html#sec-unique-map",
  mirror: "04-classical-scaling.html#sec-procrustes",
  choose: "04-classical-scaling.html#ex-4-choose-k",
  stress1: "09-stress.html#def-stress1",
  order: "09-stress.html#thm-isotonic",
  degenerate: "09-stress.html#thm-degenerate",
  stuck: "09-stress.html#local-minima-of-stress",
  shepard: "08-kernel-mds.html#sec-map-promises",
  width: "08-kernel-mds.html#sec-choose-kernel",
  narrow: "08-kernel-mds.html#thm-theta-infinity",
  kernels: "06-kernels.html#def-pd-kernel",
  similarity: "03-distances-gram.html#from-similarities-to-distances",
  stability: "10-new-points.html#thm-stability",
  landmarks: "10-new-points.html#ch-new-points",
};

/**
 * Words that lead to the section that derives them: a link on the site, the words elsewhere. The
 * section opens beside the page, which would lose a table that was pasted.
 */
export function linker(onSite) {
  return (section, words) =>
    onSite ? `<a href="${SECTIONS[section]}" target="_blank" rel="noopener">${words}</a>` : words;
}

const two = (value) => text(value, 2);
const three = (value) => text(value, 3);
export const numberWord = (k) =>
  ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"][k] ??
  String(k);
/** A number of three digits, with a plus where it is positive. */
const signed = (value) => `${value > 0 ? "+" : ""}${readable(value, 3)}`;

/** What a method does, in a sentence for each. */
const METHOD_WORDS = {
  classical: (link) =>
    `${link("classical", "Classical scaling")}: coordinates from the largest ` +
    `eigenvalues of ${link("B", "<i>B</i>, the Gram matrix of the distances")}.`,
  pca: (link) =>
    `${link("pca", "PCA")}: the directions in which the points vary most; classical scaling ` +
    `of their distances gives the same map.`,
  kmds: (link) =>
    `${link("kmds", "Kernel MDS")}: a ${link("kernels", "kernel")} of the distances in ` +
    `place of \u2212\u00BDd\u00B2, then the same steps.`,
  kpca: (link, direct) =>
    direct
      ? `${link("kpca", "Kernel PCA")}: coordinates from the largest eigenvalues of the matrix ` +
        `itself, centred.`
      : `${link("kpca", "Kernel PCA")}: PCA of the points after a ${link("kernels", "kernel")} ` +
        `has carried them into its feature space.`,
  stress: (link) =>
    `${link("stress", "Stress")}: points are moved step by step until their distances fit ` +
    `those of the table best.`,
};

/** What the options of a method change, in a sentence, or nothing. */
function optionWords({ method, additive, kernel, transform }, direct, link) {
  const isKernel = method === "kmds" || (method === "kpca" && !direct);
  if (isKernel && ["RBF", "Exponential"].includes(kernel))
    return `\u03B8 starts at the ${link("width", "median rule")}.`;
  if (method === "classical" && additive)
    return (
      `A ${link("constant", "constant added")} to the distances leaves no eigenvalue ` + "negative."
    );
  if (method === "stress" && transform === "ordinal")
    return `Only the ${link("order", "order of the distances")} is fitted.`;
  return "";
}

/** What a method does, in a sentence or two, for the line below the buttons. */
export function aboutMethod(choices, kind, link, large = false) {
  const { method, metric } = choices;
  const direct = method === "kpca" && kind === "gram";
  const similar =
    kind === "gram" && !direct
      ? `Similarities ${link("similarity", "become distances")} first.`
      : "";
  const { name, use, section } = METRICS[metric] ?? {};
  const suited =
    name && kind === "points" ? `${link(section, `${name} distance`)} is for ${use}.` : "";
  const placed = large
    ? `Of more than ${MOST.whole} objects ${LANDMARKS} are scaled, the ` +
      `${link("landmarks", "landmarks")}, and place the others.`
    : "";
  const said = METHOD_WORDS[method](link, direct);
  const more = optionWords(choices, direct, link);
  return [said, placed, more, similar, suited].filter(Boolean).join(" ");
}

/** The method with its options, as a report names it. */
function methodName({ method, additive, kernel, parameter, transform }, kind, constant = 0) {
  if (method === "classical" && additive) {
    const whose = additive === "lingoes" ? "Lingoes\u2019s" : "Cailliez\u2019s";
    return `Classical scaling with ${whose} constant ${readable(constant, 4)}`;
  }
  if (method === "stress")
    return (
      `${transform === "ordinal" ? "Ordinal" : "Metric"} scaling by stress, from the ` +
      `classical start`
    );
  if (method === "kpca" && kind === "gram") return "Kernel PCA of the given matrix";
  const names = {
    RBF: "RBF kernel, \u03b8",
    Exponential: "exponential kernel, \u03b8",
    Power: "power kernel, \u03b2",
    Polynomial: "polynomial kernel, degree",
  };
  if (method === "kmds" || method === "kpca") {
    return (
      `${method === "kmds" ? "Kernel MDS" : "Kernel PCA"} (${names[kernel]} = ` +
      `${readable(parameter, 4)})`
    );
  }
  return method === "pca" ? "PCA" : "Classical scaling";
}

/**
 * A report in a sentence to quote, as text and then HTML with the figures, each of which leads to
 * where it is defined.
 */
export function report(fit, reading, what, link) {
  const n = reading.table.length;
  const of = `${n} ${what || (reading.kind === "points" ? "points" : "objects")}`;
  const { metric } = fit.choices;
  const other = hasPoints(metric) ? "" : `, ${METRICS[metric].name} distances,`;
  const scaled = metric === "standardised" ? ", columns of unit variance," : other;
  const [all, positive] = fit.goodness;
  const ofPositive =
    fit.negativeMass > 5e-4 ? ` (${three(positive)} of the positive eigenvalues)` : "";
  const figures = [
    `${link("explained", "explained fraction")} ${three(all)}${ofPositive}`,
    `${link("negative", "negative mass")} ${three(fit.negativeMass)}`,
    fit.stress === null ? "" : `${link("stress1", "stress-1")} ${three(fit.stress)}`,
  ].filter(Boolean);
  const spectral =
    fit.choices.method === "stress"
      ? [figures[2], `classical start: ${figures[0]}`, figures[1]]
      : figures;
  const steps = fit.steps ? ` (${plural(fit.steps, "step")})` : "";
  const placed = fit.landmarks ? ` with ${fit.landmarks} landmarks` : "";
  const name = methodName(fit.choices, reading.kind, fit.constant) + placed;
  const k = axesOf(fit);
  return {
    plain: `${name}${steps} of ${of}${scaled} in ${numberWord(k)} dimension${k > 1 ? "s" : ""}: `,
    html: `${spectral.filter(Boolean).join(", ")}.`,
  };
}

/**
 * How many eigenvalues are larger than the largest negative one in size: the table's own yardstick.
 */
export function dimensionWords(fit, link) {
  const { method, additive } = fit.choices;
  const values = Array.from(fit.spectrum);
  const gamma = explained(fit.spectrum);
  const listed = [1, 2, 3, 4, 5]
    .filter((k) => k < values.length)
    .map((k) => `${k}: ${two(gamma[k - 1])}`)
    .join(", ");
  const start = method === "stress" ? " of the classical start" : "";
  const shares = `${link("explained", "Explained fraction")}${start} with ${listed}.`;
  const low = -Math.min(0, ...values);
  if (fit.columns === 0) return "";
  if (low <= 1e-9 * values[0]) {
    const count = values.filter((value) => value > 1e-9 * values[0]).length;
    const kernel = method === "kmds" || method === "kpca";
    const these = kernel
      ? "these distances in feature space"
      : `these distances${additive && method === "classical" ? " with the constant added" : ""}`;
    const larger =
      `${capital(numberWord(count))} ${count === 1 ? "exceeds" : "exceed"} a ` +
      `billionth of the largest`;
    return (
      `${shares} No eigenvalue is negative: points have ${these}. ${larger}; how many to ` +
      `keep is a matter of use.`
    );
  }
  const above = values.filter((value) => value > low).length;
  const count = `${capital(numberWord(above))} eigenvalue${above === 1 ? " is" : "s are"}`;
  return (
    `${shares} ${count} larger than the largest negative one in size; no arrangement of ` +
    `points makes that one, so that ${link("choose", "a smaller positive one proves nothing")}.`
  );
}

/** Where the map may mislead: sentences, the gravest first. */
export function warnings(fit, link) {
  const { choices, columns, stress, negativeMass: mass } = fit;
  const k = choices.dimensions;
  const found = [];
  if (columns < k) {
    const only = `Only ${columns} eigenvalue${columns === 1 ? " is" : "s are"} positive`;
    found.push(`${only}: ${k - columns === 1 ? "the last axis is" : "the other axes are"} empty.`);
  }
  if (!fit.converged) found.push("Stopped before the points came to rest.");
  if (choices.method === "stress" && choices.transform === "ordinal")
    found.push(...ordinalWarning(fit, link));
  if (mass > 0.1) {
    const negative = `${text(100 * mass, 0)} % of the spectrum is ${link("negative", "negative")}`;
    found.push(
      `${negative}: no points have these distances, however many dimensions they are given.`,
    );
  }
  if (stress > 0.2) {
    const high =
      choices.method === "stress"
        ? `So high a ${link("stress1", "stress-1")}`
        : `${link("stress1", "Stress-1")} is ${two(stress)}`;
    found.push(`${high}: single distances in the map are often wrong.`);
  }
  return choices.method === "stress" ? found : [...found, ...spectralWarnings(fit, link)];
}

/** A perfect fit of the order may mean nothing: few disparities, or a stress of almost zero. */
function ordinalWarning({ target, stress, points, choices }, link) {
  const n = points.length / choices.dimensions;
  const distinct = new Set(
    Array.from(target, (x) => x.toPrecision(3)).filter((_, at) => at % (n + 1) !== 0),
  ).size;
  const nothing = link("degenerate", "a perfect fit that means nothing");
  if (distinct <= 5 && n > 6) {
    const values = `${numberWord(distinct)} value${distinct === 1 ? "" : "s"}`;
    return [`The disparities take ${values}: this may be ${nothing}.`];
  }
  return stress < 5e-3 && n > 2
    ? [`Stress-1 is almost zero, which the order alone allows easily: this may be ${nothing}.`]
    : [];
}

/** Where the eigenvalues leave the axes or the plane open, or are all alike. */
function spectralWarnings({ spectrum: values, choices, columns, goodness }, link) {
  const k = choices.dimensions;
  const found = [];
  const close = (r) => values[r - 1] > 0 && values[r] > 0.95 * values[r - 1];
  const kept = Array.from({ length: Math.max(0, columns - 1) }, (_, at) => at + 1).find(close);
  if (columns === k && close(k)) {
    const other = link("unique", "turn another axis into the map");
    found.push(
      `Eigenvalues ${k} and ${k + 1} are nearly equal: a small change of the table may ${other}.`,
    );
  } else if (kept) {
    const open = link("unique", "their axes may turn");
    found.push(
      `Eigenvalues ${kept} and ${kept + 1} are nearly equal: the points stand, but ${open}.`,
    );
  }
  const byWidth = ["kmds", "kpca"].includes(choices.method) && choices.kernel !== "Power";
  if (byWidth && goodness[0] < 0.1 && values.length > 30) {
    const alike = link("narrow", "all objects are equally far apart");
    found.push(`The spectrum is nearly flat: with so narrow a kernel ${alike}.`);
  }
  return found;
}

/** What a map says about itself, for the banner. */
export function verdictOf(fit, link) {
  if (fit.columns === 0)
    return {
      holds: false,
      head: "All objects fall on one point.",
      reason: "The table holds no difference.",
      more: [],
    };
  const found = warnings(fit, link);
  const nearlyAll = fit.goodness[0] >= 0.995 && fit.goodness[0] < 0.9995;
  const share = `${text(100 * fit.goodness[0], nearlyAll ? 1 : 0)} %`;
  const stress = fit.stress === null ? "open" : three(fit.stress);
  const after = fit.steps ? ` after ${plural(fit.steps, "step")}` : "";
  const head =
    fit.choices.method === "stress"
      ? `Stress-1 is ${stress}${after}.`
      : `The map holds ${share} of the ${fit.landmarks ? "landmarks\u2019 " : ""}spectrum.`;
  const calm =
    fit.choices.method === "stress"
      ? `Other starts may end in ${link("stuck", "other maps")}.`
      : `Only distances count: the map may be ${link("mirror", "turned or mirrored")}.`;
  return {
    holds: found.length ? false : undefined,
    head,
    reason: found[0] ?? calm,
    more: found.slice(1),
  };
}

/**
 * What is near an object, and what the map has wrong about it; the worst of all where none is
 * chosen.
 */
export function nearWords(fit, i, nameOf) {
  if (fit.columns === 0) return "";
  const least = 1e-6 * largestModulus(fit.target);
  const isRight = (error) => Math.abs(error) <= least;
  if (i === null) {
    const found = worstPairs(fit).filter(([, , error]) => !isRight(error));
    const pairs = found.map(([a, b, error]) => `${nameOf(a)} and ${nameOf(b)} (${signed(error)})`);
    const worst = pairs.length
      ? `Fitted worst of all: ${pairs.join(", ")}.`
      : "Every distance is right, to a millionth of the largest.";
    return `${worst} Point at an object, or choose it above.`;
  }
  const { nearest, worst, error } = neighbourhood(fit, i);
  const n = fit.points.length / fit.choices.dimensions;
  const near = nearest.map((j) => `${nameOf(j)} (${readable(fit.delta[i * n + j], 4)})`);
  const far = worst
    .filter((j) => !isRight(error(j)))
    .map((j) => `${nameOf(j)} (${signed(error(j))})`);
  const fitted = far.length
    ? `fitted worst ${far.join(", ")}`
    : "every distance is right, to a millionth of the largest";
  return `${nameOf(i)}: nearest in the table ${near.join(", ")}; ${fitted}.`;
}
