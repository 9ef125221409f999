"""LaTeX of the theory as MathML, which browsers draw by themselves: the commands that docs/theory uses.

What is not known is an error with the formula, never left out."""
import html
import re

GREEK = dict(
    zip(
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma "
        "tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ell partial "
        "nabla infty emptyset".split(),
        "αβγδϵεζηθϑικλμνξπρστυϕφχψωΓΔΘΛΞΠΣΦΨΩℓ∂∇∞∅",
    )
)
OPERATORS = {
    "cdot": "·", "le": "≤", "ge": "≥", "ne": "≠", "neq": "≠", "times": "×", "leftarrow": "←", "in": "∈",
    "perp": "⊥", "otimes": "⊗", "Rightarrow": "⇒", "iff": "⟺", "to": "→", "sim": "∼", "pm": "±", "approx": "≈",
    "cap": "∩", "dots": "…", "circ": "∘", "Longleftrightarrow": "⟺", "backslash": "\\", "|": "‖", "{": "{",
    "}": "}", "_": "_", "#": "#", "ll": "≪", "gg": "≫", "propto": "∝", "equiv": "≡", "cup": "∪", "setminus": "∖", "subset": "⊂",
    "notin": "∉", "forall": "∀", "exists": "∃", "wedge": "∧", "vee": "∨", "mapsto": "↦", "oplus": "⊕", "mid": "∣",
    "parallel": "∥", "langle": "⟨", "rangle": "⟩", "ldots": "…", "leq": "≤", "geq": "≥", "%": "%", "&": "&",
}
LARGE = {"sum": "∑", "int": "∫", "prod": "∏", "bigcap": "⋂", "bigcup": "⋃"}
FUNCTIONS = "max min ln exp log arg tan cos sin det dim sup inf lim sinh cosh tanh ker".split()
ACCENTS = {"bar": "¯", "tilde": "~", "hat": "^", "dot": "˙", "ddot": "¨", "vec": "→", "overline": "‾"}
SPACES = {",": 0.17, ";": 0.28, "quad": 1.0, "qquad": 2.0, " ": 0.33, "!": -0.17}
TEXTS = {"text": "normal", "textrm": "normal", "mathrm": "normal", "texttt": "monospace"}
ENDS = {"pmatrix": ("(", ")"), "cases": ("{", ""), "array": ("", ""), "aligned": ("", "")}
TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[{}^_&]|\d+(?:\.\d+)?|[a-zA-Z]|\s+|.", re.S)


class MathError(ValueError):
    pass


def text_of(kind, text):
    style = ' mathvariant="monospace"' if kind == "texttt" else ""
    return f"<mtext{style}>{html.escape(text)}</mtext>"


def row(items):
    return items[0] if len(items) == 1 else f"<mrow>{''.join(items)}</mrow>"


