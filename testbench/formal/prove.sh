#!/usr/bin/env bash
# Proves the claims of one of the *_proof.sv files, and the router's own in the module it is about,
# for ever (property-directed reachability), not up to a bound.
#
#   prove.sh <proof> [Parameter=value ...]
#   prove.sh flit_fifo_proof Depth=3
#
# ANNELID_RTL names another copy of rtl/.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rtl=${ANNELID_RTL:-$here/../../rtl}
top=${1:?usage: prove.sh <proof> [Parameter=value ...]}
shift

chparam=
for argument in "$@"; do chparam+=" -chparam ${argument%%=*} ${argument#*=}"; done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The order matters: "-nordff" and "memory_map -formal" keep the memory's start free, as reset does
# not clear it; clk2ff and dffunmap leave plain flip-flops, all that AIGER knows.
yosys -q -p "
  read_verilog -sv -formal $rtl/noc_pkg.sv $rtl/invariant.sv $rtl/${top%_proof}.sv $here/$top.sv
  hierarchy -check -top $top$chparam
  proc; check -assert
  prep -flatten -nordff; async2sync; chformal -cover -remove; delete -output
  memory_map -formal; formalff -clk2ff; dffunmap; setundef -undriven -zero; techmap; aigmap
  tee -q -o $scratch/claims select -count t:\$assert
  write_aiger -I -B -zinit -no-startoffset $scratch/proof.aig"
yosys-abc -c "read_aiger $scratch/proof.aig; fold; strash; print_stats; pdr" >"$scratch/log" 2>&1
cat "$scratch/claims" "$scratch/log"
grep -q 'Property proved' "$scratch/log" && echo PASS
