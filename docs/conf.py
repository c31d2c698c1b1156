"""The web site's configuration, for Sphinx: scripts/site builds it.

The source folder is the whole repository, so the relative links of a page mean the same on the site as in the source.
Settings of `scripts/site` itself (the output folder, warnings as errors) are in that script.
"""
import re
import sys
from pathlib import Path

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx import addnodes
from sphinx.errors import ConfigError
from sphinx.transforms import SphinxTransform

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'scripts'))

project = 'Annelid'
version = release = re.search(r'project\(annelid VERSION (\S+)', (ROOT / 'CMakeLists.txt').read_text()).group(1)
author = 'the authors of Annelid'
copyright = author

root_doc = 'docs/index'
extensions = ['myst_parser']
include_patterns = ['*.md', '*/README.md', '*/*/README.md', 'docs/**.md', 'reproduced/*.md']
exclude_patterns = ['build', 'runs', '.*', 'testbench/fuzz/corpus']
myst_heading_anchors = 4
nitpicky = True

html_theme = 'furo'
html_title = f'Annelid {release}'
html_static_path = ['site.css']
html_css_files = ['site.css']
html_js_files = ['scripts/gumshoe-patched.js']  # Furo's own, see complete_furo()
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_show_search_summary = False  # a page from a folder cannot read another one
html_use_index = False
html_domain_indices = False


class RepositoryLinks(SphinxTransform):
    """Links to files and folders of the repository that are not pages.

    A folder with a README is a link to that page. Anything else becomes text, or a link to the repository if
    `repository` has its address.
    """

    default_priority = 5

    def apply(self, **_):
        page = Path(self.env.doc2path(self.env.docname)).parent
        for node in list(self.document.findall(addnodes.download_reference)):
            self.outside(node, page / node['reftarget'])
        for node in list(self.document.findall(addnodes.pending_xref)):
            path = page / node['reftarget'].partition('#')[0]
            if node['reftype'] != 'myst' or node['reftarget'].startswith('#'):
                continue
            if path.is_dir() and self.is_page(path / 'README.md'):
                node['reftarget'] = f"{node['reftarget'].rstrip('/')}/README.md"
            elif path.exists() and not self.is_page(path):
                self.outside(node, path)

    def is_page(self, path):
        return self.env.path2doc(str(path.resolve())) in self.env.found_docs and path.suffix == '.md'

    def outside(self, node, path):
        repository = self.config.repository
        if repository:
            address = f"{repository.rstrip('/')}/{path.resolve().relative_to(ROOT)}"
            node.replace_self(nodes.reference('', '', *node.children, refuri=address))
        else:
            node.replace_self(nodes.literal(text=node.astext()))


def add_help(app, docname, source):
    """Puts the --help of each command below its heading in the page of commands."""
    if docname != 'docs/reference/commands':
        return
    from program_help import commands_of, help_block, title_of
    page, program = source[0], app.config.program
    if not Path(program).is_file():
        raise ConfigError(f"program: found '{program}', expected the path of annelid (scripts/site sets it)")
    introduction, first = re.match(r'(.*?\n)(## .*)', page, re.S).groups()
    for words in commands_of(program):
        section = re.search(rf'^## {re.escape(title_of(words))}\n.*?(?=^## )', first, re.M | re.S)
        if section is None:
            raise ConfigError(f"{docname}.md: found no heading '## {title_of(words)}', and another heading behind it")
        first = first[:section.end()] + help_block(program, words) + '\n' + first[section.end():]
    source[0] = introduction + help_block(program, ()) + '\n' + first


def complete_furo(app, exception):
    """Debian's Furo 2022.12 is built without the tools of its authors, and lacks three things; a page loads without them,
    but has margins, no dark colours, and no theme button.

      - The style sheet imports normalize.css from a place of a web server.
      - The dark colours are there for those who ask for them, not for those whose system is dark.
      - The script is a module that imports another one, which a page from a folder cannot.
    """
    if exception or app.builder.name != 'html':
        return
    static = Path(app.outdir) / '_static'
    sheet, script = static / 'styles/furo.css', static / 'scripts/furo.js'
    text = sheet.read_text()
    if imported := re.match(r'@import url\(/javascript(/[^)]*)\);', text):
        text = Path(f'/usr/share/javascript{imported.group(1)}').read_text() + text[imported.end():]
    dark = re.search(r'body\[data-theme="dark"\] (\{[^}]*\})', text)
    if 'prefers-color-scheme' not in text:
        text += f'@media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {dark.group(1)} }}\n'
    sheet.write_text(text)
    script.write_text(re.sub(r'^import Gumshoe from .*\n', '', script.read_text()))


def setup(app):
    app.add_lexer('csv', TextLexer)  # files of times
    app.connect('build-finished', complete_furo)
    app.connect('source-read', add_help)
    app.add_config_value('program', '', 'env')
    app.add_config_value('repository', '', 'env')
    app.add_transform(RepositoryLinks)
