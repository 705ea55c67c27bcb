import type { Matrix } from "./matrix.ts";
// Neighbour graphs, their components and their shortest paths.

export type Graph = number[][]; // the objects to which each object is joined

// Distances whose relative difference is at most this count as equal.
export const TIE = 1e-10;

/** Return the k nearest neighbours of each object; of ties for the last, the first in the data. */
export function nearestNeighbors(D: Matrix, n: number, k: number): Graph {
  return Array.from({ length: n }, (_, i) => {
    const row = D.slice(i * n, (i + 1) * n);
    row[i] = Infinity;
    const last = row.slice().sort()[k - 1];
    let places = k - row.filter((d) => d < (1 - TIE) * last).length;
    const taken = (d: number) => d < (1 - TIE) * last || (d <= (1 + TIE) * last && places-- > 0);
    return Array.from(row.keys()).filter((j) => taken(row[j]));
  });
}

/** Join i and j if one is a neighbour of the other. */
export function symmetricGraph(neighbors: number[][]): Graph {
  const joined = neighbors.map((near) => new Set(near));
  neighbors.forEach((near, i) => near.forEach((j) => joined[j].add(i)));
  return joined.map((near) => Array.from(near).sort((a, b) => a - b));
}

/** Return the objects of each connected component of a graph. */
export function components(graph: Graph) {
  const seen = new Set();
  return graph.flatMap((_, first) => {
    if (seen.has(first)) return [];
    const members = [first];
    seen.add(first);
    for (const i of members) {
      for (const j of graph[i]) {
        if (!seen.has(j)) members.push(j);
        seen.add(j);
      }
    }
    return [members.sort((a, b) => a - b)];
  });
}

/** Return the lengths of the shortest paths (Floyd-Warshall), infinite between components. */
export function shortestPaths(graph: Graph, D: Matrix, n: number): Matrix {
  const paths = new Float64Array(n * n).fill(Infinity);
  graph.forEach((near, i) => {
    paths[i * n + i] = 0;
    for (const j of near) paths[i * n + j] = D[i * n + j];
  });
  for (let through = 0; through < n; through++) {
    for (let i = 0; i < n; i++) {
      const first = paths[i * n + through];
      if (first === Infinity) continue;
      for (let j = 0; j < n; j++) {
        const length = first + paths[through * n + j];
        if (length < paths[i * n + j]) paths[i * n + j] = length;
      }
    }
  }
  return paths;
}

/** Return the smallest number of neighbours above k for which the graph is connected. */
export function joiningCount(D: Matrix, n: number, k: number): number {
  let [low, high] = [k, n - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const joined = components(symmetricGraph(nearestNeighbors(D, n, middle))).length === 1;
    [low, high] = joined ? [low, middle] : [middle, high];
  }
  return high;
}

/** Say that a graph is not connected, and that `joins` neighbours would connect it. */
export function disconnectedMessage(parts: number[][], k: number, joins: number): string {
  const [first, second, ...others] = parts.sort((a, b) => b.length - a.length);
  const sizes = [first, second, ...others.slice(0, 3)].map((part) => part.length).join(", ");
  return (
    `The neighbour graph with n_neighbors = ${k} falls into ${parts.length} components, of ` +
    `sizes ${sizes}${others.length > 3 ? ", ..." : ""}; object ${first[0]} is in the ` +
    `first, object ${second[0]} in the second. n_neighbors = ${joins} is the smallest that ` +
    "joins them; or embed each on its own."
  );
}
