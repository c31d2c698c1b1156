#!/usr/bin/env bash
# Each parameter that docs/internals/microarchitecture.md, section 2, does not allow must end the elaboration of
# the router (in Icarus, the start of the simulation) with a message that names it. Where several are
# wrong, the first message is the one that the text names first.
set -euo pipefail
cd "$(dirname "$0")/../.."

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
all_port_router|MatrixArbiters=2|MatrixArbiters: 0, 1
all_port_router|Torus=4 Vcs=2|Torus: 0..2^Dims-1
all_port_router|Torus=-1 Vcs=2|Torus: 0..2^Dims-1
all_port_router|TorusClasses=1|TorusClasses: 2, 3
all_port_router|TorusClasses=4|TorusClasses: 2, 3
all_port_router|AllowDeadlock=2|AllowDeadlock: 0, 1
all_port_router|Torus=1|Vcs: at least TorusClasses
one_port_router|Torus=2 Vcs=2 TorusClasses=3|Vcs: at least TorusClasses
all_port_router|ControlVc=1 Vcs=8|Vcs: 8 data VCs and 1 control VC make 9 of at most 8
all_port_router|ControlVc=1 Vcs=7 Torus=1|Vcs: 7 data VCs and 2 control VCs make 9 of at most 8
one_port_router|ControlVc=1 Vcs=6 Torus=2 TorusClasses=3|Vcs: 6 data VCs and 3 control VCs make 9 of at most 8
one_port_router|ControlVc=1 LocalVcs=8|LocalVcs: 8 data VCs and 1 control VC make 9 of at most 8
all_port_router|ControlVc=1 Vcs=8 LocalVcs=8|Vcs: 8 data VCs and 1 control VC
all_port_router|ControlVc=1 Vcs=2 Torus=1 TorusClasses=3 LocalVcs=8|Vcs: at least TorusClasses
all_port_router|ControlVc=1 Vcs=9|Vcs: 1..8
all_port_router|ControlVc=2 Vcs=8|ControlVc: 0, 1
all_port_router|Torus=1 AllowDeadlock=1|accepted
all_port_router|ControlVc=1 Vcs=7 LocalVcs=7|accepted
all_port_router|ControlVc=1 Vcs=6 Torus=1|accepted
one_port_router|ControlVc=1 Vcs=5 Torus=2 TorusClasses=3|accepted
one_port_router|ControlVc=1 Torus=1 AllowDeadlock=1|accepted
one_port_router|Torus=7 Dims=3 Vcs=3 TorusClasses=3|accepted
all_port_router|Dims=3 LocalPorts=6 LinkRegisters=4 Stages=4|accepted
'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tried=0
while IFS='|' read -r top parameters message; do
  [[ -n $top ]] || continue
  options=()
  for parameter in $parameters; do options+=("-P$top.$parameter"); done
  status=0
  { iverilog -g2012 -o "$scratch/sim" -s "$top" "${options[@]}" -f rtl/rtl.f &&
    vvp -n "$scratch/sim"; } >"$scratch/log" 2>&1 || status=$?
  if [[ $message == accepted ]]; then
    [ "$status" -eq 0 ] && ! grep -q . "$scratch/log" ||
      { echo "$top $parameters: refused"; cat "$scratch/log"; exit 1; }
  else
    { [ "$status" -ne 0 ] && grep -m 1 FATAL "$scratch/log" | grep -qF ": $message"; } ||
      { echo "$top $parameters: expected '$message', got:"; cat "$scratch/log"; exit 1; }
  fi
  echo "$top $parameters: $message"
  tried=$((tried + 1))
done <<<"$cases"
[ "$tried" -eq 42 ] && echo PASS
