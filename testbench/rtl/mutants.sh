#!/usr/bin/env bash
# Breaks one rule of the routers at a time, in a copy, and expects router_tb to notice in one of a few
# small configurations. The routers' own assertions are off in the copies, so that the testbench has
# to see it.
#
#   mutants.sh          all of them
#   mutants.sh credit   those whose name contains "credit"
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
configurations=(
  "Dims=1 LocalPorts=1 Vcs=3 LocalVcs=2 Depth=2 Torus=1 TorusClasses=3 Stages=4 LinkRegisters=1 MatrixArbiters=1 +seed=1"
  "OnePort=1 Dims=2 Vcs=2 LocalVcs=1 Depth=4 Torus=1 Stages=3 LinkRegisters=2 +seed=2"
  "Dims=2 LocalPorts=2 Vcs=2 LocalVcs=2 Depth=3 +seed=3")

# name # file # what is there # what is put in its place (fixed strings, each found exactly once)
mutants='
input pointer moves without a grant#separable_allocator.sv#.advance_i(granted_o[i])#.advance_i(nominee_valid[i])
output pointer never moves#separable_allocator.sv#.advance_i(grant_valid_o[o])#.advance_i(1'\''b0)
pointer stops at the winner#rr_arbiter.sv#index_o + 1'\''b1#index_o
pointer does not wrap#rr_arbiter.sv#(index_o == Last) ? '\''0 : #
matrix winner stays before higher ones#matrix_arbiter.sv#made_last[b*(b-1)/2+a] = 1'\''b0#made_last[b*(b-1)/2+a] = lower_first[b*(b-1)/2+a]
matrix winner stays before lower ones#matrix_arbiter.sv#made_last[b*(b-1)/2+a] = 1'\''b1#made_last[b*(b-1)/2+a] = lower_first[b*(b-1)/2+a]
one credit too many after reset#credit_counter.sv#count_q <= Full;#count_q <= Full + 1'\''b1;
credit lost when another is spent#credit_counter.sv#spend_i && !gain_i#spend_i
credit goes back to VC 0#switch_core.sv#granted[i] ? nominee[i*noc_pkg::VcBits+:noc_pkg::VcBits] : '\''0#'\''0
switch register passed by#switch_core.sv#.Width(SentInBits),@.Registers((Stages >= 2) ? 1 : 0)#.Width(SentInBits),@.Registers(0)
body flits ignore credits#input_vc.sv#count_o != 0 && has_credit_i[{target_port_o, out_vc_q}]#count_o != 0
heads ignore credits#output_port.sv#~owned_o[Vcs-1:0] & has_credit_o[Vcs-1:0]#~owned_o[Vcs-1:0]
heads ignore owners#output_port.sv#~owned_o[Vcs-1:0] & has_credit_o[Vcs-1:0]#has_credit_o[Vcs-1:0]
heads take VCs of any class#output_port.sv#free = Members & #free = 
classes one VC too low#output_port.sv#localparam int First = c * Vcs / Classes#localparam int First = (c * Vcs - ((c > 0) ? 1 : 0)) / Classes
highest free VC first#output_port.sv#for (int w = Vcs - 1; w >= 0; w--)#for (int w = 0; w < Vcs; w++)
owned VC not freed by the tail#output_port.sv#owned_q <= !grant_tail_i#owned_q <= 1'\''b1
active VC not ended by the tail#input_vc.sv#active_q <= !front_is_tail#active_q <= 1'\''b1
VC given by VA not owned#output_port.sv#va_grant_vc_i == noc_pkg::VcBits'\''(w)) owned_q <= 1'\''b1#va_grant_vc_i == noc_pkg::VcBits'\''(w)) owned_q <= 1'\''b0
routed outlives the packet#input_vc.sv#end else if (granted_i || va_granted_i) begin#end else if (granted_i && va_granted_i) begin
class not kept by RC#input_vc.sv#out_class_q <= route_class;#out_class_q <= '\''0;
body flits are routed too#input_vc.sv#count_o != 0 && !active_q && !routed_q#count_o != 0 && !routed_q
tie of half the ring goes down#route_dimension.sv#{steps_up, 1'\''b0} > {1'\''b0, size}#{steps_up, 1'\''b0} >= {1'\''b0, size}
ring is one node smaller#route_dimension.sv#{1'\''b0, last_i} + 1'\''b1#{1'\''b0, last_i}
dateline class forgets the wrap going down#route_dimension.sv#up_o ? !below : down_o && !above#up_o ? !below : down_o
h not told from p#route_dimension.sv#dest_i < source_i#dest_i > source_i
y before x#route.sv#(int k = Dims - 1; k >= 0; k--) begin@if (ups[k])#(int k = 0; k < Dims; k++) begin@if (ups[k])
all packets eject at the first local port#switch_core.sv#Externals + i % Throughs#Externals
one link register too few#register_chain.sv#chain_q[(Registers-1)*Width+:Width]#chain_q[((Registers>1)?Registers-2:0)*Width+:Width]
link registers of the credits missing#one_port_router.sv#.Width(1 + noc_pkg::VcBits),@.Registers((p < 2 * Dims) ? LinkRegisters : 0)#.Width(1 + noc_pkg::VcBits),@.Registers(0)
dimensions swapped in the cascade#one_port_router.sv#.FirstDim(d)#.FirstDim(Dims - 1 - d)
FIFO wraps one place early#flit_fifo.sv#write_q == LastPlace#write_q == LastPlace - 1'\''b1
idle outputs are not 0#crossbar.sv#grant_valid_i[o] ? #1'\''b1 ? 
out_vc survives reset#input_vc.sv#out_vc_q <= '\''0;#
'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
missed=0
tried=0

