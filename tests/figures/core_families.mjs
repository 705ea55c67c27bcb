// What a case of test_core.py comes to in the explorers' core, for each family.

const flat = (core, rows) => core.fromRows(rows);

/** A kernel as a case names it. */
const kernelOf = (core, [name, ...parameters]) => core[name](...parameters);

/** What a spectral fit comes to; `new` are rows to be placed. */
const fitted = (fit, rows) => ({
  points: fit.points,
  eigenvalues: fit.eigenvalues,
  spectrum: fit.spectrum(),
  placed: rows ? fit.transform(rows) : [],
});

const FAMILIES = {
  gram(core, { X, Y, K }) {
    const [p, n] = [X[0].length, X.length];
    const [points, others] = [flat(core, X), flat(core, Y)];
    const B = core.gramFromDistances(core.distances(points, p), n);
    return {
      squares: core.squaredDistances(points, p),
      cross: core.distances(points, p, others),
      gram: B,
      back: core.distancesFromGram(B, n),
      centred: core.centerGram(flat(core, K), n),
      columns: core.centredColumns(points, p),
      rows: core.toRows(points, p).flat(),
      padded: core.padColumns(points, p, n, p + 1),
      median: [core.medianDissimilarity(core.distances(points, p), n)],
    };
  },
  eigen(core, { A, before, start, k }) {
    const n = A.length;
    const matrix = flat(core, A);
    const all = core.eigenpairs(matrix, n);
    const cold = core.leadingEigenpairs(matrix, n, k);
    const old = before ? core.leadingEigenpairs(flat(core, before), n, k).block : flat(core, start);
    const warm = core.leadingEigenpairs(matrix, n, k, { start: old });
    return {
      all: all.values,
      alone: core.eigenvalues(matrix, n),
      vectors: all.vectors,
      cold: cold.values,
      coldVectors: cold.vectors,
      scales: [cold.scale, warm.scale],
      warm: warm.values,
      warmVectors: warm.vectors,
    };
  },
  kernels(core, { kernel, X, Y, delta }) {
    const p = X[0].length;
    const one = kernelOf(core, kernel);
    return {
      matrix: core.kernelMatrix(one, flat(core, X), p),
      cross: core.kernelMatrix(one, flat(core, X), p, flat(core, Y)),
      profile: one.isotropic ? core.profile(one, Float64Array.from(delta)) : [],
      known: [one.isotropic, one.shiftFree, one.positive, one.conditional].map(String),
    };
  },
  scaling(core, { D, rows, k, additive }) {
    const fit = core.classicalScaling(flat(core, D), D.length, k, { additive });
    const spectrum = fit.spectrum();
    return {
      ...fitted(fit, flat(core, rows)),
      constant: [fit.additiveConstant],
      figures: [...core.goodnessOfFit(spectrum, fit.columns || 1), core.negativeMass(spectrum)],
      explained: [...core.explained(spectrum), fit.explained()],
    };
  },
  kernelFits(core, { kernel, X, Y, D, rows, k }) {
    const one = kernelOf(core, kernel);
    const p = X[0].length;
    const pca = core.kernelPca(flat(core, X), p, one, k);
    const fromGram = core.kernelPcaFromGram(pca.kernelMatrix, X.length, k);
    const cross = core.kernelMatrix(one, flat(core, Y), p, flat(core, X));
    const parts = { pca: fitted(pca, flat(core, Y)), fraction: [pca.explained()] };
    parts.gram = { ...fitted(fromGram), fraction: [fromGram.explained()] };
    if (one.shiftFree) parts.gram.placed = [];
    else parts.gram.placed = fromGram.transform(cross);
    const plain = core.kernelPcaFromGram(pca.kernelMatrix, X.length, k, { centred: false });
    parts.plain = { ...fitted(plain, cross), fraction: [plain.explained()], matrix: pca.kernelMatrix };
    if (!one.isotropic) return parts;
    const mds = core.kernelMds(flat(core, D), D.length, one, k);
    parts.mds = { ...fitted(mds, flat(core, rows)), fraction: [mds.explained()] };
    parts.mds.feature = core.distancesFromGram(mds.kernelMatrix, D.length);
    return parts;
  },
  stress(core, { X, D }) {
    const p = X[0].length;
    const [points, table] = [flat(core, X), flat(core, D)];
    const disparities = core.monotoneDisparities(table, D.length);
    disparities(points.map((x) => x * x), p);
    return {
      raw: [core.rawStress(points, p, table)],
      stress1: [core.kruskalStress(points, p, table)],
      step: core.guttmanTransform(points, p, table),
      disparities: disparities(points, p),
    };
  },
  alignment(core, { Y, target, scaling }) {
    const p = Y[0].length;
    const found = core.procrustesAlign(flat(core, Y), p, flat(core, target), { scaling });
    const { scale, residual, ...parts } = found;
    return { ...parts, figures: [scale, residual] };
  },
  graphs(core, { D, nNeighbors, k }) {
    const n = D.length;
    const table = flat(core, D);
    const near = core.nearestNeighbors(table, n, nNeighbors);
    const graph = core.symmetricGraph(near);
    const paths = core.shortestPaths(graph, table, n);
    const parts = core.components(graph);
    const whole = parts.length === 1;
    return {
      near: near.map(String),
      links: graph.map(String),
      parts: parts.map(String),
      paths: Array.from(paths, (length) => (Number.isFinite(length) ? length : -1)),
      map: whole ? core.classicalScaling(paths, n, k).points : [],
      apart: whole ? "" : core.fallsApart(parts, nNeighbors, core.joiningCount(table, n, nNeighbors)),
    };
  },
  words(core, { kind, table }) {
    if (kind === "gram") return { wrong: core.checkGram(table) };
    const wrong = core.checkDissimilarities(table);
    return { wrong, matrix: wrong ? [] : core.asDissimilarities(table) };
  },
};
