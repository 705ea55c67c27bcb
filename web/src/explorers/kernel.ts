// Chapters 6 and 7: a kernel, its matrix and spectrum, and a component of kernel PCA.

import { kernelMatrix } from "../core/kernels.ts";
import { columnOf, largestModulus, type Matrix } from "../core/matrix.ts";
import { spectrumPanel } from "../ui/charts.ts";
import type { Explorer, Model, Panel, Part, RenderProps, Validators } from "../ui/state.ts";
import { createExplorer, writeExplorerHtml } from "../ui/state.ts";
import { setText, text } from "../ui/text.ts";
import { isListOf, isOneOf, isWhole, isWithin } from "../ui/validators.ts";
import { htmlOf } from "./kernelHtml.ts";
import type { Result, Scores, State } from "./kernelModel.ts";
import * as kernels from "./kernelModel.ts";
import type { PointsPanel } from "./kernelPanels.ts";
import { buttonPanel, matrixPanel, parameterPanel, pointsPanel } from "./kernelPanels.ts";

type Write = (name: string, words: string) => void;
type Saved = Omit<State, "show" | "last">;

/** Draw the level curves of k(., x); return the text below them. */
function drawFunction(panel: PointsPanel, { k, rows }: Result, { test }: State) {
  const x = Float64Array.from(test);
  const [values, ofItself] = [rows(x), kernelMatrix(k, x, 2)[0]];
  const size = Math.max(largestModulus(values), Math.abs(ofItself));
  panel.draw(kernelMatrix(k, panel.nodes, 2, x), size);
  return `Level curves at ¼, ½ and ¾ of the largest absolute value, ${text(size)}; dashed: negative, thick: zero.`;
}

/** Return the component in the plane and the scores, with signs that fit the previous drawing. */
function steadyScores({ fit, project }: Result, nodes: Matrix, state: State): Scores {
  const { last } = state;
  const [f, { points, axesUsed }] = [project(nodes), fit];
  const product = (c: number, g: Matrix) =>
    f.reduce((sum, v, i) => sum + (i % axesUsed === c ? v * g[i] : 0), 0);
  const steady = last?.axesUsed === axesUsed;
  state.signs = state.signs.map((sign, c) =>
    steady && c < axesUsed ? (product(c, last.f) < 0 ? -1 : 1) : sign,
  );
  const signed = (M: Matrix) => M.map((v, i) => v * state.signs[i % axesUsed]);
  return { f: signed(f), Y: signed(points), axesUsed };
}

/** Return the panel of the view "component", which draws its level curves. */
function componentPanel(panel: PointsPanel, write: Write, state: State): Panel<Result> {
  return (result) => {
    state.last = steadyScores(result, panel.nodes, state);
    const { f, Y, axesUsed } = state.last;
    const column = (M: Matrix) => columnOf(M, axesUsed, state.component - 1);
    panel.draw(column(f), state.component <= axesUsed ? largestModulus(column(Y)) : 0);
    write("field", `Component ${state.component}`);
  };
}

/** Return the panel of the views of k(., x), of which "function" hides the matrix and spectrum. */
function functionPanel(panel: PointsPanel, write: Write, part: Part, state: State): Panel<Result> {
  const [matrix, bars] = [matrixPanel(part("matrix")), spectrumPanel(part("spectrum"))];
  const kind = (_: number, value: number) => (value < 0 ? "kx-bar-minus" : "kx-bar-kept");
  return (result) => {
    write("read", drawFunction(panel, result, state));
    write("field", "Similarity to x");
    bars(result.values, "K", kind, result.scale);
    matrix(result, state.chosen);
    write("formula", `k(x, y) = ${kernels.FAMILIES[state.kernel.name][2](state.kernel)}`);
    const ends = [text(result.values[0]), text(result.values[result.n - 1], 3)];
    write("values", `The largest is ${ends[0]}, the smallest ${ends[1]}.`);
  };
}

function viewOf(part: Part, state: State, explorer: Explorer): Panel<Result> {
  const write: Write = (name, words) => setText(part(name), words);
  const panel = pointsPanel(part("points"), state, explorer);
  const draw =
    state.show === "component"
      ? componentPanel(panel, write, state)
      : functionPanel(panel, write, part, state);
  const parameters = parameterPanel(part("parameters"), state, explorer);
  return (result) => {
    parameters();
    panel.drawPoints();
    draw(result);
  };
}

/** Return the validators of the traits; points and groups are accepted together or not at all. */
function validatorsFor(model: Model): Validators<Saved> {
  const isPoint = isWithin(kernels.MAX_COORDINATES);
  const areValid = () => {
    const [points, groups] = [model.get<unknown[]>("points"), model.get("groups")];
    return (
      isListOf(isPoint, kernels.FEWEST, kernels.MOST)(points) &&
      isListOf(isWhole(0, 2), points.length, points.length)(groups)
    );
  };
  return {
    points: areValid,
    groups: areValid,
    kernel: kernels.cleanKernel,
    component: isWhole(1, kernels.COMPONENTS),
    test: isPoint,
    chosen: (value, { points }) => areValid() && isWhole(0, points.length - 1)(value),
    signs: isListOf(isOneOf(1, -1), kernels.COMPONENTS, kernels.COMPONENTS),
  };
}

const HINTS = {
  component: "Drag a point, choose a component, or move the slider of θ.",
  definiteness: "Drag a point or x, or choose another function.",
  function: "Drag x, or choose another function.",
};

function verdictOf(result: Result, state: State) {
  if (state.show === "component") return kernels.componentVerdict(result, state);
  if (state.show === "function") return kernels.functionVerdict(result, state);
  return kernels.definitenessVerdict(result);
}

function render({ model, el }: RenderProps) {
  const show: State["show"] = model.get("show");
  const part = writeExplorerHtml(el, htmlOf(show), "kernel", show);
  const [state, explorer] = createExplorer<State, Result, Saved>({
    model,
    el,
    validators: validatorsFor(model),
    unsavedFields: { show, last: null },
    loaded(state) {
      state.kernel = kernels.cleanKernel(state.kernel) ?? state.kernel;
      state.last = null;
    },
    result: kernels.resultOf,
    hint: HINTS[show],
    verdict: verdictOf,
  });
  return explorer.start([
    viewOf(part, state, explorer),
    buttonPanel(el, state, explorer, model.get("presets")),
  ]);
}

export default { render, linksOmit: ["show", "presets"] };
