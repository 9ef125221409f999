# `cairn schema` is a JSON Schema that accepts every example and starter, and refuses what is wrong.
. "$(dirname "$0")/common"
python3 -c "import jsonschema, yaml" 2>/dev/null || exit 77
expect 0 "" "$cairn" schema
mv out schema.json
write_scene shake.yaml
expect 0 "" "$cairn" new --list
for name in $(sed -n 's/^  \([^ ]*\) .*/\1/p' out); do
    expect 0 "" "$cairn" new "$name" -o "starter-$name.yaml"
done
python3 - "$source_dir" <<'P' || bad "the schema and the scenes do not agree"
import glob, json, sys
import jsonschema, yaml

# numbers such as 1e-3, which YAML 1.1 takes for text
loader = yaml.SafeLoader
loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    __import__("re").compile(r"^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$"), list("-+0123456789."))
schema = json.load(open("schema.json"))
check = jsonschema.Draft7Validator(schema)
jsonschema.Draft7Validator.check_schema(schema)
files = sorted(glob.glob(sys.argv[1] + "/examples/*.yaml")) + sorted(glob.glob("*.yaml"))
assert len(files) > 1
for path in files:
    scene = yaml.load(open(path), loader)
    errors = [e.message for e in check.iter_errors(scene)]
    assert not errors, (path, errors)
scene = yaml.load(open("shake.yaml"), loader)
assert any(check.iter_errors({**scene, "colour": 1})), "unknown keys pass"
assert any(check.iter_errors({**scene, "stages": [{"step": "fast"}]})), "a step that is a word passes"
step = lambda value: {**scene, "stages": [{"step": value, "duration": 1}]}
assert not any(check.iter_errors(step("10 ms"))), "a step with a unit does not pass"
assert any(check.iter_errors({**scene, "overlap_max": "1 mm"})), "a number without unit passes with one"
del scene["bodies"]
assert any(check.iter_errors(scene)), "a scene without bodies passes"
P
finish
