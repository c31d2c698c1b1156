#!/usr/bin/env bash
# Each parameter that docs/internals/microarchitecture.md, section 2, does not allow, or that no unit of the NIC can have,
# must be refused with a message that names it: by Verilator's lint and by Yosys in elaboration, by Icarus as the simulation starts. Where several are wrong,
# the message of Icarus is the one that the text names first.
#
# Icarus reads whole routers. The others, which take longer, read the check alone, and a whole router of each kind once.
# All read the module that a code chooses another by (route, arbiter, VC selection, allocator). All read the sources from another folder.
set -euo pipefail
rtl=$(cd "$(dirname "$0")/../../rtl" && pwd)

# top | parameters | what the message begins with; "accepted" for good ones, at the edges
cases='
all_port_router|Dims=0 LocalPorts=1|Dims: 1..3
all_port_router|Dims=4|Dims: 1..3
one_port_router|Dims=4|Dims: 1..3
all_port_router|LocalPorts=0|LocalPorts: 1..2*Dims
all_port_router|LocalPorts=5|LocalPorts: 1..2*Dims
all_port_router|Dims=1 LocalPorts=3|LocalPorts: 1..2*Dims
one_port_router|LocalPorts=2|LocalPorts: 1..2*Dims
all_port_router|Vcs=0|Vcs: 1..8
all_port_router|Vcs=9|Vcs: 1..8
one_port_router|LocalVcs=0|LocalVcs: 1..8
all_port_router|LocalVcs=9|LocalVcs: 1..8
all_port_router|ControlVc=2|ControlVc: 0, 1
one_port_router|ControlVc=-1|ControlVc: 0, 1
all_port_router|Depth=0|Depth: 1..64
all_port_router|Depth=65|Depth: 1..64
one_port_router|Stages=0|Stages: 1..4
all_port_router|Stages=5|Stages: 1..4
all_port_router|LinkRegisters=-1|LinkRegisters: 0..4
all_port_router|LinkRegisters=5|LinkRegisters: 0..4
all_port_router|Arbiters=3|Arbiters: 0, 1, 2
all_port_router|Routing=2|Routing: 0, 1
one_port_router|Routing=-1|Routing: 0, 1
one_port_router|Routing=1|Routing: 0 in one_port_router
one_port_router|Routing=1 Dims=1 ControlVc=1 Vcs=8|Routing: 0 in one_port_router
all_port_router|VcSelection=3|VcSelection: 0, 1, 2
one_port_router|VcSelection=-1|VcSelection: 0, 1, 2
all_port_router|Torus=4 Vcs=2|Torus: 0..2^Dims-1
all_port_router|Torus=-1 Vcs=2|Torus: 0..2^Dims-1
all_port_router|TorusClasses=1|TorusClasses: 2, 3
all_port_router|TorusClasses=4|TorusClasses: 2, 3
all_port_router|AllowDeadlock=2|AllowDeadlock: 0, 1
all_port_router|Torus=1|Vcs: at least TorusClasses
one_port_router|Torus=2 Vcs=2 TorusClasses=3|Vcs: at least TorusClasses
all_port_router|ControlVc=1 Vcs=8|Vcs: at most 8 with the control VCs
all_port_router|ControlVc=1 Vcs=7 Torus=1|Vcs: at most 8 with the control VCs
one_port_router|ControlVc=1 Vcs=6 Torus=2 TorusClasses=3|Vcs: at most 8 with the control VCs
one_port_router|ControlVc=1 LocalVcs=8|LocalVcs: at most 8 with the control VC
all_port_router|ControlVc=1 Vcs=8 LocalVcs=8|Vcs: at most 8 with the control VCs
all_port_router|ControlVc=1 Vcs=2 Torus=1 TorusClasses=3 LocalVcs=8|Vcs: at least TorusClasses
all_port_router|ControlVc=1 Vcs=9|Vcs: 1..8
all_port_router|ControlVc=2 Vcs=8|ControlVc: 0, 1
route|Routing=2|Routing: 0, 1
arbiter|Arbiters=3|Arbiters: 0, 1, 2
arbiter|Arbiters=-1|Arbiters: 0, 1, 2
vc_selection|VcSelection=3|VcSelection: 0, 1, 2
allocator|Allocator=1|Allocator: 0
allocator|Arbiters=3|Arbiters: 0, 1, 2
trigger_unit|Places=1|Places: 2..64
trigger_unit|Places=65|Places: 2..64
combine_unit|Places=4 Lanes=9|Lanes: 1..8
combine_unit|Places=4 Engines=9|Engines: 1..8
list_unit|Places=65|Places: 2..64
list_unit|Places=2|accepted
combine_unit|Places=2 Lanes=8 Engines=8|accepted
all_port_router|Routing=1 Arbiters=2|accepted
one_port_router|Arbiters=2|accepted
all_port_router|VcSelection=2 Vcs=4|accepted
one_port_router|VcSelection=1|accepted
all_port_router|Torus=1 AllowDeadlock=1|accepted
all_port_router|ControlVc=1 Vcs=7 LocalVcs=7|accepted
all_port_router|ControlVc=1 Vcs=6 Torus=1|accepted
one_port_router|ControlVc=1 Vcs=5 Torus=2 TorusClasses=3|accepted
one_port_router|ControlVc=1 Torus=1 AllowDeadlock=1|accepted
one_port_router|Torus=7 Dims=3 Vcs=3 TorusClasses=3|accepted
all_port_router|Dims=3 LocalPorts=6 LinkRegisters=4 Stages=4|accepted
'

