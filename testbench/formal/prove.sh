#!/usr/bin/env bash
# Proves the claims of one of the *_proof.sv files, and the router's own in the modules it is about,
# for ever (property-directed reachability), not up to a bound.
#
#   prove.sh <proof> [Parameter=value ...]
#   prove.sh --witness <proof> [Parameter=value ...]
#   prove.sh --alone <proof> [Parameter=value ...]
#   prove.sh flit_fifo_proof Depth=3
#
# --witness adds the claim that something does not happen that does (WITNESS in the proof), and
# succeeds if that is refuted: the assumptions leave room for what the proof is about.
#
# --alone proves the claims of the file alone: those of the router's modules hold only if its neighbours
# keep their side, which such a file does not assume.
#
# ANNELID_RTL names another copy of rtl/. In the proofs of whole routers (those with "router" in
# their name) coordinates have 2 bits and payloads 2 more than a head's addresses; no decision of
# the router depends on the rest.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rtl=${ANNELID_RTL:-$here/../../rtl}
define= own=
while [[ ${1:-} == --* ]]; do
  case "$1" in
    --witness) define=-DWITNESS ;;
    --alone) own='chformal -assert -remove invariant;' ;;
    *) echo "prove.sh: unknown option '$1'" >&2; exit 2 ;;
  esac
  shift
done
top=${1:?usage: prove.sh [--witness] [--alone] <proof> [Parameter=value ...]}
shift

chparam=
for argument in "$@"; do chparam+=" -chparam ${argument%%=*} ${argument#*=}"; done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cp "$rtl/noc_pkg.sv" "$scratch"
if [[ $top == *router* ]]; then
  sed -i 's/CoordBits = 8;/CoordBits = 2;/; s/AddressBits = 24;/AddressBits = 6;/
          s/DataBits = 64;/DataBits = 14;/' "$scratch/noc_pkg.sv"
  [ "$(diff "$rtl/noc_pkg.sv" "$scratch/noc_pkg.sv" | grep -c '^>')" = 3 ]
fi
sources=$(sed "/noc_pkg.sv/d; s|^|$rtl/|" "$rtl/rtl.f" | tr '\n' ' ')

# The order matters: "-nordff" and "memory_map -formal" keep the memory's start free, as reset does
# not clear it; clk2ff and dffunmap leave plain flip-flops, all that AIGER knows. What techmap makes of an index is
# mostly the same gates again, and gates that nothing reads: without them, the steps that follow take a quarter of the
# time and a third of the memory.
yosys -q -p "
  read_verilog -sv -formal -I$rtl $define $scratch/noc_pkg.sv $sources $here/$top.sv
  hierarchy -check -top $top$chparam
  proc; check -assert; $own
  prep -flatten -nordff; async2sync; chformal -cover -remove; delete -output
  memory_map -formal; formalff -clk2ff; dffunmap; setundef -undriven -zero; techmap; setundef -undriven -zero
  opt_merge; opt_clean; aigmap
  tee -q -o $scratch/claims select -count t:\$assert
  write_aiger -I -B -zinit -no-startoffset $scratch/proof.aig"
yosys-abc -c "read_aiger $scratch/proof.aig; fold; strash; scleanup; print_stats; pdr" \
  >"$scratch/log" 2>&1
cat "$scratch/claims" "$scratch/log"
expected='Property proved'
[ -z "$define" ] || expected='was asserted in frame'
grep -q "$expected" "$scratch/log" && echo PASS
