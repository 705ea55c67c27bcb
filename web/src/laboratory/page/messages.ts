// Sentences on a fit.

import { largestModulus } from "../../core/matrix.ts";
import { explained } from "../../core/spectrum.ts";
import { capital, percent, plural, readableNumber, text } from "../../ui/text.ts";
import type { Choices } from "../fitting/fitOptions.ts";
import { axesOf, isOrdinal, mapUnit, RANGES, usesKernel } from "../fitting/fitOptions.ts";
import type { FitInput, LaboratoryFit, PartialFit } from "../fitting/fits.ts";
import { hasPoints, METRICS } from "../fitting/metrics.ts";
import { neighbourhood, worstPairs } from "../fitting/residuals.ts";
import { LANDMARKS, LIMITS } from "../reading/limits.ts";
import type { Kind, ParsedTable } from "../reading/parsedTable.ts";

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

export type NameOf = (i: number) => string;
/** Makes words a link to a section of the book. */
export type Link = ReturnType<typeof linker>;

/**
 * Return a function that makes words a link to a section, on the site only. The section opens in
 * another tab, because this one would lose a table that was pasted.
 */
export function linker(onSite: boolean) {
  return (section: keyof typeof SECTIONS, words: string) =>
    onSite ? `<a href="${SECTIONS[section]}" target="_blank" rel="noopener">${words}</a>` : words;
}

/** Return true if there are only two points, for which a measure of fit says nothing. */
const isPair = ({ points, axesUsed, choices }: LaboratoryFit) =>
  axesUsed > 0 && points.length < 3 * choices.dimensions;
const EXACT = "the distance between two points is always exact.";
const two = (value: number) => text(value, 2);
const three = (value: number) => text(value, 3);
const numberWord = (k: number) =>
  ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"][k] ??
  String(k);
/** Say how wrong a distance on the map is: "0.45 too close". */
const errorWords = (error: number, unit: string) =>
  `${readableNumber(Math.abs(error), 2)}${unit && ` ${unit}`} too ${error < 0 ? "close" : "far apart"}`;
/** Return the absolute value of the largest negative eigenvalue, or 0 if there is none. */
const largestNegative = ({ spectrum }: LaboratoryFit) => -Math.min(0, ...spectrum);
/** Return the size of errors that are not mentioned: a millionth of the largest distance. */
const negligibleError = ({ target }: PartialFit) => 1e-6 * largestModulus(target);
/** Name the distances that a spectral method projects. */
const projected = ({ method, additive }: Pick<Choices, "method" | "additive">) => {
  if (usesKernel({ method })) return "feature distances";
  return `distances${additive && method === "classical" ? " with the additive constant" : ""}`;
};

/** What each method does, in a sentence. */
const METHOD_WORDS: Record<Choices["method"], (link: Link, direct: boolean) => string> = {
  classical: (link) =>
    `${link("classical", "Classical scaling")}: coordinates from the largest ` +
    `eigenvalues of ${link("B", "<i>B</i>, the Gram matrix of the distances")}.`,
  pca: (link) =>
    `${link("pca", "PCA")}: the directions of largest variance; classical scaling ` +
    `of the Euclidean distances gives the same map.`,
  kmds: (link) =>
    `${link("kmds", "Kernel MDS")}: classical scaling with a ` +
    `${link("kernels", "kernel")} of the distances in place of \u2212\u00BDd\u00B2.`,
  kpca: (link, direct) =>
    direct
      ? `${link("kpca", "Kernel PCA")}: coordinates from the largest eigenvalues of the matrix ` +
        `itself, centred.`
      : `${link("kpca", "Kernel PCA")}: PCA of the points in the feature space of a ` +
        `${link("kernels", "kernel")}.`,
  stress: (link) =>
    `${link("stress", "Stress")}: minimises the differences between the distances on the map and ` +
    `the dissimilarities, step by step.`,
};

/** Describe in a sentence what the options of a method change, or return an empty text. */
function optionWords(
  { method, additive, kernel, transform }: Choices,
  direct: boolean,
  link: Link,
): string {
  const isKernel = method === "kmds" || (method === "kpca" && !direct);
  if (isKernel && !RANGES[kernel])
    return `The initial \u03B8 follows the ${link("width", "median rule")}.`;
  if (method === "classical" && additive)
    return `An ${link("constant", "additive constant")} makes all eigenvalues non-negative.`;
  if (method === "stress" && transform === "ordinal")
    return `Only the ${link("order", "order of the dissimilarities")} is used.`;
  return "";
}

