#!/bin/sh
# Makes the Debian packages, and looks at what is in them. lintian judges them where it is installed.
#
#   packages_test.sh BUILD SCRATCH
set -eu
build=$1 scratch=$2

fail() {
  echo "packages_test: $*" >&2
  exit 1
}
# holds PACKAGE PATH: the package has such a file; lacks PACKAGE PATH: it has none
holds() { grep -q " \./$2" "$1.files" || fail "$1 has no $2"; }
lacks() { ! grep " \./$2" "$1.files" || fail "$1 has these files"; }

rm -rf "$scratch"
mkdir -p "$scratch"
(cd "$build" && cpack -G DEB -B "$scratch") > "$scratch/cpack.log" 2>&1 || { cat "$scratch/cpack.log" >&2; fail cpack; }
cd "$scratch"
[ "$(ls ./*.deb | wc -l)" = 3 ] || fail "found $(ls ./*.deb), expected three packages"
for package in annelid libannelid-dev annelid-doc; do
  dpkg-deb -c ${package}_*.deb > $package.files
  dpkg-deb -f ${package}_*.deb Description > $package.description
  [ "$(wc -l < $package.description)" -gt 2 ] || fail "$package: $(cat $package.description)"
  holds $package "usr/share/doc/$package/changelog.gz"
  holds $package "usr/share/doc/$package/copyright"
done
holds annelid usr/bin/annelid
holds annelid usr/share/man/man1/annelid.1.gz
holds annelid usr/share/annelid/rtl/rtl.f
lacks annelid "usr/\(include\|lib.*[.]a$\|share/doc/annelid/docs\)"
holds libannelid-dev usr/include/annelid/simulation/run.hpp
lacks libannelid-dev "usr/\(bin\|share/annelid\)"
holds annelid-doc usr/share/doc/annelid/docs/index.md
holds annelid-doc usr/share/doc/annelid/reproduced/reproduction.md
lacks annelid-doc "usr/\(bin\|include\|lib\|share/annelid\)"
# A file is in one package alone.
sort ./*.files | grep -o " \./.*[^/]$" | sed 's/ -> .*//' | sort | uniq -d > twice
[ ! -s twice ] || fail "in two packages: $(cat twice)"

command -v lintian > /dev/null || { echo "no lintian (scripts/setup installs it)"; exit 0; }
lintian --allow-root --fail-on error ./*.deb > lintian.log 2>&1 || { cat lintian.log >&2; fail lintian; }
cat lintian.log
