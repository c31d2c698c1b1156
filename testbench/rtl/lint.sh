#!/usr/bin/env bash
# Verilator's lint and Yosys' elaboration of both routers, and of the NIC's units, over the corners of their parameters:
# no warning, no undriven or multiply driven wire, no combinational loop, no latch.
#
#   lint.sh         all of them
#   lint.sh Dims=3  those whose line contains "Dims=3"
set -euo pipefail
cd "$(dirname "$0")/../.."

configurations='
all_port_router
all_port_router LocalPorts=1 Vcs=1 Depth=1
all_port_router LocalPorts=2 Vcs=4 LocalVcs=3 Stages=2 LinkRegisters=1 Arbiters=1
all_port_router Vcs=2 Stages=3 Torus=3
all_port_router Dims=1 LocalPorts=1 Vcs=3 LocalVcs=2 Stages=4 LinkRegisters=1 Depth=2 Arbiters=1 Torus=1 TorusClasses=3
all_port_router Dims=1 LocalPorts=2 Vcs=1 Stages=2 Torus=1 AllowDeadlock=1
all_port_router Dims=3 Vcs=8 LocalVcs=8 Stages=4 Depth=64 Torus=7 TorusClasses=3
all_port_router Dims=3 LocalPorts=3 Vcs=2 LocalVcs=3 Stages=2 LinkRegisters=4 Depth=1 Torus=2 Arbiters=1
all_port_router ControlVc=1
all_port_router Vcs=6 LocalVcs=7 ControlVc=1 Stages=3 Torus=1
all_port_router Dims=3 LocalPorts=2 Vcs=5 LocalVcs=2 ControlVc=1 Stages=4 Depth=2 Torus=6 TorusClasses=3 Arbiters=1
all_port_router Dims=1 Vcs=2 ControlVc=1 Stages=2 Torus=1 TorusClasses=3 AllowDeadlock=1
all_port_router Routing=1 Arbiters=2
all_port_router Dims=3 LocalPorts=1 Vcs=3 ControlVc=1 Stages=4 Torus=5 TorusClasses=3 Routing=1
all_port_router Dims=1 Routing=1
all_port_router Vcs=4 LocalVcs=2 VcSelection=1
all_port_router Dims=3 Vcs=8 LocalVcs=8 Stages=4 Torus=5 TorusClasses=3 VcSelection=1
all_port_router Vcs=8 LocalVcs=3 Depth=64 Stages=2 VcSelection=2
all_port_router Vcs=5 ControlVc=1 Stages=4 Torus=1 VcSelection=2
all_port_router VcSelection=1
all_port_router VcSelection=2
one_port_router
one_port_router ControlVc=1
one_port_router Vcs=3 LocalVcs=2 ControlVc=1 Stages=3 Torus=2 VcSelection=1
one_port_router Vcs=4 Torus=3 TorusClasses=3 VcSelection=2
one_port_router Dims=2 Vcs=2 ControlVc=1 Stages=4 Torus=2 Arbiters=2
one_port_router Dims=1 Vcs=7 LocalVcs=7 ControlVc=1 Stages=2 LinkRegisters=1
one_port_router Dims=3 Vcs=2 LocalVcs=3 ControlVc=1 Stages=4 Torus=5 Arbiters=1
one_port_router Dims=1 Vcs=1 Stages=2 Torus=1 AllowDeadlock=1 Arbiters=1
one_port_router Dims=2 Vcs=3 LocalVcs=8 Stages=4 Torus=3 TorusClasses=3
one_port_router Dims=2 Vcs=8 Depth=64 Arbiters=1
one_port_router Dims=3 Vcs=2 LocalVcs=1 Stages=3 LinkRegisters=4 Torus=5
one_port_router Dims=3 Vcs=1 Depth=1 Stages=4
trigger_unit Places=2
trigger_unit Places=9
combine_unit Places=3 Lanes=1 Engines=1
combine_unit Places=4 Lanes=2 Engines=3
list_unit Places=5
'

router_lines=$(sed 's|^|read_verilog -sv -formal rtl/|' rtl/rtl.f)
# Yosys reads each module with its own parameters first, and 64 places take long.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/nic"
cp rtl/invariant.sv "$scratch"
for file in rtl/nic/*.sv; do sed 's/int Places = 64/int Places = 2/' "$file" >"$scratch/nic/$(basename "$file")"; done
unit_lines=$(sed "s|^|read_verilog -sv -formal $scratch/nic/|" rtl/nic/nic.f)
checked=0
while read -r top parameters; do
  [[ -n $top && "$top $parameters" == *"${1:-}"* ]] || continue
  list=rtl/rtl.f yosys_lines=$router_lines
  if [[ $top == *_unit ]]; then list=rtl/nic/nic.f yosys_lines=$unit_lines; fi
  verilator_options=()
  chparam=
  for parameter in $parameters; do
    verilator_options+=("-G$parameter")
    chparam+=" -chparam ${parameter%%=*} ${parameter#*=}"
  done
  verilator --lint-only -Wall --assert --top-module "$top" "${verilator_options[@]}" -Irtl -F "$list"
  yosys -q -p "$yosys_lines
    hierarchy -check -top $top$chparam
    proc; check -assert
    select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr t:\$sr
    select -assert-min 1 t:\$assert
    opt_clean; flatten; opt_clean; check -assert" # what nothing reads is flattened slowly
  echo "$top $parameters: clean"
  checked=$((checked + 1))
done <<<"$configurations"
[ "$checked" -gt 0 ] && echo PASS
