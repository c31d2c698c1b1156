#!/bin/bash
# Proves the leaves of the router with Yosys and ABC's PDR, for all inputs and all times.
#
#   testbench/formal/prove.sh <leaf> <parameter> <value>     e.g. flit_fifo Depth 3
#
# Two runs: the claims of <leaf>_proof.sv and the invariants of rtl/ must be proved; and with REACH
# defined, a claim that is false because an interesting state can be reached must be refuted, so
# that the proof is not one about a circuit that never does anything. Exit status 0 if both are so.
set -euo pipefail
cd "$(dirname "$0")/../.."
leaf=$1 parameter=$2 value=$3
sources="rtl/noc_pkg.sv rtl/invariant.sv rtl/$leaf.sv testbench/formal/${leaf}_proof.sv"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# prints ABC's verdict; $1 are extra options of read_verilog
verdict() {
  yosys -q -l "$work/yosys.log" -p "
    read_verilog -sv -formal $1 $sources
    chparam -set $parameter $value ${leaf}_proof
    hierarchy -check -top ${leaf}_proof
    prep -flatten -nordff
    check -assert
    select -assert-min 1 t:\$assert
    async2sync; chformal -cover -remove; delete -output; memory_map -formal
    formalff -clk2ff; dffunmap; setundef -undriven -zero; techmap; aigmap
    write_aiger -I -B -zinit -no-startoffset $work/leaf.aig" >"$work/yosys.out" 2>&1 ||
    { cat "$work/yosys.out" >&2; return 1; }
  yosys-abc -c "read_aiger $work/leaf.aig; fold; strash; pdr" 2>&1 |
    grep -E "Property proved|asserted in frame" ||
    { echo "no verdict"; return 1; }
}

proof=$(verdict "")
reach=$(verdict "-DREACH")
echo "$leaf $parameter=$value: $proof / reach: $reach"
[[ $proof == *"Property proved"* && $reach == *"asserted in frame"* ]]