class Parser:
    def __init__(self, source):
        self.source = source
        self.tokens = [t for t in TOKEN.findall(source)]
        self.at = 0
        self.numbers = []

    def fail(self, what):
        raise MathError(f"{what} in formula: {self.source.strip()}")

    def peek(self):
        while self.at < len(self.tokens) and self.tokens[self.at].isspace():
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self):
        token = self.peek()
        if token is None:
            self.fail("it ends too early")
        self.at += 1
        return token

    def verbatim(self):
        """The text of a group, as it stands."""
        if self.take() != "{":
            self.fail("a group is missing")
        depth, out = 1, ""
        while depth:
            if self.at == len(self.tokens):
                self.fail("a group is not closed")
            token = self.tokens[self.at]
            self.at += 1
            depth += (token == "{") - (token == "}")
            out += token if depth else ""
        return re.sub(r"\\(.)", r"\1", out)

    def group(self):
        """One group, or one item, without what may stand above or below it."""
        if self.peek() == "{":
            self.at += 1
            return row(self.items({"}"}) or ["<mrow></mrow>"])
        if self.tokens[self.at][0].isdigit():  # of 12 the first digit alone
            token = self.tokens[self.at]
            self.tokens[self.at : self.at + 1] = [token[0], *([token[1:]] if token[1:] else [])]
        return self.item()

    def items(self, ends):
        """Items up to one of `ends`, which is taken; None stands for the end of the formula."""
        out = []
        while True:
            token = self.peek()
            if token is None:
                if None in ends:
                    return out
                self.fail(f"'{' or '.join(ends)}' is missing")
            if token in ends:
                self.at += 1
                self.ended = token
                return out
            out.append(self.scripted())

    def scripted(self):
        base = self.item()
        is_large = any(f">{sign}</mo>" in base for sign in LARGE.values()) or base.startswith("<mo data-limits")
        below = above = None
        while self.peek() in ("_", "^") or self.peek() == "'":
            token = self.take()
            if token == "'":
                above = f"<mrow><mo>′</mo>{above or ''}</mrow>"
            elif token == "_":
                below = self.group()
            else:
                above = self.group() if above is None else f"<mrow>{above}{self.group()}</mrow>"
        under = ("munder", "mover", "munderover") if is_large else ("msub", "msup", "msubsup")
        if below and above:
            return f"<{under[2]}>{base}{below}{above}</{under[2]}>"
        if below or above:
            tag = under[0] if below else under[1]
            return f"<{tag}>{base}{below or above}</{tag}>"
        return base

    def item(self):
        token = self.take()
        if token == "{":
            return row(self.items({"}"}) or ["<mrow></mrow>"])
        if token.startswith("\\"):
            return self.command(token[1:])
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        if token.isalpha():
            return f"<mi>{token}</mi>"
        sign = {"-": "−", "*": "∗"}.get(token, token)
        # A bar or a bracket that is not sized by \left keeps its size.
        fixed = ' stretchy="false"' if token in "()[]|" else ""
        return f"<mo{fixed}>{html.escape(sign)}</mo>"

    def command(self, name):
        if name in GREEK:
            return f"<mi>{GREEK[name]}</mi>"
        if name in OPERATORS:
            fixed = ' stretchy="false"' if name in "{}|" else ""
            return f"<mo{fixed}>{html.escape(OPERATORS[name])}</mo>"
        if name in LARGE:
            return f"<mo>{LARGE[name]}</mo>"
        if name in FUNCTIONS:
            limits = " data-limits=\"1\"" if name in ("max", "min", "sup", "inf", "lim", "arg") else ""
            return f'<mo{limits} form="prefix" lspace="0.1em" rspace="0.15em">{name}</mo>'
        if name in SPACES:
            return f'<mspace width="{SPACES[name]}em"></mspace>'
        if name in TEXTS:
            return text_of(name, self.verbatim())
        if name in ("frac", "tfrac"):
            style = ' displaystyle="false"' if name == "tfrac" else ""
            return f"<mstyle{style}><mfrac>{self.group()}{self.group()}</mfrac></mstyle>"
        if name == "sqrt":
            return f"<msqrt>{self.group()}</msqrt>"
        if name in ACCENTS:
            return f'<mover accent="true">{self.group()}<mo>{ACCENTS[name]}</mo></mover>'
        if name == "left":
            return self.brackets()
        if name in ("big", "Big"):
            size = {"big": "1.2em", "Big": "1.6em"}[name]
            return f'<mo minsize="{size}" maxsize="{size}">{html.escape(self.delimiter())}</mo>'
        if name == "begin":
            return self.table(self.verbatim())
        if name == "tag":
            self.numbers.append(self.verbatim())
            return ""
        if name == "textstyle":
            return ""
        return self.fail(f"unknown command \\{name}")

    def delimiter(self):
        token = self.take()
        known = {"\\{": "{", "\\}": "}", "\\|": "‖", ".": ""}
        return known.get(token, token)

    def brackets(self):
        first = self.delimiter()
        inner = row(self.items({"\\right"}) or ["<mrow></mrow>"])
        last = self.delimiter()
        sides = [f'<mo stretchy="true">{html.escape(side)}</mo>' if side else "" for side in (first, last)]
        return f"<mrow>{sides[0]}{inner}{sides[1]}</mrow>"

    def table(self, kind):
        if kind not in ENDS:
            self.fail(f"unknown environment {kind}")
        if kind == "array":
            self.verbatim()
        rows, cells = [], []
        while True:
            items = self.items({"&", "\\\\", "\\end"})
            cells.append(f"<mtd>{''.join(items)}</mtd>")
            if self.ended != "&":
                rows.append(f"<mtr>{''.join(cells)}</mtr>")
                cells = []
            if self.ended == "\\end":
                break
        if self.verbatim() != kind:
            self.fail(f"{kind} is not closed")
        align = {"cases": "left", "aligned": "right left right left"}.get(kind, "center")
        style = ' displaystyle="true"' if kind == "aligned" else ""
        table = f'<mtable columnalign="{align}" class="{kind}"{style}>{"".join(rows)}</mtable>'
        sides = [f'<mo stretchy="true">{side}</mo>' if side else "" for side in ENDS[kind]]
        return f"<mrow>{sides[0]}{table}{sides[1]}</mrow>"


def formula(source):
    """A displayed formula: (MathML, its numbers)."""
    parser = Parser(source)
    body = "".join(parser.items({None}))
    return f'<math display="block"><mrow>{body}</mrow></math>', parser.numbers