# Runs router_tb on the RTL in $1 until a configuration fails, not for want of stimulus.
notices() {
  local configuration arguments
  for configuration in "${configurations[@]}"; do
    read -ra arguments <<<"$configuration"
    if ! ANNELID_RTL=$1 "$here/run_icarus.sh" router_tb "${arguments[@]}" +cycles=300 \
      >"$scratch/log" 2>&1 </dev/null &&
      grep -q FATAL "$scratch/log" && ! grep -q 'FATAL.*\(only\|VCs in use\)' "$scratch/log"; then
      return 0
    fi
  done
  return 1
}

for configuration in "${configurations[@]}"; do
  read -ra arguments <<<"$configuration"
  "$here/run_icarus.sh" router_tb "${arguments[@]}" +cycles=300 >"$scratch/log" 2>&1 </dev/null ||
    { cat "$scratch/log"; echo "the router fails unbroken"; exit 1; }
done
while IFS='#' read -r name file old new; do
  [[ -n $name && $name == *"${1:-}"* ]] || continue
  rm -rf "$scratch/rtl"
  cp -r "$here/../../rtl" "$scratch/rtl"
  sed -i "s/holds_i !== 1'b1/1'b0/" "$scratch/rtl/invariant.sv"
  # "@" stands for the end of a line and the blanks of the next.
  OLD=$old NEW=$new perl -0777 -pi -e '
    my $old = join("\\s+", map { quotemeta } split(/@/, $ENV{OLD}));
    (my $new = $ENV{NEW}) =~ s/@/\n/g;
    my $count = s/$old/$new/g;
    die "\"$ENV{OLD}\" stands $count times in $ARGV\n" if $count != 1;' "$scratch/rtl/$file"
  tried=$((tried + 1))
  if notices "$scratch/rtl"; then
    echo "noticed  $name:$(sed -n 's/^FATAL: [^ ]*//p' "$scratch/log" | head -n 1)"
  else
    echo "MISSED   $name"
    tail -n 3 "$scratch/log"
    missed=$((missed + 1))
  fi
done <<<"$mutants"

echo "$((tried - missed)) of $tried noticed"
[ "$tried" -gt 0 ] && [ "$missed" -eq 0 ] && echo PASS
