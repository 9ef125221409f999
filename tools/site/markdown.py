"""Markdown of our documents as HTML: headings, paragraphs, lists, tables, code, formulas, links, pictures.

Names of headings are those that public hosts of repositories give them, so that links hold in both places."""
import html
import re

import mathml

CODE = re.compile(r"(`+)(.+?)\1", re.S)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]*(?:\([^()]*\)[^()\s]*)*)\)")
BULLET = re.compile(r"^(\s*)([-*]|\d+\.)\s+(.*)$")


class Names:
    """Names of headings, each once per page."""

    def __init__(self):
        self.used = {}

    def of(self, text):
        plain = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        count = self.used.get(plain, 0)
        self.used[plain] = count + 1
        return plain if count == 0 else f"{plain}-{count}"


def plain(text):
    """Without marks, for names, titles and search."""
    text = LINK.sub(lambda m: m.group(2), text)
    return re.sub(r"`+|\*\*|(?<!\w)\*|\*(?!\w)", "", text).replace("\\|", "|")


def inline(text, link):
    """Marks within a line; `link` turns an address into another one, and tells where it is wrong."""
    kept = []

    def keep(made):
        kept.append(made)
        return f"\0{len(kept) - 1}\0"

    def of_link(match):
        bang, inner, address = match.groups()
        if bang:
            return keep(f'<img src="{html.escape(link(address))}" alt="{html.escape(plain(inner))}" loading="lazy">')
        return keep(f'<a href="{html.escape(link(address))}">') + inner + keep("</a>")

    text = CODE.sub(lambda m: keep(f"<code>{html.escape(m.group(2).strip())}</code>"), text)
    text = text.replace("\\|", "|")
    text = LINK.sub(of_link, text)
    text = LINK.sub(of_link, text)  # a picture within a link
    text = re.sub(r"<(https?://[^>]+)>", lambda m: keep(f'<a href="{m.group(1)}">{html.escape(m.group(1))}</a>'), text)
    text = html.escape(text, quote=False)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text, flags=re.S)
    text = re.sub(r"(?<![\w*])\*(?!\s)([^*]+?)\*(?!\w)", r"<em>\1</em>", text)
    while "\0" in text:
        text = re.sub(r"\0(\d+)\0", lambda m: kept[int(m.group(1))], text)
    return text


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|") if not line.strip().endswith("\\|") else line.strip()[1:])]


