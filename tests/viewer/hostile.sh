# The server of the viewer against requests that no browser sends, and against bad command lines.
. "$(dirname "$0")/../cli/common"
command -v python3 >/dev/null || exit 77
expect 0 "" "$cairn" run "$source_dir/tests/viewer/plane.yaml" -o plane.h5 -q

if "$cairn" view none.h5 --no-open 2>&1 | grep -q "built without"; then
    echo "the program was built without the server of the viewer"
    exit 77
fi
expect 4 "none.h5" "$cairn" view none.h5 --no-open
printf 'no result' >text.h5
expect 3 "text.h5" "$cairn" view text.h5 --no-open
head -c 20000 plane.h5 >cut.h5
"$cairn" view cut.h5 --no-open >out 2>err
code=$?
{ [ $code -eq 3 ] || [ $code -eq 4 ]; } && grep -q cut.h5 err || bad "a truncated result gave exit code $code"
python=python3 # another one than Debian's may come first and lack the module
python3 -c "import h5py" 2>/dev/null || python=/usr/bin/python3
$python - <<'PYTHON'
import shutil, h5py
shutil.copy("plane.h5", "newer.h5")
with h5py.File("newer.h5", "r+") as f:
    f["format_version"][...] = 99
PYTHON
expect 3 "99" "$cairn" view newer.h5 --no-open
expect 3 "99" "$cairn" export newer.h5 --html

python3 "$source_dir/tests/viewer/hostile.py" "$cairn" plane.h5 || bad "see above"
expect 0 "plane-export/view.html" "$cairn" export plane.h5 --html
finish
