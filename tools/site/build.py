"""The documents as a site: python3 tools/site/build.py [FOLDER], by default build/site.

Plain HTML that opens from a disk, with a search that needs no network; nothing of others is in it. Links
that lead nowhere, names that no heading has and formulas that cannot be drawn are errors with file and
line, exit code 1."""
import html
import json
import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import markdown  # noqa: E402
import mathml  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
# What the menu shows: title, pages in order (a folder: all of its pages, by name).
MENU = [
    ("Begin", ["README.md", "docs/getting-started.md", "docs/gallery.md", "docs/faq.md", "examples/README.md", "examples/notebooks/README.md"]),
    ("For you", ["docs/for"]),
    ("How to", ["docs/howto"]),
    ("Reference", ["docs/scene.md", "docs/commands.md", "docs/formats.md", "docs/solvers.md", "docs/glossary.md", "docs/laws"]),
    ("Theory", ["docs/theory"]),
    ("Why so", ["docs/design", "validation/README.md", "src/README.md"]),
    ("About", ["CHANGELOG.md", "viewer/THIRD_PARTY.md", "tests/data/fclib/README.md", "tests/data/lmgc90/README.md"]),
]
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · cairn</title>
<link rel="stylesheet" href="{root}site.css">
</head>
<body>
<header><a class="home" href="{root}index.html">cairn</a>
<input id="search" type="search" placeholder="search  ( / )" autocomplete="off" aria-label="search"><button id="menu" aria-label="menu">☰</button></header>
<nav>{menu}</nav>
<main>
<ol id="found" hidden></ol>
<article>{body}</article>
<p class="ways">{ways}</p>
</main>
<aside>{inside}</aside>
<script>const ROOT = "{root}";</script>
<script src="{root}index.js" defer></script>
<script src="{root}site.js" defer></script>
</body>
</html>
"""


def natural(path):
    """README first, chapters by number, the rest by name."""
    number = re.match(r"(\d+)", path.name)
    return (path.name != "README.md", int(number.group(1)) if number else 0, path.name)


def listed():
    """[(title, [paths])] of the menu, without what is not there."""
    out = []
    for title, entries in MENU:
        paths = []
        for entry in entries:
            path = ROOT / entry
            paths += sorted(path.glob("*.md"), key=natural) if path.is_dir() else [path] if path.exists() else []
        out.append((title, paths))
    return out


def target_of(path):
    """Where a page goes, from the folder of the site."""
    inside = path.relative_to(ROOT)
    if str(inside) == "README.md":
        return "index.html"
    return str(inside.with_name("index.html" if inside.name == "README.md" else inside.stem + ".html"))


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.menu = listed()
        self.paths = [path for _, paths in self.menu for path in paths]
        self.faults, self.links, self.files = [], [], set()
        self.pages = {}

    def read(self):
        for path in self.paths:
            try:
                self.pages[path] = markdown.Page(path.read_text(encoding="utf-8"), self.linker(path))
            except mathml.MathError as error:
                self.faults.append(f"{path.relative_to(ROOT)}: {error}")

    def linker(self, path):
        def link(address, line):
            if re.match(r"^(https?|mailto):", address):
                return address
            name, _, anchor = address.partition("#")
            target = (path.parent / name).resolve() if name else path
            if target.is_dir():
                target = target / "README.md"
            if not target.exists() or ROOT not in target.parents:
                self.faults.append(f"{path.relative_to(ROOT)}:{line + 1}: there is no {address}")
                return address
            if target in self.paths:
                self.links.append((path, line, target, anchor))
                goal = target_of(target)
            else:
                self.files.add(target)
                goal = str(target.relative_to(ROOT))
            here = os.path.dirname(target_of(path)) or "."
            return os.path.relpath(goal, here) + (f"#{anchor}" if anchor else "")

        return link

    # Numbers of equations in the text lead to them.
    def with_numbers(self, path, text):
        def to(match):
            goal = self.equations.get(match.group(1))
            if goal is None:
                return match.group(0)
            here = os.path.dirname(target_of(path)) or "."
            return f'(<a class="eq" href="{os.path.relpath(target_of(goal), here)}#eq-{match.group(1)}">{match.group(1)}</a>)'

        parts = re.split(r"(<pre.*?</pre>|<code.*?</code>|<a .*?</a>|<math.*?</math>|<[^>]+>)", text, flags=re.S)
        return "".join(part if part.startswith("<") else re.sub(r"\((\d+\.\d+[a-z]?)\)", to, part) for part in parts)

    def check(self):
        for path, line, target, anchor in self.links:
            known = {name for _, name, _ in self.pages[target].headings} if target in self.pages else set()
            if anchor and anchor not in known:
                self.faults.append(f"{path.relative_to(ROOT)}:{line + 1}: {target.relative_to(ROOT)} has no heading #{anchor}")

    def title(self, path):
        page = self.pages[path]
        return page.title or path.stem

    def menu_of(self, path):
        here = os.path.dirname(target_of(path)) or "."
        out = []
        for title, paths in self.menu:
            rows = []
            for other in paths:
                mark = ' class="now"' if other == path else ""
                rows.append(f'<li{mark}><a href="{os.path.relpath(target_of(other), here)}">{html.escape(self.title(other))}</a></li>')
            is_open = " open" if path in paths else ""
            out.append(f"<details{is_open}><summary>{title}</summary><ul>{''.join(rows)}</ul></details>")
        return "".join(out)

    # The pages before and after, within one part of the menu.
    def ways_of(self, path):
        here = os.path.dirname(target_of(path)) or "."
        paths = next(paths for _, paths in self.menu if path in paths)
        at = paths.index(path)
        out = []
        for other, sign in ((at - 1, "← {}"), (at + 1, "{} →")):
            if 0 <= other < len(paths):
                title = sign.format(html.escape(self.title(paths[other])))
                out.append(f'<a href="{os.path.relpath(target_of(paths[other]), here)}">{title}</a>')
        return "".join(out)

    def write(self):
        self.equations = {number: path for path, page in self.pages.items() for number in page.numbers}
        for path, page in self.pages.items():
            target = self.folder / target_of(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            depth = target_of(path).count("/")
            inside = "".join(f'<a class="h{level}" href="#{name}">{html.escape(text)}</a>' for level, name, text in page.headings if level in (2, 3))
            target.write_text(
                PAGE.format(title=html.escape(self.title(path)), root="../" * depth, menu=self.menu_of(path), body=self.with_numbers(path, page.html), ways=self.ways_of(path), inside=inside),
                encoding="utf-8",
            )
        for path in self.files:
            target = self.folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        index = [
            [target_of(path), self.title(path), name, heading, re.sub(r"\s+", " ", text).strip()]
            for path, page in self.pages.items()
            for name, heading, text in page.parts
        ]
        (self.folder / "index.js").write_text("const INDEX = " + json.dumps(index, ensure_ascii=False) + ";\n", encoding="utf-8")
        for name in ("site.css", "site.js"):
            shutil.copyfile(HERE / name, self.folder / name)


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "site").resolve()
    site = Site(folder)
    site.read()
    site.check()
    for fault in site.faults:
        print(fault, file=sys.stderr)
    if site.faults:
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    site.write()
    print(f"{folder}/index.html: {len(site.pages)} pages, {len(site.files)} pictures and files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
