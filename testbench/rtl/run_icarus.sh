#!/usr/bin/env bash
# Runs one testbench of this folder in Icarus Verilog.
#
#   run_icarus.sh <testbench> [Parameter=value ...] [+plusarg ...]
#   run_icarus.sh router_tb Vcs=2 Depth=1 +seed=7 +cycles=5000
#
# Passes if the simulation says PASS and ends with status 0. ANNELID_RTL names another copy of rtl/.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rtl=${ANNELID_RTL:-$here/../../rtl}
top=${1:?usage: run_icarus.sh <testbench> [Parameter=value ...] [+plusarg ...]}
shift

parameters=()
plusargs=()
for argument in "$@"; do
  case "$argument" in
    +*) plusargs+=("$argument") ;;
    *=*) parameters+=("-P$top.$argument") ;;
    *) echo "run_icarus.sh: '$argument' is neither Parameter=value nor +plusarg" >&2; exit 2 ;;
  esac
done

# The units of the NIC have a list of their own.
list=rtl.f
case "$top" in
  trigger_unit_tb | combine_alu_tb) list=nic/nic.f ;;
esac
sources=()
while read -r file; do sources+=("$rtl/$(dirname "$list")/$file"); done <"$rtl/$list"
case "$top" in
  router_tb)
    benches=(traffic_pkg traffic_source traffic_sink router_scoreboard router_rules) ;;
  *) benches=(traffic_pkg) ;;
esac
for bench in "${benches[@]}" "$top"; do sources+=("$here/$bench.sv"); done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
iverilog -g2012 -Wall -I"$rtl" -o "$scratch/sim" -s "$top" "${parameters[@]}" "${sources[@]}"
status=0
timeout 300 vvp -n "$scratch/sim" "${plusargs[@]}" >"$scratch/log" || status=$?
cat "$scratch/log"
[ "$status" -eq 0 ] && grep -qx PASS "$scratch/log"
