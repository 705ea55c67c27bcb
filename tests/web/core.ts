// The results of the explorers' core for one case of test_core.py, which comes from JSON.

import { classicalScaling } from "../../web/src/core/classicalScaling.ts";
import * as pairs from "../../web/src/core/eigenpairs.ts";
import * as kernels from "../../web/src/core/kernels.ts";
import { leadingEigenpairs } from "../../web/src/core/leadingEigenpairs.ts";
import { fromRows as flat } from "../../web/src/core/matrix.ts";
import * as graphs from "../../web/src/core/neighborGraph.ts";
import * as spectra from "../../web/src/core/spectrum.ts";
import * as validation from "../../web/src/core/validation.ts";

type Case = any;

export const RESULTS = {
  eigen({ A, k }: Case) {
    const n = A.length;
    const matrix = flat(A);
    const all = pairs.eigenpairs(matrix, n);
    const leading = leadingEigenpairs(matrix, n, k);
    return {
      all: all.values,
      valuesOnly: pairs.eigenvalues(matrix, n),
      spectrum: leading.spectrum,
      vectors: all.vectors,
      leading: [...leading.values, leading.scale],
      leadingVectors: leading.vectors,
    };
  },
  kernels({ kernel: [name, ...parameters], X, Y, delta }: Case) {
    const p = X[0].length;
    const one = (kernels as Case)[name](...parameters);
    return {
      matrix: kernels.kernelMatrix(one, flat(X), p),
      cross: kernels.kernelMatrix(one, flat(X), p, flat(Y)),
      profile: one.isotropic ? kernels.profile(one, Float64Array.from(delta)) : null,
      definiteness: [one.positive, one.conditional].map(String),
    };
  },
  scaling({ D, rows, k, additive }: Case) {
    const fit = classicalScaling(flat(D), D.length, k, { additive });
    const spectrum = fit.spectrum();
    return {
      spectrum,
      points: fit.points,
      eigenvalues: fit.eigenvalues,
      placed: fit.transform(flat(rows)),
      constant: [fit.additiveConstant],
      goodness: spectra.goodnessOfFit(spectrum, fit.axesUsed || 1),
      negativeMass: spectra.negativeMass(spectrum),
      explained: [...spectra.explained(spectrum), fit.explained()],
    };
  },
  graphs({ D, nNeighbors }: Case) {
    const n = D.length;
    const table = flat(D);
    const graph = graphs.symmetricGraph(graphs.nearestNeighbors(table, n, nNeighbors));
    const components = graphs.components(graph).map((part) => [...part]);
    const links = graph.map((row) => [...row]);
    const joining = graphs.joiningCount(table, n, nNeighbors);
    if (components.length > 1) return { links, components, joining };
    return { links, components, paths: graphs.shortestPaths(graph, table, n) };
  },
  checks({ kind, table }: Case) {
    if (kind === "gram") return { accepted: !validation.checkGram(table) };
    const accepted = !validation.checkDissimilarities(table);
    return { accepted, matrix: accepted ? validation.asDissimilarities(table) : null };
  },
};