/** Describe a method, below the buttons. */
export function aboutMethod(choices: Choices, kind: Kind | null, link: Link, large = false) {
  const { method, metric } = choices;
  const direct = method === "kpca" && kind === "gram";
  const similar =
    kind === "gram" && !direct
      ? `Similarities are ${link("similarity", "converted to distances")} first.`
      : "";
  const { name, use, section } = METRICS[metric];
  const suited = kind === "points" ? `${link(section, `${name} distance`)}: for ${use}.` : "";
  const placed = large
    ? `With more than ${LIMITS.withoutLandmarks} objects, ${LANDMARKS} ` +
      `${link("landmarks", "landmarks")} are scaled, and the others are projected.`
    : "";
  const said = METHOD_WORDS[method](link, direct);
  const more = optionWords(choices, direct, link);
  return [said, placed, more, similar, suited].filter(Boolean).join(" ");
}

/** Return the name of a method with its options, for the report. */
function methodName(
  { method, additive, kernel, parameter, transform }: FitInput["choices"],
  kind: Kind | null,
  constant = 0,
): string {
  const kernels: Record<Choices["kernel"], string> = {
    RBF: "RBF kernel, \u03b8",
    Exponential: "exponential kernel, \u03b8",
    Power: "power kernel, \u03b2",
    Polynomial: "polynomial kernel, degree",
  };
  const whose = additive === "lingoes" ? "Lingoes\u2019s" : "Cailliez\u2019s";
  const added = additive ? ` with ${whose} constant ${readableNumber(constant, 4)}` : "";
  const options = ` (${kernels[kernel]} = ${readableNumber(parameter, 4)})`;
  const scaling = transform === "ordinal" ? "Ordinal" : "Metric";
  return {
    classical: `Classical scaling${added}`,
    pca: "PCA",
    kmds: `Kernel MDS${options}`,
    kpca: `Kernel PCA${kind === "gram" ? " of the given matrix" : options}`,
    stress: `${scaling} scaling by stress, started from classical scaling`,
  }[method];
}

/** Return the sentence for a report: its beginning as text, and its measures as HTML with links. */
export function report(fit: LaboratoryFit, { kind, table }: ParsedTable, what: string, link: Link) {
  const n = table.length;
  const of = `${n} ${what || (kind === "points" ? "points" : "objects")}`;
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
      ? [figures[2], `initial configuration: ${figures[0]}`, figures[1]]
      : figures;
  const steps = fit.steps ? ` (${plural(fit.steps, "step")})` : "";
  const placed = fit.landmarks ? ` with ${fit.landmarks} landmarks` : "";
  const name = methodName(fit.choices, kind, fit.constant) + placed;
  const k = axesOf(fit);
  return {
    plain: `${name}${steps} of ${of}${scaled} in ${numberWord(k)} dimension${k > 1 ? "s" : ""}: `,
    html: isPair(fit) ? EXACT : `${spectral.filter(Boolean).join(", ")}.`,
  };
}

/** Describe the eigenvalues on which the choice of the number of dimensions depends. */
export function dimensionWords(fit: LaboratoryFit, link: Link) {
  if (fit.axesUsed === 0 || isPair(fit)) return "";
  const { method } = fit.choices;
  const values = Array.from(fit.spectrum);
  const gamma = explained(fit.spectrum);
  const listed = [1, 2, 3, 4, 5]
    .filter((k) => k < values.length)
    .map((k) => `with ${k === 1 ? "1 dimension" : k}: ${two(gamma[k - 1])}`)
    .join(", ");
  const start = method === "stress" ? " of the initial configuration" : "";
  const fractions = `${link("explained", "Explained fraction")}${start} ${listed}.`;
  const low = largestNegative(fit);
  if (low <= 1e-9 * values[0]) {
    const count = values.filter((value) => value > 1e-9 * values[0]).length;
    const larger =
      `${capital(numberWord(count))} eigenvalue${count === 1 ? " is" : "s are"} larger than a ` +
      `rounding error`;
    return (
      `${fractions} No eigenvalue is negative, so the ${projected(fit.choices)} are Euclidean. ` +
      `${larger}; how many to keep depends on the purpose.`
    );
  }
  const above = values.filter((value) => value > low).length;
  const count = `${capital(numberWord(above))} eigenvalue${above === 1 ? " is" : "s are"}`;
  return (
    `${fractions} ${count} larger than the largest negative one in absolute value. A smaller ` +
    `positive eigenvalue ${link("choose", "may be due to errors alone")}.`
  );
}

/** Return true if the errors of the distances are large in root mean square. */
const isPoor = ({ stress }: LaboratoryFit) => (stress ?? 0) > 0.2;

