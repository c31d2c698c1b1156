#!/usr/bin/env bash
# The routers' testbench in Verilator, little depth and several VCs, with a long run per seed: an
# all-port router with one stage, and a one-port router with four, link registers, rings and control VCs.
#
#   run_verilator.sh [seed ...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ $# -gt 0 ] || set -- 1 2 3
for configuration in "Vcs=2 LocalVcs=2 Depth=2" \
  "OnePort=1 Dims=3 Vcs=3 LocalVcs=2 ControlVc=1 Depth=2 Stages=4 LinkRegisters=1 Torus=5 TorusClasses=3 Arbiters=1"; do
  read -ra parameters <<<"$configuration"
  rm -rf "$scratch/model"
  verilator --binary --assert --top-module router_tb "${parameters[@]/#/-G}" \
    -Mdir "$scratch/model" -Irtl -F rtl/rtl.f \
    testbench/rtl/{traffic_pkg,traffic_source,traffic_sink,router_scoreboard,router_rules}.sv \
    testbench/rtl/router_tb.sv >"$scratch/build.log" 2>&1 ||
    { cat "$scratch/build.log"; exit 1; }
  for seed in "$@"; do
    "$scratch/model/Vrouter_tb" "+seed=$seed" +cycles=50000 | tee "$scratch/log"
    grep -qx PASS "$scratch/log"
  done
done
