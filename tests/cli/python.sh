# The Python module from the source tree, its examples, and its installation by pip without a network.
. "$(dirname "$0")/common"

build=$(dirname "$cairn")
python=/usr/bin/python3
$python -c 'import cffi, numpy' 2>/dev/null || { echo "python: cffi or numpy is missing: skipped"; exit 77; }
if grep -q '^CAIRN_SANITIZE:BOOL=ON' "$build/CMakeCache.txt"; then
    echo "python: a library with sanitizers cannot be loaded by a plain program: skipped"
    exit 77
fi

export CAIRN_PROGRAM="$cairn" CAIRN_LIBRARY="$build/libcairn-view.so" PYTHONPATH="$source_dir/python" PYTHONDONTWRITEBYTECODE=1
$python "$source_dir/tests/python/test_cairn.py" >log 2>&1 || bad "tests of the module fail: $(tail -n 30 log)"
for example in "$source_dir"/examples/python/*.py; do
    $python "$example" >log 2>&1 || bad "$(basename "$example") fails: $(tail -n 5 log)"
done
# Notebooks as users execute them; without jupyter, or without figures, their code as a script.
for notebook in "$source_dir"/examples/notebooks/*.ipynb; do
    name=$(basename "$notebook" .ipynb)
    if ! $python -c 'import matplotlib' 2>/dev/null; then
        echo "python: matplotlib is missing: $name is not run"
    elif $python -c 'import nbconvert, ipykernel' 2>/dev/null; then
        cp "$notebook" . # it runs in the folder where it lies
        $python -m nbconvert --to notebook --execute --output "$name.out" "$name.ipynb" >log 2>&1 ||
            bad "$name does not execute: $(tail -n 5 log)"
        grep -q '"image/png"' "$name.out.ipynb" || bad "$name shows no figure"
    else
        $python "$source_dir/tests/python/notebook.py" "$notebook" >"$name.py" && $python "$name.py" >log 2>&1 ||
            bad "$name fails: $(tail -n 5 log)"
    fi
done
awk '/^```python/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source_dir/docs/for/python.md" >page.py
expect 0 "it holds from mu = 0.577351 on" $python page.py
unset CAIRN_LIBRARY PYTHONPATH

if $python -c 'import venv, ensurepip, setuptools' 2>/dev/null; then
    $python -m venv --system-site-packages here
    mkdir copy # pip writes beside what it installs from
    (cd "$source_dir" && tar cf - pyproject.toml setup.py README.md CMakeLists.txt python include) | (cd copy && tar xf -)
    CAIRN_BUILD=$build here/bin/pip wheel -q --no-build-isolation --no-deps --no-index -w wheels ./copy >log 2>&1 ||
        bad "pip cannot build a wheel: $(tail -n 5 log)"
    expect 0 "-py3-none-linux_" ls wheels # of any Python
    here/bin/pip install -q --no-deps --no-index wheels/*.whl >log 2>&1 || bad "pip cannot install it: $(tail -n 5 log)"
    expect 0 "0." here/bin/python -c 'import cairn; print(cairn.__version__, cairn.__file__)'
    grep -q "here/lib" out || bad "the installed module is not the one imported"
    # Without its library, and with headers of another version, it says so.
    module=$(dirname "$(sed 's/^[^ ]* //' out)")
    sed -i 's/CN_VERSION ".*"/CN_VERSION "9.9"/' "$module/include/base.h"
    expect 1 "the module is of version 9.9, the library" here/bin/python -c 'import cairn'
    rm "$module"/libcairn*
    expect 1 "install the package with pip or apt" here/bin/python -c 'import cairn'
fi
finish