export rtl sources unit_sources minus_one="32'shffffffff" # Yosys reads no minus
sources=$(sed "s|^|$rtl/|" "$rtl/rtl.f" | tr '\n' ' ')
unit_sources=$(sed "s|^|$rtl/nic/|" "$rtl/nic/nic.f" | tr '\n' ' ')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# judge TOOL STATUS LOG CASE: whether the tool has said what it should.
judge() {
  local tool=$1 status=$2 log=$3 top parameters message
  IFS='|' read -r top parameters message <<<"$4"
  if [[ $message == accepted ]]; then
    [ "$status" -eq 0 ] && ! grep -q . "$log" && return
  else
    [ "$status" -ne 0 ] && grep -E -m "$5" 'FATAL|USERERROR|ERROR' "$log" | grep -qF ": $message" && return
  fi
  echo "$tool: $top $parameters: expected '$message', got:"
  cat "$log"
  return 1
}

# try NUMBER CASE: all tools.
try() {
  local number=$1 top parameters message status=0 parameter
  IFS='|' read -r top parameters message <<<"$2"
  local icarus=() check=()
  for parameter in $parameters; do
    icarus+=("-P$top.$parameter")
    check+=("$parameter")
  done
  if [[ $top == one_port_router ]]; then check=(OnePort=1 "${check[@]}"); fi
  local checked=parameter_check read="$rtl/noc_pkg.sv $rtl/parameter_check.sv"
  local all=$sources
  case $top in
    *_router) ;;
    *_unit) checked=nic_parameter_check read="$rtl/nic/nic_pkg.sv $rtl/nic/nic_parameter_check.sv" all=$unit_sources ;;
    *) checked=$top read=$sources ;;
  esac

  { iverilog -g2012 -I"$rtl" -o "$number.sim" -s "$top" "${icarus[@]}" $all && vvp -n "$number.sim"; } \
    >"$number.icarus" 2>&1 || status=$?
  judge Icarus "$status" "$number.icarus" "$2" 1

  status=0
  verilator --lint-only -I"$rtl" --top-module "$checked" "${check[@]/#/-G}" $read \
    >"$number.verilator" 2>&1 || status=$?
  judge Verilator "$status" "$number.verilator" "$2" 9

  status=0
  check=("${check[@]/=-1/=$minus_one}")
  check=("${check[@]/#/-chparam }")
  yosys -q -p "read_verilog -sv $read
    hierarchy -check -top $checked ${check[*]/=/ }" >"$number.yosys" 2>&1 || status=$?
  judge Yosys "$status" "$number.yosys" "$2" 1
}
export -f judge try

tried=0
while read -r line; do
  [[ -n $line ]] || continue
  printf '%s\0%s\0' "$tried" "$line"
  tried=$((tried + 1))
done <<<"$cases" >cases
[ "$tried" -eq 65 ]
xargs -0 -n 2 -P 2 bash -euo pipefail -c 'try "$1" "$2"' try <cases

for top in all_port_router one_port_router; do
  ! verilator --lint-only --top-module "$top" -GStages=5 -I"$rtl" -F "$rtl/rtl.f" >log 2>&1 && grep -qF "USERERROR" log &&
    grep -qF ": Stages: 1..4" log || { echo "Verilator: $top Stages=5"; cat log; exit 1; }
  ! yosys -q -p "read_verilog -sv $sources
    hierarchy -check -top $top -chparam Stages 5" >log 2>&1 && grep -qF "ERROR: Stages: 1..4" log ||
    { echo "Yosys: $top Stages=5"; cat log; exit 1; }
done
echo PASS
