"""Descent from every start: quasi-Newton steps, and the Guttman transform where they fail."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from kmds_lib._checks import FloatArray, check_count, check_number, warn_caller
from kmds_lib._embedding import NotConvergedWarning
from kmds_lib._fast.stress import State, Stress
from kmds_lib._progress import progress

Memory: TypeAlias = "deque[tuple[FloatArray, FloatArray]]"

_MEMORY = 8
"""Pairs of moves and changes of slope that the quasi-Newton direction remembers."""
_ARMIJO = 1e-4
"""Part of the fall that the slope promises, less than which sends a step back."""
_NUDGE = 1e-3, 1e-2
"""Least and largest nudge of an end, as a part of its size; in between it is ten times `tol`. Of
28 saddles of random tables 1e-3 left all, 1e-4 27, 1e-5 10."""
_CLEARLY = 1e-3
"""Part of the loss that a nudge must take. Ends that are minima lost at most 1e-6 of it."""


class Descent(NamedTuple):
    """Where a start ended: the state, the loss after each step, and how it came to rest."""

    state: State
    history: list[float]
    converged: bool
    nudged: bool = False


def descents(
    stress: Stress, starts: Iterator[FloatArray], n_init: int, max_iter: int, tol: float
) -> list[Descent]:
    """Descend from every start; warn if the lowest end was reached by the last step allowed."""
    n_init, max_iter = check_count(n_init, "n_init"), check_count(max_iter, "max_iter")
    tol = check_number(tol, "tol", positive=True)
    shown = starts if n_init == 1 else progress(starts, n_init, "starts")
    ends = [settle(stress, X, max_iter, tol) for X in shown]
    if not min(ends, key=lambda end: end.state.loss).converged:
        warn_caller(
            f"Stopped after {max_iter} steps, before the points came to rest. Give a larger "
            "max_iter, or a larger tol if that is near enough.",
            NotConvergedWarning,
        )
    return ends


def settle(stress: Stress, X: FloatArray, max_iter: int, tol: float) -> Descent:
    """Descend, and once more from beside the end: a saddle is left, a minimum mostly stays.

    The second end counts where it is clearly lower, the first if not.
    """
    end = descend(stress, X, max_iter, tol)
    points, loss = end.state.points, end.state.loss
    left, perfect = max_iter + 1 - len(end.history), tol**2 * stress.table.size
    if not (end.converged and left and loss > perfect):
        return end
    noise = np.random.default_rng(0).standard_normal(points.shape)
    size = min(max(10 * tol, _NUDGE[0]), _NUDGE[1]) * np.linalg.norm(points)
    again = descend(stress, points + size / np.linalg.norm(noise) * noise, left, tol)
    if loss - again.state.loss <= _CLEARLY * loss + 100 * perfect:
        return end
    lower = [value for value in again.history[1:] if value < loss]
    return Descent(again.state, end.history + lower, again.converged, nudged=True)


def descend(stress: Stress, X: FloatArray, max_iter: int, tol: float) -> Descent:
    """Step down until the Guttman transform moves the points by no more than `tol`.

    That is a part of the size of the points; a stress-1 of `tol` is at rest too.
    """
    state = stress.at(X)
    history = [state.loss]
    memory: Memory = deque(maxlen=_MEMORY)
    while True:
        guttman = stress.guttman_step(state.slope)
        still = np.linalg.norm(guttman) <= tol * np.linalg.norm(state.points)
        rests = bool(still or state.loss <= tol**2 * stress.table.size)
        if rests or len(history) > max_iter:
            return Descent(state, history, rests)
        new = _step(stress, state, guttman, memory)
        if not new.loss < state.loss:
            # Majorisation rules out a rise, so that only rounding is left.
            return Descent(state, history, True)
        move, change = new.points - state.points, new.slope - state.slope
        if np.vdot(move, change) > 0:
            memory.append((move, change))
        history.append(new.loss)
        state = new


def _step(stress: Stress, state: State, guttman: FloatArray, memory: Memory) -> State:
    """Take the quasi-Newton step if it lowers the loss enough, the Guttman transform if not."""
    if memory:
        direction = quasi_newton(stress, state.slope, memory)
        new = stress.at(state.points + direction)
        if new.loss < state.loss + _ARMIJO * np.vdot(state.slope, direction):
            return new
        memory.clear()
    return stress.at(state.points + guttman)


def quasi_newton(stress: Stress, slope: FloatArray, memory: Memory) -> FloatArray:
    """Return the L-BFGS direction; the estimate of the Hessian begins from that of the parabola.

    Source: Nocedal & Wright (2006), algorithm 7.4.
    """
    q, weights = slope.copy(), []
    for move, change in reversed(memory):
        weights.append(np.vdot(move, q) / np.vdot(move, change))
        q -= weights[-1] * change
    move, change = memory[-1]
    stretch = np.vdot(move, change) / np.vdot(change, stress.guttman_step(change))
    r = stretch * stress.guttman_step(q)
    for (move, change), weight in zip(memory, reversed(weights), strict=True):
        r += (weight - np.vdot(change, r) / np.vdot(move, change)) * move
    return -r