class Page:
    """One document: `html`, `title`, `headings` as (level, name, text), `parts` for the search as
    (name, heading, text), `code` as (line, language, text)."""

    def __init__(self, source, link):
        self.lines = source.split("\n")
        self.at = self.first = 0  # lines: the next one, and where the present block begins
        self.link = link
        self.names = Names()
        self.headings, self.parts, self.code, self.numbers = [], [], [], []
        self.title = ""
        self.html = self.blocks(0)

    def say(self, text):
        if not self.parts:
            self.parts.append(["", self.title, ""])
        self.parts[-1][2] += plain(text) + " "

    def inline(self, text):
        return inline(text, lambda address: self.link(address, self.first))

    def blocks(self, indent):
        out = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line.strip():
                self.at += 1
            elif len(line) - len(line.lstrip()) < indent:
                break
            else:
                self.first = self.at
                out.append(self.block(line[indent:], indent))
        return "\n".join(out)

    def block(self, line, indent):
        if line.startswith("```"):
            return self.fence(line, indent)
        if line.startswith("$$"):
            return self.dollars()
        if re.match(r"^#{1,6} ", line):
            return self.heading(line)
        if line.startswith("|"):
            return self.table(indent)
        if line.startswith(">"):
            return self.quote(indent)
        if re.match(r"^(-{3,}|\*{3,})$", line):
            self.at += 1
            return "<hr>"
        if line.startswith("    "):
            return self.indented(indent)
        if BULLET.match(line):
            return self.items(indent)
        return self.paragraph(indent)

    def heading(self, line):
        marks, text = re.match(r"^(#+) (.*?)#*$", line).groups()
        text = text.strip()
        level, name = len(marks), self.names.of(plain(text))
        self.title = self.title or plain(text)
        self.headings.append((level, name, plain(text)))
        self.parts.append([name, plain(text), ""])
        made = f'<h{level} id="{name}"><a class="here" href="#{name}">{self.inline(text)}</a></h{level}>'
        self.at += 1
        return made

    def fence(self, line, indent):
        kind = line[3:].strip()
        first = self.at + 1
        end = first
        while end < len(self.lines) and not self.lines[end].strip().startswith("```"):
            end += 1
        text = "\n".join(row[indent:] for row in self.lines[first:end])
        self.code.append((first, kind, text))
        self.at = end + 1
        if kind == "math":
            return self.formula(text)
        self.say(text)
        return f'<pre class="{html.escape(kind)}"><code>{html.escape(text)}</code></pre>'

    def formula(self, text):
        made, numbers = mathml.formula(text)
        self.numbers += numbers
        marks = "".join(f'<a class="number" id="eq-{n}" href="#eq-{n}">({n})</a>' for n in numbers)
        return f'<div class="formula">{made}<span class="numbers">{marks}</span></div>'

    def dollars(self):
        """A formula between two lines of $$, or on one line."""
        rows = [self.lines[self.at].strip()[2:]]
        while not rows[-1].endswith("$$"):
            self.at += 1
            rows.append(self.lines[self.at].strip())
        self.at += 1
        return self.formula("\n".join(rows)[:-2])

    def indented(self, indent):
        first, rows = self.at, []
        while self.at < len(self.lines):
            row = self.lines[self.at][indent:]
            if row.strip() and not row.startswith("    "):
                break
            rows.append(row[4:])
            self.at += 1
        text = "\n".join(rows).rstrip()
        self.code.append((first, "", text))
        self.say(text)
        return f"<pre><code>{html.escape(text)}</code></pre>"

    def table(self, indent):
        rows = []
        while self.at < len(self.lines) and self.lines[self.at][indent:].startswith("|"):
            rows.append([(self.inline(cell), self.say(cell)) for cell in cells(self.lines[self.at])])
            self.at += 1
        head, body = rows[0], rows[2:]
        has_head = any(made for made, _ in head)
        top = "<thead><tr>" + "".join(f"<th>{made}</th>" for made, _ in head) + "</tr></thead>" if has_head else ""
        lines = ["<tr>" + "".join(f"<td>{made}</td>" for made, _ in row) + "</tr>" for row in body]
        return f'<div class="wide"><table>{top}<tbody>{"".join(lines)}</tbody></table></div>'

    def quote(self, indent):
        rows = []
        while self.at < len(self.lines) and self.lines[self.at][indent:].startswith(">"):
            rows.append(self.lines[self.at][indent:].lstrip("> "))
            self.at += 1
        self.say(" ".join(rows))
        return f"<blockquote><p>{self.inline(' '.join(rows))}</p></blockquote>"

    def items(self, indent):
        mark = BULLET.match(self.lines[self.at][indent:])
        tag = "ol" if mark.group(2)[0].isdigit() else "ul"
        out = []
        while self.at < len(self.lines):
            match = BULLET.match(self.lines[self.at][indent:])
            if not match or match.group(1):
                if self.lines[self.at].strip() or not self.continues(indent):
                    break
                self.at += 1
                continue
            inner = indent + len(match.group(0)) - len(match.group(3))
            text = [match.group(3)]
            self.at += 1
            while self.at < len(self.lines) and self.is_text(self.lines[self.at], inner):
                text.append(self.lines[self.at].strip())
                self.at += 1
            joined = " ".join(text)
            self.say(joined)
            out.append(f"<li>{self.inline(joined)}{self.blocks(inner)}</li>")
        return f"<{tag}>{''.join(out)}</{tag}>"

    # After an empty line, whether the list goes on.
    def continues(self, indent):
        after = next((row for row in self.lines[self.at :] if row.strip()), "")
        match = BULLET.match(after[indent:])
        return bool(match) and not match.group(1) and len(after) - len(after.lstrip()) == indent

    # Whether a line belongs to the text of the item before it.
    def is_text(self, line, indent):
        row = line.strip()
        return bool(row) and not BULLET.match(line) and not re.match(r"^(```|\||#{1,6} )", row) and len(line) - len(line.lstrip()) >= min(indent, 2)

    def paragraph(self, indent):
        rows = []
        while self.at < len(self.lines):
            row = self.lines[self.at][indent:]
            if not row.strip() or re.match(r"^(```|\$\$|\||#{1,6} |> )", row) or (rows and BULLET.match(row) and row.lstrip()[0] == "-"):
                break
            rows.append(row.strip() + ("<br>" if row.endswith("  ") else ""))
            self.at += 1
        text = " ".join(rows)
        self.say(text)
        return f"<p>{self.inline(text)}</p>"
