// Neighbour graphs, their components and their shortest paths.

// Distances that agree to this relative gap count as equal, so that rounding chooses no one.
export const TIE = 1e-10;

/** The k nearest other objects of each: those tied for the last place in the order of the data. */
export function nearestNeighbors(D, n, k) {
  return Array.from({ length: n }, (_, i) => {
    const row = D.slice(i * n, (i + 1) * n);
    row[i] = Infinity;
    const last = row.slice().sort()[k - 1];
    let places = k - row.filter((d) => d < (1 - TIE) * last).length;
    const taken = (d) => d < (1 - TIE) * last || (d <= (1 + TIE) * last && places-- > 0);
    return Array.from(row.keys()).filter((j) => taken(row[j]));
  });
}

/** Join two objects where one is a neighbour of the other: for each, its links to others. */
export function symmetricGraph(neighbors) {
  const joined = neighbors.map((near) => new Set(near));
  neighbors.forEach((near, i) => near.forEach((j) => joined[j].add(i)));
  return joined.map((near) => Array.from(near).sort((a, b) => a - b));
}

/** The objects of each connected component of a symmetric graph. */
export function components(graph) {
  const seen = new Set();
  return graph.flatMap((_, first) => {
    if (seen.has(first)) return [];
    const found = [first];
    seen.add(first);
    for (const i of found) {
      for (const j of graph[i]) {
        if (!seen.has(j)) found.push(j);
        seen.add(j);
      }
    }
    return [found.sort((a, b) => a - b)];
  });
}

/** Lengths of the shortest paths along a graph, infinite between its components. */
export function shortestPaths(graph, D, n) {
  const paths = new Float64Array(n * n).fill(Infinity);
  for (let i = 0; i < n; i++) pathsFrom(i, graph, D, n, paths.subarray(i * n, (i + 1) * n));
  return paths;
}

/** Dijkstra's algorithm with a binary heap of [length, object]. */
function pathsFrom(source, graph, D, n, reach) {
  const [heap, done] = [[[0, source]], new Uint8Array(n)];
  reach[source] = 0;
  while (heap.length) {
    const i = popLeast(heap)[1];
    if (done[i]) continue;
    done[i] = 1;
    for (const j of graph[i]) {
      const length = reach[i] + D[i * n + j];
      if (length >= reach[j]) continue;
      reach[j] = length;
      pushOnto(heap, [length, j]);
    }
  }
}

function pushOnto(heap, item) {
  let at = heap.push(item) - 1;
  for (let above = (at - 1) >> 1; at > 0 && heap[above][0] > item[0]; above = (at - 1) >> 1) {
    heap[at] = heap[above];
    at = above;
  }
  heap[at] = item;
}

function popLeast(heap) {
  const least = heap[0];
  const item = heap.pop();
  if (!heap.length) return least;
  let at = 0;
  for (let below = 1; below < heap.length; below = 2 * at + 1) {
    if (below + 1 < heap.length && heap[below + 1][0] < heap[below][0]) below++;
    if (heap[below][0] >= item[0]) break;
    heap[at] = heap[below];
    at = below;
  }
  heap[at] = item;
  return least;
}

/** Smallest number of neighbours that joins all, above one that does not. */
export function joiningCount(D, n, k) {
  let [low, high] = [k, n - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const joined = components(symmetricGraph(nearestNeighbors(D, n, middle))).length === 1;
    [low, high] = joined ? [low, middle] : [middle, high];
  }
  return high;
}

/**
 * Why a graph has no shortest paths between all: `joins` is the smallest k that joins its parts.
 */
export function fallsApart(parts, k, joins) {
  const [first, second, ...others] = parts.sort((a, b) => b.length - a.length);
  const sizes = [first, second, ...others.slice(0, 3)].map((part) => part.length).join(", ");
  return (
    `The neighbour graph with n_neighbors = ${k} falls into ${parts.length} components, of ` +
    `sizes ${sizes}${others.length > 3 ? ", ..." : ""}; object ${first[0]} is in the ` +
    `first, object ${second[0]} in the second. n_neighbors = ${joins} is the smallest that ` +
    "joins them; or embed each on its own."
  );
}
