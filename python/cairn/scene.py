"""Scenes: the same keys as the YAML files, as keyword arguments or items."""
from __future__ import annotations

import inspect
import json
import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _yaml
from ._native import Error, Raised, check, dtype_of, ffi, lib, nearest, record, text
from ._progress import Bar
from ._signals import is_interrupt_alone, signal_flag
from .law import raised as law_raised
from .world import World


class Scene(dict):
    """A scene. Keys are those of docs/scene.md: Scene(dimension=2, bodies={...}, stages=[...]).

    A loaded scene is the same dictionary as one built by hand: s["stages"][0]["duration"] = 2.0. Files that it names
    are found from the folder of the file. `params` given to check, run and build override those of the scene."""

    def __init__(self, *args, **keys):
        super().__init__(*args, **keys)
        self.setdefault("cairn", 1)
        self._name, self._text, self._written = "scene", "", ""  # as it was read

    def __getattr__(self, name: str) -> Any:
        if name in self:
            raise AttributeError(f"a scene is a dictionary: scene[{name!r}]")
        raise AttributeError(f"a scene has neither an attribute nor a key {name!r}{nearest(name, self)}")

    def __repr__(self) -> str:
        title = f"{self['title']!r}, " if "title" in self else ""
        count = lambda key, one, many: f"{len(self.get(key) or ())} {one if len(self.get(key) or ()) == 1 else many}"
        return (f"<Scene {title}{self.get('dimension', 2)}D, {count('bodies', 'entry', 'entries')} of bodies, "
                f"{count('stages', 'stage', 'stages')}>")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scene:
        """A scene file."""
        with open(path, encoding="utf-8") as file:
            return cls.parse(file.read(), str(path))

    @classmethod
    def parse(cls, yaml: str, name: str = "scene") -> Scene:
        """The text of a scene file; files that it names are found from `name`."""
        told, raised, err, data = [], Raised(), ffi.new("cn_error *"), yaml.encode()
        tell = raised.callback("cn_tell", lambda _, line: told.append(text(line)))
        status = lib.cn_scene_json(name.encode(), data, len(data), tell, ffi.NULL, err)
        raised.check()
        check(status, err, told)
        made = cls(json.loads("".join(told)))
        made._name, made._text, made._written = name, yaml, _yaml.dump(made)
        return made

    def yaml(self) -> str:
        """The equivalent scene file: as it was read, with its comments, as long as nothing was changed."""
        if self._written == _yaml.dump(self):
            return self._text
        first = ["cairn", "title", "dimension"]
        ordered = {k: self[k] for k in first if k in self}
        ordered.update((k, v) for k, v in self.items() if k not in ordered)
        return _yaml.dump(ordered)

    def save(self, path: str | os.PathLike[str]) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.yaml())

    def _compile(self, params):
        told, raised = [], Raised()
        tell = raised.callback("cn_tell", lambda _, line: told.append(text(line)))
        yaml = self.yaml()
        name, data = self._name + (" (changed)" if self._text and yaml != self._text else ""), yaml.encode()
        words = [ffi.new("char[]", f"{k}={_yaml.scalar(v)}".encode()) for k, v in params.items()]
        define = ffi.new("const char *[]", words)
        scene, err = ffi.new("cn_scene **"), ffi.new("cn_error *")
        path, body = ffi.new("char[]", name.encode()), ffi.new("char[]", data)
        source = ffi.new("cn_scene_source *", {"name": path, "text": body, "length": len(data), "define": define,
                                               "define_count": len(words)})
        status = lib.cn_scene_read(source, tell, ffi.NULL, scene, err)
        made = ffi.gc(scene[0], lib.cn_scene_destroy)
        raised.check()
        check(status, err, [*told, *_misspelt(told, params)])
        return made

    def check(self, **params: float) -> list[str]:
        """What `cairn check` says, as lines. Raises BadInput if the scene makes no sense."""
        scene, told, raised, err = self._compile(params), [], Raised(), ffi.new("cn_error *")
        tell = raised.callback("cn_tell", lambda _, line: told.append(text(line)))
        status = lib.cn_scene_check(scene, tell, ffi.NULL, err)
        raised.check()
        check(status, err, told)
        return told

    def build(self, threads: int = 1, **params: float) -> World:
        """The world of the scene at its start. Its stages (loads, stops) are for `run`."""
        scene, world, err = self._compile(params), ffi.new("cn_world **"), ffi.new("cn_error *")
        check(lib.cn_scene_build(scene, threads, world, err), err)
        return World._own(world[0])

    def run(self, result: str | os.PathLike[str] | None = None, checkpoint: str | os.PathLike[str] | None = None,
            restart: str | os.PathLike[str] | None = None, until: float = math.inf, step: float = 0.0, threads: int = 1,
            strict: bool = False, stop: Callable[[dict[str, Any]], object] | None = None,
            progress: bool = False, **params: float) -> dict[str, Any]:
        """Runs all stages and returns the report as a dict. step > 0: length of steps in place of the scene's [s].
        progress: a bar of the simulated time (tqdm's if it is installed).

        stop(progress) is called after every step with a dict (stage, time, step, residual, penetration,
        energy_error, kinetic); a true answer ends the run, which then raises Stopped. Ctrl-C drops the step under way,
        writes the checkpoint and raises KeyboardInterrupt."""
        scene = self._compile(params)
        definition = ffi.new("cn_run_def *", lib.cn_run_def_default())
        keep = []
        for key, path in (("result_path", result), ("checkpoint_path", checkpoint), ("restart_path", restart)):
            if path is not None:
                keep.append(ffi.new("char[]", str(path).encode()))
                setattr(definition, key, keep[-1])
        definition.until, definition.step = until, step
        definition.threads, definition.is_strict = threads, strict
        raised, answers_signals = Raised(), is_interrupt_alone()

        bar = Bar() if progress else None

        def after_step(_, p):
            c, ledger = p.certificate, p.ledger
            if bar is not None:
                bar.show(c.time, p.time_end, c.contact_count, p.nonconverged_steps)
            return stop is None or not stop({"stage": text(p.stage), "time": c.time, "step": c.step, "contacts": c.contact_count,
                             "residual": c.solver.residual.err_v, "penetration": c.penetration,
                             "energy_error": ledger.error_max, "kinetic": ledger.kinetic})

        if stop is None and not answers_signals:  # handlers run whenever the interpreter does: after every step
            stop = lambda _: False
        if stop is not None or bar is not None:
            keep.append(raised.callback("bool(void *, const cn_progress *)", after_step, error=False))
            definition.progress = keep[-1]
        report, err = ffi.new("cn_run_report *"), ffi.new("cn_error *")
        try:
            with signal_flag(answers_signals) as definition.stop:
                status = lib.cn_scene_run(scene, definition, report, err)
        finally:
            if bar is not None:
                bar.close()
        raised.check()
        law_raised.check()
        check(status, err)
        return {"steps": report.steps, "nonconverged_steps": report.nonconverged_steps, "sweeps": report.sweeps,
                "time": report.time, "wall_seconds": report.wall_seconds, "residual_max": report.residual_max,
                "penetration_max": report.penetration_max, "energy_error": report.energy_error,
                "missed": text(report.missed), "state_hash": f"{report.state_hash:016x}", "outcome": text(report.outcome)}

    def limit(self, result: str | os.PathLike[str] | None = None, state: str | os.PathLike[str] | None = None,
              frame: int = -1, gap: float | None = None, **params: float) -> list[dict[str, Any]]:
        """What `cairn limit` finds: a dict for the dead load, then one for each load under `limit`.

        `result` is the file of forces and mechanism, with {} where the name of the load goes if there are several;
        `state` a result of a run whose `frame` is analysed. Arrays r [N] and u [m/s] belong to `points`."""
        scene, raised, err, told = self._compile(params), Raised(), ffi.new("cn_error *"), []
        path = ffi.NULL if state is None else ffi.new("char[]", str(state).encode())
        tell = raised.callback("cn_tell", lambda _, line: told.append(text(line)))
        definition = ffi.new("cn_limit_model_def *", {"result": path, "frame": frame, "told": tell})
        model = ffi.new("cn_limit_model **")
        status = lib.cn_limit_model_create(scene, definition, model, err)
        raised.check()
        check(status, err, told)
        model = ffi.gc(model[0], lib.cn_limit_model_destroy)
        how = ffi.new("cn_limit_def *", lib.cn_limit_def_default())
        answers = []
        for k in range(-1, lib.cn_limit_model_count(model)):
            how.gap = lib.cn_limit_model_gap(model, k) if gap is None else gap
            answer = ffi.new("cn_limit_answer **")
            check(lib.cn_limit_model_solve(model, k, how, answer, err), err)
            answer = ffi.gc(answer[0], lib.cn_limit_answer_destroy)
            answers.append(_answer(answer))
            if k >= 0 and result is not None:
                name = str(result).replace("{}", answers[-1]["name"]).encode()
                check(lib.cn_limit_write(model, answer, name, b"python", err), err)
        return answers


    def spread(self, runs: int = 10, last_step: bool = False, seed: int = 1, threads: int = 1,
               **params: float) -> dict[str, Any]:
        """`cairn spread`: solves the scene in so many random orders and tells how far forces differ. `contacts` is a
        structured array (body, point, normal, normal_force and tangent_force with mean, least, most, deviation); the
        ranges are lower bounds. last_step: only the last step is solved again."""
        scene, err, spread = self._compile(params), ffi.new("cn_error *"), ffi.new("cn_spread **")
        definition = ffi.new("cn_spread_def *", lib.cn_spread_def_default())
        definition.run_count, definition.seed, definition.is_last_step = runs, seed, last_step
        definition.threads = threads
        check(lib.cn_spread_measure(scene, definition, spread, err), err)
        found = ffi.gc(spread[0], lib.cn_spread_destroy)
        data = bytes(ffi.buffer(found.contact, found.contact_count * ffi.sizeof("cn_spread_contact"))) \
            if found.contact_count > 0 else b""
        return {"runs": found.run_count, "nonconverged": found.nonconverged_count, "time": found.time,
                "residual_max": found.residual_max, "force_scale": found.force_scale,
                "contacts": np.frombuffer(data, dtype_of("cn_spread_contact")),
                "series": {text(found.series[k].name): record(found.series[k].value, "cn_range")
                           for k in range(found.series_count)}}


