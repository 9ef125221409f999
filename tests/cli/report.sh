# cairn report: one page without other files, whose numbers are those on paper.
. "$(dirname "$0")/common"

# A block of 1 x 4 m, 78480 N: it turns at 0.25 g about its toe, and then presses there alone.
cat > block.yaml <<'SCENE'
cairn: 1
title: Block <b> & Co
materials: {stone: {density: 2000}}
laws: {dry: {type: coulomb, friction: 0.7}}
contacts: [{between: [any, any], law: dry}]
bodies:
  ground: {shape: {box: [8, 1]}, at: [0, -0.5], fixed: true}
  block: {shape: {box: [1, 4]}, at: [0, 2], material: stone}
limit: [{name: quake, load: {acceleration: [1, 0]}}]
stages: [{step: 1e-3, duration: 0.05}]
observe:
  - {name: foot, resultant: [ground, block]}
SCENE
mkdir temporary
export TMPDIR=temporary
expect 0 "" "$cairn" limit block.yaml
expect 0 "" "$cairn" run block.yaml -q
expect 0 "page.html" "$cairn" report block.limit.h5 block.h5 -o page.html --tables tables
cp page.html before.html
expect 0 "" "$cairn" report block.limit.h5 block.h5 -o page.html
cmp -s page.html before.html || bad "the same results make another page"

cat > look.py <<'PYTHON'
import base64, html.parser, sys

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text, self.pictures = [], [], 0

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        assert "href" not in attrs, attrs
        if tag == "img":
            kind, data = attrs["src"].split(",", 1)
            raw = base64.b64decode(data, validate=True)
            assert raw[:4] == b"\x89PNG" if "png" in kind else b"<svg" in raw, kind
            self.pictures += 1
        elif tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text.append(data)

page = Page()
page.feed(open("page.html").read())
assert not page.open, page.open
text = "\n".join(page.text)
assert page.pictures == 2 + 2 + 3, page.pictures  # two states each; the observer, energy, residual
for word in ("Block <b> & Co: quake", "at least 0.25, at most 0.25", "limit analysis",
             "1 of 1 joints move", "the ledger closes to"):
    assert word in text, word
cells = [t for t in page.text if t.strip()]
def after(name, k):
    at = cells.index(name)
    return cells[at + 1:at + 1 + k]
# On the ground: a quarter of the weight to the side, the weight down.
x, y = map(float, after("all of them", 2))
assert abs(abs(x) - 19620) < 0.01 and abs(y + 78480) < 0.01, (x, y)
rest = cells[cells.index("all of them") + 1:]
x, y = map(float, rest[rest.index("all of them") + 1:][:2])
assert abs(x) < 1e-3 and abs(y + 78480) < 10, (x, y)
PYTHON
python3 look.py || bad "the page is not what it should be"
[ "$(sed -n 2p tables/block.limit.joints.csv | cut -d, -f1-4)" = "ground,block,0.5,0" ] || bad "no joint at the toe"
[ "$(tail -n 1 tables/block.cracks.csv | cut -d, -f1-4,7)" = "ground,block,0,0,1" ] || bad "no joint to crack"
# The mechanism turns the block about its toe: the joint opens by 2 sin(angle/2) there, without a slip.
expect 0 "" "$cairn" patches block.limit.h5 --cracks --frame 20 -o cracks.csv
python3 - <<'PYTHON' || bad "the crack is not that of a turned block"
import csv
row, = csv.DictReader(open("cracks.csv"))
assert abs(float(row["opening_most"]) - 2 * abs(float(row["nx"]))) < 1e-8, row
assert abs(float(row["opening_least"])) < 1e-8 and abs(float(row["slip"])) < 1e-8, row
PYTHON
expect 2 "choose either" "$cairn" patches block.limit.h5 --cracks --bonds
head -n 1 tables/block.series.csv | grep -q "series/foot" || bad "no table of observers"

# Words only, and what a run that missed says.
expect 0 "" "$cairn" report block.h5 --no-pictures --no-scene --title "A title" -o words.html
grep -q "<h1>A title</h1>" words.html || bad "no title"
grep -q "<img\|<pre>" words.html && bad "pictures in a page without pictures"
(cat block.yaml; echo "solver: {accuracy: 1e-15, method: nlgs, sweep_max: 1}") > missed.yaml
expect 6 "" "$cairn" run missed.yaml -q -o missed.h5
expect 6 "" "$cairn" report missed.h5 --no-pictures
grep -q 'class="verdict missed"' missed.html || bad "a missed run looks good"

expect 4 "cannot" "$cairn" report nothing.h5
expect 4 "cannot be made" "$cairn" report block.h5 --tables /proc/nothing
expect 2 "" "$cairn" report
[ -z "$(ls temporary)" ] || bad "folders of pictures are left"
finish
