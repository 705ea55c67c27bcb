// The results of the explorers' core for one case of test_core.py, by family of cases.

const flat = (core, rows) => core.fromRows(rows);

globalThis.FAMILIES = {
  eigen(core, { A, k }) {
    const n = A.length;
    const matrix = flat(core, A);
    const all = core.eigenpairs(matrix, n);
    const leading = core.leadingEigenpairs(matrix, n, k);
    return {
      all: all.values,
      valuesOnly: core.eigenvalues(matrix, n),
      spectrum: leading.spectrum,
      vectors: all.vectors,
      leading: [...leading.values, leading.scale],
      leadingVectors: leading.vectors,
    };
  },
  kernels(core, { kernel: [name, ...parameters], X, Y, delta }) {
    const p = X[0].length;
    const one = core[name](...parameters);
    return {
      matrix: core.kernelMatrix(one, flat(core, X), p),
      cross: core.kernelMatrix(one, flat(core, X), p, flat(core, Y)),
      profile: one.isotropic ? core.profile(one, Float64Array.from(delta)) : null,
      definiteness: [one.positive, one.conditional].map(String),
    };
  },
  scaling(core, { D, rows, k, additive }) {
    const fit = core.classicalScaling(flat(core, D), D.length, k, { additive });
    const spectrum = fit.spectrum();
    return {
      spectrum,
      points: fit.points,
      eigenvalues: fit.eigenvalues,
      placed: fit.transform(flat(core, rows)),
      constant: [fit.additiveConstant],
      goodness: core.goodnessOfFit(spectrum, fit.axesUsed || 1),
      negativeMass: core.negativeMass(spectrum),
      explained: [...core.explained(spectrum), fit.explained()],
    };
  },
  stress(core, { X, D }) {
    const p = X[0].length;
    const [points, table] = [flat(core, X), flat(core, D)];
    const disparities = core.monotoneDisparities(table, D.length);
    disparities(points.map(Math.exp), p); // what a first call leaves behind must not matter
    return {
      raw: [core.rawStress(points, p, table)],
      stress1: [core.kruskalStress(points, p, table)],
      step: core.guttmanTransform(points, p, table),
      disparities: disparities(points, p),
    };
  },
  graphs(core, { D, nNeighbors }) {
    const n = D.length;
    const table = flat(core, D);
    const graph = core.symmetricGraph(core.nearestNeighbors(table, n, nNeighbors));
    const components = core.components(graph).map((part) => [...part]);
    const links = graph.map((row) => [...row]);
    const joining = core.joiningCount(table, n, nNeighbors);
    if (components.length > 1) return { links, components, joining };
    return { links, components, paths: core.shortestPaths(graph, table, n) };
  },
  checks(core, { kind, table }) {
    if (kind === "gram") return { accepted: !core.checkGram(table) };
    const accepted = !core.checkDissimilarities(table);
    return { accepted, matrix: accepted ? core.asDissimilarities(table) : null };
  },
};