/** Return warnings of what may mislead in a map, the most serious first, and harmless remarks. */
function warnings(fit: LaboratoryFit, link: Link) {
  const { choices, axesUsed, stress, negativeMass } = fit;
  const k = choices.dimensions;
  const [alarms, notes]: string[][] = [[], []];
  if (axesUsed < k) {
    const only = `Only ${axesUsed} eigenvalue${axesUsed === 1 ? " is" : "s are"} positive`;
    alarms.push(`${only}: the ${k - axesUsed === 1 ? "last axis is" : "other axes are"} empty.`);
  }
  if (!fit.converged) alarms.push("Stopped before convergence.");
  if (isOrdinal(choices)) alarms.push(...ordinalWarning(fit, link));
  // A map may be exact for the order of the dissimilarities, or for those that are not missing.
  else if (negativeMass > 0.1 && !fit.delta.some(Number.isNaN)) {
    const isSmall = largestNegative(fit) < fit.spectrum[axesUsed - 1];
    (isSmall ? notes : alarms).push(
      `No map in any number of dimensions is exact, because some eigenvalues are negative ` +
        `(${link("negative", "negative mass")} ${text(100 * negativeMass, 0)}%).`,
    );
  }
  const value = choices.method === "stress" ? "" : ` (${two(stress ?? 0)})`;
  if (isPoor(fit)) alarms.push(`${link("stress1", "Stress-1")} is high${value}.`);
  if (choices.method !== "stress") addSpectralWarnings(fit, link, alarms, notes);
  return [alarms, notes];
}

/** Warn that an ordinal fit may be degenerate: few different disparities, or almost no stress. */
function ordinalWarning({ target, stress, points, choices }: LaboratoryFit, link: Link): string[] {
  const n = points.length / choices.dimensions;
  const distinct = new Set(
    Array.from(target, (x) => x.toPrecision(3)).filter((_, at) => at % (n + 1) !== 0),
  ).size;
  const nothing = link("degenerate", "a degenerate solution");
  if (distinct <= 5 && n > 6) {
    const values = `${numberWord(distinct)} value${distinct === 1 ? "" : "s"}`;
    return [`The disparities take ${values}: this may be ${nothing}.`];
  }
  return (stress ?? 0) < 5e-3 && n > 2
    ? [`Stress-1 is almost zero, which an ordinal fit reaches easily: this may be ${nothing}.`]
    : [];
}

/** Warn if nearly equal eigenvalues do not determine the axes or the plane. */
function addSpectralWarnings(
  { spectrum: values, choices, axesUsed, goodness }: LaboratoryFit,
  link: Link,
  alarms: string[],
  notes: string[],
) {
  const k = choices.dimensions;
  const close = (r: number) => values[r - 1] > 0 && values[r] > 0.95 * values[r - 1];
  const pair = Array.from({ length: Math.max(0, axesUsed - 1) }, (_, r) => r + 1).find(close);
  if (axesUsed === k && close(k)) {
    const other = link("unique", "exchange these two axes");
    alarms.push(
      `Eigenvalues ${k} and ${k + 1} are nearly equal: a small change of the data may ${other}.`,
    );
  } else if (pair) {
    const open = link("unique", "their axes may rotate");
    notes.push(
      `Eigenvalues ${pair} and ${pair + 1} are nearly equal: the map is determined, but ${open}.`,
    );
  }
  const byWidth = usesKernel(choices) && choices.kernel !== "Power";
  if (byWidth && goodness[0] < 0.1 && values.length > 30) {
    const alike = link("narrow", "all feature distances are nearly equal");
    alarms.push(`The spectrum is nearly flat: the kernel is so narrow that ${alike}.`);
  }
}

const decidingWords = (titles: string[]) =>
  `The variances of the variables differ widely: ${new Intl.ListFormat("en-GB").format(titles)} ` +
  `var${titles.length > 1 ? "y" : "ies"} most. If their units differ, press ` +
  `\u201cscale all to unit variance\u201d.`;

