"""The code of a notebook as a script on standard output: cells one after the other."""
import json
import sys

for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        print("".join(cell["source"]) + "\n")
