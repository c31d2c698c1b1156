#!/usr/bin/env bash
# The router's testbench in Verilator, two VCs everywhere and little depth, with a long run per
# seed.
#
#   run_verilator.sh [seed ...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
verilator --binary --assert --top-module mesh_router_tb -GVcs=2 -GLocalVcs=2 -GDepth=2 \
  -Mdir "$scratch" -f rtl/rtl.f \
  testbench/rtl/{traffic_pkg,traffic_source,traffic_sink,router_scoreboard,router_rules}.sv \
  testbench/rtl/mesh_router_tb.sv >"$scratch/build.log" 2>&1 ||
  { cat "$scratch/build.log"; exit 1; }
[ $# -gt 0 ] || set -- 1 2 3
for seed in "$@"; do
  "$scratch/Vmesh_router_tb" "+seed=$seed" +cycles=100000 | tee "$scratch/log"
  grep -qx PASS "$scratch/log"
done
