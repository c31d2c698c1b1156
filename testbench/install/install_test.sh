#!/bin/sh
# Installs the build tree into an empty folder, and builds and runs the examples there as outside projects, with
# find_package and with pkg-config.
#
#   install_test.sh BUILD SOURCE SCRATCH
set -eu
build=$1 source=$2 scratch=$3
prefix=$scratch/moved/prefix

fail() {
  echo "install_test: $*" >&2
  exit 1
}
# expect FILE TEXT: a line of the file has the text
expect() {
  grep -qF -- "$2" "$1" || {
    cat "$1" >&2
    fail "expected: $2"
  }
}

rm -rf "$scratch"
mkdir -p "$scratch/moved"
cmake --install "$build" --prefix "$scratch/prefix" > "$scratch/install.log"

echo "# uninstall leaves what is not ours"
echo mine > "$scratch/prefix/share/annelid/scenarios/mine.toml"
cmake -DBUILD="$build" -P "$source/cmake/uninstall.cmake"
[ "$(find "$scratch/prefix" ! -type d)" = "$scratch/prefix/share/annelid/scenarios/mine.toml" ] ||
  fail "left: $(find "$scratch/prefix" ! -type d)"
[ ! -e "$scratch/prefix/include/annelid" ] || fail "an empty folder is left"
rm -rf "$scratch/prefix"

cmake --install "$build" --prefix "$scratch/prefix" > "$scratch/install.log"
mv "$scratch/prefix" "$prefix" # nothing in it may depend on where it was installed first
cp -r "$source/examples" "$scratch/"
cd "$scratch"

echo "# nothing installed names the source tree or the build tree"
if grep -rlF -e "$source/" -e "$build" "$prefix/include" "$prefix/lib"*/cmake "$prefix"/lib*/pkgconfig \
    "$prefix"/lib*/*/cmake "$prefix"/lib*/*/pkgconfig 2> /dev/null; then
  fail "these files name it"
fi

echo "# the public headers: by themselves, and beside folders of the user that have our rooms' names"
mkdir -p user/base user/nic user/systemc/network
echo '#error "a header of the user was taken for one of Annelid"' |
  tee user/base/progress.hpp user/nic/nic.hpp > user/systemc/network/types.hpp
(cd "$prefix/include" && find annelid -name '*.hpp' ! -path 'annelid/firmware/platform/rv32/*') | sort |
  sed 's/.*/#include <&>/' > user/all.cpp
[ "$(wc -l < user/all.cpp)" -gt 100 ] || fail "only $(wc -l < user/all.cpp) headers"
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name annelid.pc)")
c++ -fsyntax-only -Wall -Wextra -I user $(pkg-config --cflags annelid) user/all.cpp

echo "# each header of the public API alone"
"$source/testbench/install/headers_test.py" "$prefix/include" "$source/cmake/public_headers.cmake" \
  $(pkg-config --cflags annelid) > headers.log || { cat headers.log >&2; fail "public headers"; }

echo "# a manual page for each command"
for page in annelid annelid-run annelid-firmware-build; do
  gzip -dc "$prefix/share/man/man1/$page.1.gz" > $page.1 || fail "no manual page $page"
  expect $page.1 ".SH NAME"
done
expect annelid-run.1 "\-\-flit\-log FILE"

echo "# the program"
"$prefix/bin/annelid" run "$prefix/share/annelid/scenarios/recursive-doubling-8x8.toml" --quiet --out run \
  > run.log 2>&1 || { cat run.log >&2; fail "annelid run"; }
ANNELID_CACHE_DIR=$scratch/cache "$prefix/bin/annelid" traffic --size 5 --local-ports 1 --rtl all --measure 100 --out rtl \
  > rtl-run.log 2>&1 || { cat rtl-run.log >&2; fail "a router made on demand"; }
