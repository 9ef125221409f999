"""doc_commands.py CAIRN -- commands that the documents show exist, with their options: those of cairn in the help
of the program, targets of make in the Makefile, scripts of tools/ as files. Prints what does not, exit code 1."""
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "site"))
import build  # noqa: E402
import markdown  # noqa: E402

NAMES = {"cairn", "build/cairn", "./cairn"}
TEXTS = {"result", "checkpoint"}  # behind `cairn` they are marks of files, not commands
program = sys.argv[1]
helps = {}


def help_of(command):
    if command not in helps:
        done = subprocess.run([program, command, "--help"], capture_output=True, text=True, check=False)
        helps[command] = done.stdout if done.returncode == 0 else None
    return helps[command]


def fault_of_cairn(words):
    if not words or words[0].startswith("-"):
        known = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
        return "" if not words or words[0] in known else f"cairn has no option {words[0]}"
    command, rest = words[0], words[1:]
    if command in TEXTS or not re.fullmatch(r"[a-z]+", command):
        return ""  # a placeholder
    if help_of(command) is None:
        return f"cairn has no command '{command}'"
    options = [word.split("=")[0] for word in rest if re.match(r"--[a-z]", word)]
    options += [word for word in rest if re.fullmatch(r"-[a-zA-Z]", word)]
    for option in options:
        if not re.search(rf"(^|[\s,]){re.escape(option)}([\s,\[=]|$)", help_of(command), re.M):
            return f"cairn {command} has no option {option}"
    return ""


def fault_of(words):
    while words and re.fullmatch(r"[A-Z_]+=.*|nice|sudo|time|ssh|\$", words[0]):
        words = words[1:]
    if not words:
        return ""
    if words[0] in NAMES:
        return fault_of_cairn(words[1:])
    if words[0] == "make" and len(words) > 1 and re.fullmatch(r"[a-z][a-z-]*", words[1]):
        has = re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.M)
        return "" if has else f"make has no target '{words[1]}'"
    if words[0].startswith("tools/"):
        return "" if (ROOT / words[0]).exists() else f"there is no {words[0]}"
    return ""


def faults_of(line):
    for part in re.split(r"&&|\|\||[;|]", re.sub(r"(^|\s)#.*", "", line)):
        try:
            words = shlex.split(part)
        except ValueError:
            words = part.split()
        fault = fault_of(words)
        if fault:
            yield fault


def main():
    faults, count = [], 0
    for _, paths in build.listed():
        for path in paths:
            source = path.read_text(encoding="utf-8")
            page = markdown.Page(source, lambda address, line: address)
            lines = [(first + n, row) for first, kind, text in page.code if kind in ("", "sh") for n, row in enumerate(text.split("\n"))]
            for match in re.finditer(r"`((?:build/)?cairn [a-z][^`\n]*|make [a-z-]+|tools/[a-z_.]+)`", source):
                lines.append((source.count("\n", 0, match.start()), match.group(1)))
            for line, row in lines:
                count += bool(re.match(r"\s*(build/cairn|cairn|make|tools/)", row))
                faults += [f"{path.relative_to(ROOT)}:{line + 1}: {fault}" for fault in faults_of(row)]
    print("\n".join(faults))
    print(f"{count} commands")
    return 1 if faults or count < 300 else 0


sys.exit(main())