/** Say how well the map fits, and in brackets how this is measured. */
function measureOf(fit: LaboratoryFit, link: Link, unit: string) {
  const { choices, stress, steps, goodness, landmarks, axesUsed, target } = fit;
  if (isPair(fit)) return [capital(EXACT), ""];
  if (choices.method === "stress") {
    if (stress === null) return ["Stress-1 is not defined.", ""];
    const than = isOrdinal(choices) ? ", compared with the disparities," : "";
    const after = steps ? `, after ${plural(steps, "step")}` : "";
    const start = isPoor(fit) ? "Many distances on this map are wrong: the" : "The";
    return [
      `${start} errors of the distances${than} are ${percent(stress)} of the distances on the map`,
      `(${link("stress1", "stress-1")}, in root mean square${after}).`,
    ];
  }
  const error = Math.abs(worstPairs(fit)[0][2]);
  if (error <= negligibleError(fit))
    return [`The map shows the ${projected(choices)} exactly.`, ""];
  // The eigenvalues add up to the sum of the squared distances only if none is negative.
  const terms =
    fit.negativeMass > 5e-5
      ? `absolute values of the eigenvalues${landmarks ? " for the landmarks" : ""}`
      : `squared ${projected(choices)}${landmarks ? " between the landmarks" : ""}`;
  const nearlyAll = goodness[0] >= 0.995 && goodness[0] < 0.9995;
  const share = `${text(100 * goodness[0], nearlyAll ? 1 : 0)}%`;
  const gamma = explained(fit.spectrum);
  const next = gamma[axesUsed] - gamma[axesUsed - 1];
  const more = next >= 0.005 ? `; one more dimension would add ${text(100 * next, 0)}%` : "";
  const withUnit = (value: number, digits: number) =>
    `${readableNumber(value, digits)} ${mapUnit(choices, unit)}`.trim();
  const largest = target.reduce((a, b) => Math.max(a, b));
  const some = isPoor(fit) ? "Many" : error > largest / 4 ? "Some" : "";
  const head = some
    ? `${some} ${projected(choices)} on this map are wrong: the errors are`
    : `The map shows the ${projected(choices)}, with errors of`;
  return [
    `${head} up to ${withUnit(error, 2)} (largest distance ${withUnit(largest, 3)}).`,
    `The map accounts for ${share} of the sum of the ${terms} ` +
      `(${link("explained", "explained fraction")}${more}).`,
  ];
}

/** Return the measure of fit and the warnings for the banner; `deciding` lists variables. */
export function verdictOf(fit: LaboratoryFit, link: Link, deciding: string[] = [], unit = "") {
  if (fit.axesUsed === 0)
    return {
      holds: false,
      head: "All objects are at one point.",
      reason: "All dissimilarities are 0.",
      more: [],
    };
  const [alarms, notes] = warnings(fit, link);
  const remarks = [...alarms, ...notes];
  const [measure, how] = measureOf(fit, link, unit);
  const calm =
    fit.choices.method === "stress" && !isPair(fit)
      ? `Other initial configurations may lead to ${link("stuck", "other maps")}.`
      : `The map is determined up to ${link("mirror", "rotation and reflection")}.`;
  return {
    holds: alarms.length ? false : undefined,
    head: deciding.length ? decidingWords(deciding) : measure,
    reason: [deciding.length ? measure : "", how, remarks[0] ?? calm].filter(Boolean).join(" "),
    more: remarks.slice(1),
  };
}

/** Describe the nearest objects and the largest errors of an object, or the errors of all. */
export function nearWords(fit: PartialFit, i: number | null, nameOf: NameOf, unit: string): string {
  if (fit.axesUsed === 0) return "";
  const isRight = (error: number) => Math.abs(error) <= negligibleError(fit);
  const target = isOrdinal(fit.choices) ? "disparities" : projected(fit.choices);
  const errors = `largest errors${target === "distances" ? "" : `, compared with the ${target}`}`;
  const ownUnit = mapUnit(fit.choices, unit);
  if (i === null) {
    const found = worstPairs(fit).filter(([, , error]) => !isRight(error));
    const pairs = found.map(
      ([a, b, error], rank) =>
        `${nameOf(a)} and ${nameOf(b)} ${rank ? "" : "are drawn "}${errorWords(error, ownUnit)}`,
    );
    const worst = pairs.length
      ? `${capital(errors)}: ${pairs.join(", ")}.`
      : "All distances are exact, to a millionth of the largest.";
    return `${worst} Choose an object on the map or above.`;
  }
  const { nearest, worst, error } = neighbourhood(fit, i);
  const n = fit.points.length / fit.choices.dimensions;
  const near = nearest.map((j) => {
    const given = readableNumber(fit.delta[i * n + j], 4);
    return `${nameOf(j)} (${fit.choices.metric === "euclidean" ? `${given} ${unit}`.trim() : given})`;
  });
  const far = worst
    .filter((j) => !isRight(error(j)))
    .map((j, rank) => `${nameOf(j)} ${rank ? "" : "is drawn "}${errorWords(error(j), ownUnit)}`);
  const fitted = far.length
    ? `${errors}: ${far.join(", ")}`
    : "all distances are exact, to a millionth of the largest";
  return `${nameOf(i)}: nearest in the table ${near.join(", ")}; ${fitted}.`;
}
