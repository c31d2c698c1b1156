#!/usr/bin/env bash
# Verilator's lint and Yosys' elaboration of the router, over the corners of its parameters: no
# warning, no undriven or multiply driven wire, no combinational loop, no latch.
set -euo pipefail
cd "$(dirname "$0")/../.."

yosys_lines=$(sed 's/^/read_verilog -sv -formal /' rtl/rtl.f)
for configuration in "4 1 1 4" "4 4 1 8" "1 1 1 1" "2 3 2 3" "3 8 8 64"; do  # L, V, VL, D
  read -r l v vl d <<<"$configuration"
  verilator --lint-only -Wall --assert --top-module mesh_router \
    -GLocalPorts="$l" -GVcs="$v" -GLocalVcs="$vl" -GDepth="$d" -f rtl/rtl.f
  yosys -q -p "$yosys_lines
    hierarchy -check -top mesh_router -chparam LocalPorts $l -chparam Vcs $v \
      -chparam LocalVcs $vl -chparam Depth $d
    proc; check -assert
    select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr t:\$sr
    select -assert-min 1 t:\$assert
    flatten; opt_clean; check -assert"
  echo "L $l V $v VL $vl D $d: clean"
done
echo PASS