def _misspelt(told, params):
    """Keywords of run and the like that params which nobody declares may stand for."""
    known = {key for call in (Scene.run, Scene.build, Scene.limit, Scene.spread)
             for key in inspect.signature(call).parameters} - {"self", "params"}
    return [f"'{key}' is taken for a param, as all other keywords are{nearest(key, known)}" for key in params
            if nearest(key, known) and any(f"unknown param '{key}'" in line for line in told)]


def _answer(answer):
    """A cn_limit_answer as a dict."""
    limit, contacts = answer.limit, range(answer.limit.contact_count)
    rows = {"points": "point", "normals": "normal", "r": "r", "u": "u"}
    return {"name": text(answer.name), "outcome": text(lib.cn_limit_outcome_name(limit.outcome)),
            "lower": limit.lower, "upper": limit.upper, "gap": limit.gap,
            "imbalance": limit.check.imbalance, "sink": limit.check.sink, "weight": answer.weight,
            "iterations": limit.iteration_count, "close": answer.close,
            **{key: np.array([list(getattr(answer.contact[a], name)) for a in contacts]) for key, name in rows.items()}}


def starter(name: str) -> Scene:
    """A scene of `cairn new`, by name."""
    found = lib.cn_starter_text(name.encode())
    if found == ffi.NULL:
        raise Error(f"there is no starter '{name}'{nearest(name, starters())}; there are {', '.join(starters())}")
    return Scene.parse(text(found), name + ".yaml")


def starters() -> list[str]:
    """Names of the scenes of `cairn new`."""
    names, k = lib.cn_starter_names(), 0
    while names[k] != ffi.NULL:
        k += 1
    return [text(names[n]) for n in range(k)]
