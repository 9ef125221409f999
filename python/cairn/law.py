"""Laws that are Python functions: to try a law out before it is written in C (docs/howto/add-a-law.md)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

from ._native import BadInput, Raised, call, choice, ffi, lib, nearest

Param = Union[float, None, Mapping[str, Any]]  # a default, None: must be given, or a dict with unit, help, least, most

_KINDS = {"free": lib.CN_CORE_FREE, "cone": lib.CN_CORE_CONE, "bilateral": lib.CN_CORE_BILATERAL, "bounded": lib.CN_CORE_BOUNDED}
_FORMS = {"auto": lib.CN_FORM_AUTO, "velocity": lib.CN_FORM_VELOCITY, "displacement": lib.CN_FORM_DISPLACEMENT,
          "displacement_end": lib.CN_FORM_DISPLACEMENT_END, "quasi_inelastic": lib.CN_FORM_QUASI_INELASTIC,
          "conserving": lib.CN_FORM_CONSERVING, "ahead": lib.CN_FORM_AHEAD}
_SCALARS, _ROWS = ("mu", "mu_roll", "mu_spin", "dim"), ("b", "c", "r0", "k")
_NAN = float("nan")

_kept: list[Any] = []  # laws are never taken back: what C points to lives as long as the process
raised = Raised()      # what their functions raised; the call that made the step raises it


def _fill_core(core: Any, given: Mapping[str, Any]) -> None:
    known = ("kind", *_SCALARS, *_ROWS)
    for name, value in given.items():
        if name == "kind":
            core.kind = choice("kind", value, _KINDS)
        elif name in _SCALARS:
            setattr(core, name, value)
        elif name in _ROWS:
            for k, x in enumerate(value):
                getattr(core, name)[k] = x
        else:
            raise BadInput(f"a core has no {name!r}{nearest(name, known)}; it has {', '.join(known)}")
    if "kind" not in given:
        core.kind = lib.CN_CORE_CONE


def _fill(struct: Any, given: Mapping[str, Any], what: str) -> None:
    known = dir(struct)
    for name, value in given.items():
        if name not in known:
            raise BadInput(f"{what} has no {name!r}{nearest(name, known)}; it has {', '.join(known)}")
        setattr(struct, name, choice(name, value, _FORMS) if name == "form" else value)


def _param_table(params: Mapping[str, Param]) -> Any:
    table = ffi.new("cn_param[]", max(1, len(params)))
    _kept.append(table)
    for k, (name, given) in enumerate(params.items()):
        given = given if isinstance(given, Mapping) else {"default": given}
        known = ("default", "unit", "help", "least", "most")
        for key in given:
            if key not in known:
                raise BadInput(f"parameter {name!r} of a law has no {key!r}{nearest(key, known)}; it has {', '.join(known)}")
        table[k].name, table[k].unit, table[k].help = (_word(given.get(key, other)) for key, other in
                                                       (("name", name), ("unit", "-"), ("help", name)))
        table[k].least, table[k].most = given.get("least", -1e30), given.get("most", 1e30)
        default = given.get("default")
        table[k].fallback = _NAN if default is None else default
    return table


def _word(text: str) -> Any:
    made = ffi.new("char[]", str(text).encode())
    _kept.append(made)
    return made


def _guarded(kind: str, function: Callable, failed: Callable) -> Any:
    """`function` for C. What it raises is kept, and `failed` sees to it that the step does not count."""
    def called(*args):
        try:
            function(*args)
        except BaseException as error:  # Ctrl-C as well
            raised.append(error)
            failed(*args)
    made = ffi.callback(kind, called)
    _kept.append(made)
    return made


class _Functions:
    """The functions of one law as C calls them."""

    def __init__(self, params: Sequence[str], state_count: int):
        self.params, self.state_count = params, state_count

    def numbers(self, param: Any) -> dict[str, float]:
        return {name: param[k] for k, name in enumerate(self.params)}

    def state(self, state: Any) -> list[float]:
        return [state[k] for k in range(self.state_count)]

    def prepare(self, f: Callable) -> Any:
        def fill(param, state, contact, core):
            given = f(self.numbers(param), self.state(state), contact)
            if given is not None:
                _fill_core(core, given)

        def failed(param, state, contact, core):
            core.kind, core.mu, core.b[0] = lib.CN_CORE_CONE, _NAN, _NAN
        return _guarded("void(const double *, const double *, const cn_law_input *, cn_core *)", fill, failed)

    def commit(self, f: Callable) -> Any:
        def fill(param, state, contact, out, state_new):
            new = list(f(self.numbers(param), self.state(state), contact, out))
            if len(new) != self.state_count:
                raise BadInput(f"commit of a law with {self.state_count} states returned {len(new)}")
            for k, value in enumerate(new):
                state_new[k] = value

        def failed(param, state, contact, out, state_new):
            for k in range(self.state_count):
                state_new[k] = _NAN
        return _guarded("void(const double *, const double *, const cn_law_input *, const cn_law_output *, double *)", fill,
                        failed)

    def energy(self, f: Callable) -> Any:
        def fill(param, state, contact, out, energy):
            _fill(energy, f(self.numbers(param), self.state(state), contact, out), "the energy of a law")

        def failed(param, state, contact, out, energy):
            energy.storage = _NAN
        return _guarded("void(const double *, const double *, const cn_law_input *, const cn_law_output *, cn_law_energy *)",
                        fill, failed)

    def normal(self, f: Callable) -> Any:
        def made_of(param):
            made = ffi.new("cn_normal *")
            try:
                _fill(made, f(self.numbers(param)), "the normal row of a law")
            except BaseException as error:
                raised.append(error)
            return made[0]
        made = ffi.callback("cn_normal(const double *)", made_of)
        _kept.append(made)
        return made


def register_law(name: str, prepare: Callable[..., Mapping[str, Any] | None], params: Mapping[str, Param] | None = None,
                 states: Sequence[str] = (), commit: Callable[..., Sequence[float]] | None = None,
                 energy: Callable[..., Mapping[str, float]] | None = None,
                 normal: Callable[..., Mapping[str, Any]] | None = None, help: str = "") -> None:
    """Makes a law of functions known to scenes and worlds of this process, under the name that `type` of a law takes.

    prepare(p, state, contact) returns the core of a step as a dict (theory 4.1): kind (cone, free, bilateral, bounded), mu,
    b, c, r0, k, of which those that are left out are zero; None is a free contact. p is a dict of the parameters, state a
    list, contact has the members of cn_law_input: h, gap, shift, is_met, u_before, size, ... The list of new states is
    what commit(p, state, contact, out) returns, with r and u in `out`; energy likewise returns a dict with storage,
    viscous, ..., and normal(p) one with form, restitution, stiffness.

    params are defaults by name, None for those that must be given, or dicts with default, unit, help, least and most. The
    functions depend on their arguments alone, since steps are repeated. Each contact costs some microseconds of Python per
    step: write the law in C once it is right (docs/howto/add-a-law.md)."""
    params = dict(params or {})
    if (commit is None) != (not states):
        raise BadInput(f"law {name!r}: states and commit, which keeps them, go together")
    law, made = ffi.new("cn_law *"), _Functions(list(params), len(states))
    moments = ["moment_x", "moment_y", "moment_z"] if {"rolling", "spinning"} & set(params) else []
    labels = ffi.new("const char *[]", [_word(state) for state in [*states, *moments]] or [ffi.NULL])
    _kept.extend([law, made, labels])
    law.interface = lib.CN_LAW_INTERFACE
    law.type.name, law.type.help = _word(name), _word(help or f"law {name} of Python")
    law.type.param_count, law.type.param = len(params), _param_table(params)
    law.type.state_count, law.type.state_name = len(states), labels if states or moments else ffi.NULL
    law.prepare = made.prepare(prepare)
    law.commit = ffi.NULL if commit is None else made.commit(commit)
    law.energy = ffi.NULL if energy is None else made.energy(energy)
    law.normal = ffi.NULL if normal is None else made.normal(normal)
    call(lib.cn_law_register, law)
