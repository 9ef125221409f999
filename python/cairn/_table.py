"""Tables: columns by name, as numpy arrays, that pandas takes as they are."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._native import BadInput, nearest


class Table(dict):
    """Columns by name, all of one length: table["x"] is an array. `pandas.DataFrame(table)` works, and so does .dataframe()."""

    def __len__(self) -> int:
        return len(next(iter(self.values()))) if super().__len__() else 0

    def __bool__(self) -> bool:
        return super().__len__() > 0

    def __missing__(self, name: object) -> np.ndarray:
        raise BadInput(f"the table has no column {name!r}{nearest(name, self) or '; there are ' + ', '.join(self)}")

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self)}>"

    def dataframe(self, index: str | None = None) -> Any:
        """A pandas.DataFrame, with the column `index` as its index."""
        try:
            import pandas
        except ImportError:
            raise ImportError("a DataFrame needs pandas (python3-pandas in Debian); "
                              "the columns of a table are numpy arrays without it") from None
        made = pandas.DataFrame(dict(self))
        return made if index is None else made.set_index(index)

    def _repr_html_(self) -> str:
        """What a notebook shows: the first and last rows."""
        rows = list(range(len(self)))
        shown = rows if len(rows) <= 20 else rows[:10] + rows[-10:]
        head = "".join(f"<th>{name}</th>" for name in self)
        body = "".join("<tr>" + f"<td>{k}</td>" + "".join(f"<td>{c[k]}</td>" for c in self.values()) + "</tr>" for k in shown)
        return f"<table><tr><th></th>{head}</tr>{body}</table><p>{len(rows)} rows</p>"


def parse(csv: str) -> Table:
    """A comma separated text with a header; columns that are not all numbers are text."""
    import csv as reader
    rows = [row for row in reader.reader(csv.splitlines()) if row]
    made = Table()
    for k, name in enumerate(rows[0]):
        column = [row[k] for row in rows[1:]]
        try:
            made[name] = np.array([float(x) if x != "" else np.nan for x in column])
        except ValueError:
            made[name] = np.array(column, dtype=object)
    return made


def flat(records: np.ndarray) -> Table:
    """A structured array as a table: members that are vectors become columns NAME_x, NAME_y, ... or NAME_0, ..."""
    made = Table()
    for name in records.dtype.names:
        column = records[name]
        if column.ndim == 1:
            made[name] = column
            continue
        marks = {"r": "nts", "u": "nts", "u_before": "nts", "point": "xyz", "normal": "xyz"}.get(name)
        for k in range(column.shape[1]):
            made[f"{name}_{marks[k] if marks else k}"] = column[:, k]
    return made


def stacked(tables: list[Table]) -> Table:
    """Tables with the same columns, one below the other."""
    names = list(tables[0]) if tables else []
    return Table((name, np.concatenate([table[name] for table in tables])) for name in names)
