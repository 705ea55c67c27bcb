"""Formulas as plain text, for places that cannot show them: search results, descriptions."""

import re

LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "varepsilon": "ε",
    "epsilon": "ε", "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "Lambda": "Λ",
    "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "Sigma": "Σ",
    "tau": "τ", "phi": "φ", "varphi": "φ", "Phi": "Φ", "psi": "ψ", "omega": "ω", "Omega": "Ω",
    "ell": "ℓ",
    "times": "×", "cdot": "·", "le": "≤", "ge": "≥", "ne": "≠", "neq": "≠", "approx": "≈",
    "equiv": "≡", "in": "∈", "to": "→", "infty": "∞", "sum": "∑", "prod": "∏", "int": "∫",
    "partial": "∂", "nabla": "∇", "top": "ᵀ", "lVert": "‖", "rVert": "‖", "lvert": "|",
    "rvert": "|", "langle": "⟨", "rangle": "⟩", "dots": "…", "ldots": "…", "cdots": "…",
    "perp": "⊥", "circ": "∘", "odot": "⊙", "otimes": "⊗", "oplus": "⊕", "mid": "|", "pm": "±",
    "succeq": "⪰", "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩", "sim": "~",
    "propto": "∝", "mapsto": "↦", "iff": "⇔", "implies": "⇒", "star": "*", "ast": "*",
    "quad": " ", "qquad": " ",
}  # fmt: skip
NAMES = {"log", "exp", "min", "max", "det", "sin", "cos", "tan", "cot", "lim", "sup", "inf", "arg"}
BELOW = dict(zip("0123456789ijknpmxt+-", "₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₚₘₓₜ₊₋", strict=True))
ABOVE = dict(zip("0123456789nkpT+-ᵀ()", "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿᵏᵖᵀ⁺⁻ᵀ⁽⁾", strict=True))
WRAPPED = re.compile(
    r"\\(?:text|operatorname\*?|math\w+|boldsymbol|bar|hat|tilde|big|Big)\s*\{([^{}]*)\}"
)
FRACTION = re.compile(r"\\[td]?frac\s*(?:\{([^{}]*)\}|(\w))\s*(?:\{([^{}]*)\}|(\w))")
SCRIPT = re.compile(r"([_^])(?:\{([^{}]*)\}|([^\s(]))")


def fraction(match):
    """Write a fraction with a slash."""
    above, below = match[1] or match[2] or "", match[3] or match[4] or ""
    return "/".join(part if len(part) == 1 else f"({part})" for part in (above, below))


def script(match):
    """Write an index or a power with raised or lowered signs, where there are some."""
    signs = BELOW if match[1] == "_" else ABOVE
    inner = (match[2] if match[2] is not None else match[3]).strip()
    if all(sign in signs for sign in inner):
        return "".join(signs[sign] for sign in inner)
    return match[1] + (inner if len(inner) == 1 else f"({inner})")


def plain_tex(tex):
    """Return a formula as text that a person can read."""
    text, before = re.sub(r"\\(begin|end|label|tag)\{[^{}]*\}", " ", tex), None
    text = re.sub(r"\\([A-Za-z]+)", lambda m: LETTERS.get(m[1], m[0]), text.replace(r"\|", "‖"))
    while text != before:
        before = text
        text = FRACTION.sub(fraction, WRAPPED.sub(r"\1", text))
        text = SCRIPT.sub(script, text)
    text = re.sub(r"\\sqrt\s*\{([^{}]*)\}", r"√(\1)", text)
    text = re.sub(r"\\sqrt\s*", "√", text)
    text = re.sub(r"\\([A-Za-z]+)", lambda m: m[1] if m[1] in NAMES else " ", text)
    text = re.sub(r"\\[,;:!]|\\\\|[{}&~]", " ", text).replace("\\", "")
    return " ".join(text.split())