[ -n "$(ls "$scratch"/cache/rtl/*.so)" ] || fail "the router was not kept"
if command -v yosys sta nextpnr-ice40 > tools.log 2>&1; then
  ANNELID_CACHE_DIR=$scratch/cache "$prefix/bin/annelid" cost --size 2 --local-ports 1 --depth 1 > cost.log 2>&1 ||
    { cat cost.log >&2; fail "annelid cost"; }
  expect cost.log "um2"
fi

echo "# a program for the core, from the installed start-up code"
cp -r "$prefix/share/annelid/firmware" program
make -s -C program hello.elf
"$prefix/bin/annelid" firmware run program/hello.elf --size 4x2 > hello.log 2>&1 || { cat hello.log >&2; fail "hello.elf"; }
expect hello.log "exit 0"

echo "# programs for the nodes, with the installed kit"
cp -r "$prefix/share/annelid/programs" programs
for program in matrix_vector heat; do
  "$prefix/bin/annelid" firmware build programs/$program.c > build.log 2>&1 || { cat build.log >&2; fail "$program.c"; }
  "$prefix/bin/annelid" firmware run $program.elf --size 4x4 --quiet > $program.log 2>&1 || { cat $program.log >&2; fail "$program.elf"; }
done
expect matrix_vector.log "0 of 64 elements differ"
expect heat.log "0 of 256 points differ"

echo "# a collective of one's own, with the installed kit: the tutorial's"
collective=own/firmware/collectives/exchanges/doubling_all_gather.cpp
mkdir -p "${collective%/*}"
awk -v out=own -f "$source/testbench/firmware/extract_code.awk" "$source/docs/tutorials/firmware-engineer.md"
"$prefix/bin/annelid" firmware build --table own/lines $collective -o own.elf > build.log 2>&1 || { cat build.log >&2; fail "$collective"; }
"$prefix/bin/annelid" run --operation all-gather --algorithm doubling_all_gather --size 8x8 --bytes 64 --firmware own.elf \
  --out own > own.log 2>&1 || { cat own.log >&2; fail "own.elf"; }
expect own.log "held    bytes: blocks of 64 bytes at 64 of 64 nodes equal the reference's"
expect own.log "messages  384 in 6 steps, mean path 2.333 hops; 384 control packets"

# check FOLDER: what the examples printed
check() {
  expect "$1/own-module.log" "240 packets, 1440 flits received, 0 in flight"
  expect "$1/own-module.log" "1000 cycles"
  expect "$1/own-module.log" "busiest channel"
  expect "$1/own-traffic.log" "1500 packets in the measurement, all arrived"
  expect "$1/in-process.log" "recursive-doubling-8x8, 64 nodes"
  expect "$1/in-process.log" "8x8      3039        6"
  [ "$(wc -l < "$1/in-process.log")" = 6 ] && [ "$(grep -c 'all checks held' "$1/in-process.log")" = 4 ] || fail "four runs: $(cat "$1/in-process.log")"
}

echo "# the examples with find_package"
for example in own-module own-traffic in-process; do
  cmake -S examples/$example -B cmake-$example -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release > cmake.log
  cmake --build cmake-$example >> cmake.log || { cat cmake.log >&2; fail "$example with CMake"; }
  mkdir -p cmake
  ./cmake-$example/$example > cmake/$example.log 2>&1 || { cat cmake/$example.log >&2; fail "$example"; }
done
check cmake

echo "# and with pkg-config"
mkdir -p make
for example in own-module own-traffic in-process; do
  make -s -C examples/$example
  ./examples/$example/$example > make/$example.log 2>&1 || { cat make/$example.log >&2; fail "$example"; }
  cmp make/$example.log cmake/$example.log
done
check make
echo "# the RTL in a test bench of the user, with both simulators"
"$source/testbench/rtl/run_example.sh" "$prefix/share/annelid/rtl" > rtl.log 2>&1 ||
  { cat rtl.log >&2; fail "rtl-router"; }
echo "all examples build and run"
