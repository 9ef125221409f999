# The documents as a site: every link leads to a page or a file, every name to a heading, every formula is
# drawn; the commands that pages show exist with their options. And faults in a document are found.
. "$(dirname "$0")/common"
command -v python3 >/dev/null || exit 77

expect 0 "pages" python3 "$source_dir/tools/site/build.py" "$scratch/site"
pages=$(find site -name '*.html' | wc -l)
[ "$pages" -ge 90 ] || bad "$pages pages"
for file in index.html docs/theory/4-contact.html docs/pictures/demo.png site.js index.js; do
    [ -s "site/$file" ] || bad "no $file"
done
drawn=$(cat site/docs/theory/*.html | grep -o 'class="number"' | wc -l)
written=$(cat "$source_dir"/docs/theory/*.md | grep -v '`' | grep -o '\\tag{' | wc -l)
[ "$drawn" = "$written" ] || bad "$drawn numbers of formulas, $written in the documents"
! grep -rlE '(src|href)="https?://[^"]*\.(js|css|png|woff)' site --include='*.html' ||
    bad "pages fetch something"
expect 0 "commands" python3 "$source_dir/tests/cli/doc_commands.py" "$cairn"

# A tree with one page and one fault each.
mkdir -p tree/tools tree/docs
cp -r "$source_dir/tools/site" tree/tools/
fault()
{
    printf '%s\n' '# Page' '' '## A part' '' "$2" >tree/README.md
    expect 1 "$1" python3 tree/tools/site/build.py "$scratch/none"
}
fault 'README.md:5: there is no docs/nothing.md' 'See [that](docs/nothing.md).'
fault 'README.md has no heading #another-part' 'See [that](#another-part).'
fault 'there is no ../outside.md' 'See [that](../outside.md).'
fault "unknown command \\nonsense in formula" '```math
\nonsense{x}
```'
[ ! -e none ] || bad "a site with faults was written"
text='See [that](#a-part) and `code <b>`, **bold** <script>.'
printf '%s\n' '# Page' '' '## A part' '' "$text" >tree/README.md
expect 0 "1 pages" python3 tree/tools/site/build.py "$scratch/one"
grep -qF '<code>code &lt;b&gt;</code>, <strong>bold</strong> &lt;script&gt;' one/index.html ||
    bad "marks and text: $(grep code one/index.html)"
finish
