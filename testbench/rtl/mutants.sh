#!/usr/bin/env bash
# Breaks one rule of the router at a time, in a copy, and expects mesh_router_tb to notice. The
# router's own assertions are off in the copies, so that the testbench has to see it at its pins.
#
#   mutants.sh          all of them
#   mutants.sh credit   those whose name contains "credit"
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
run=("$here/run_icarus.sh" mesh_router_tb LocalPorts=2 Vcs=2 LocalVcs=2 Depth=3 +cycles=1500)

# name | file | what is there | what is put in its place (fixed strings, each found exactly once)
mutants='
input pointer moves without a grant|input_port.sv|.advance_i(granted_i)|.advance_i(nominee_valid_o)
output pointer never moves|output_port.sv|.advance_i(grant_valid_o)|.advance_i(1'\''b0)
pointer stops at the winner|rr_arbiter.sv|index_o + 1'\''b1|index_o
pointer does not wrap|rr_arbiter.sv|(index_o == Last) ? '\''0 : |
one credit too many after reset|credit_counter.sv|count_q <= Full;|count_q <= Full + 1'\''b1;
one credit too few after reset|credit_counter.sv|count_q <= Full;|count_q <= Full - 1'\''b1;
credit lost when another is spent|credit_counter.sv|spend_i && !gain_i|spend_i
credit goes back to VC 0|input_port.sv|granted_i ? nominee_o : '\''0|'\''0
body flits ignore credits|input_vc.sv|active_q ? has_credit_i[{out_port_q, out_vc_q}]|active_q ? 1'\''b1
heads ignore credits|output_port.sv|~owned_q & has_credit_o[Vcs-1:0]|~owned_q
heads ignore owners|output_port.sv|~owned_q & has_credit_o[Vcs-1:0]|has_credit_o[Vcs-1:0]
owned VC not freed by the tail|output_port.sv|owned_q[w] <= !tail_i|owned_q[w] <= 1'\''b1
VC freed by the head|output_port.sv|owned_q[w] <= !tail_i|owned_q[w] <= !head_i && !tail_i
active VC not ended by the tail|input_vc.sv|active_q <= !front_is_tail|active_q <= 1'\''b1
output VC not kept for the body|input_vc.sv|out_vc_q <= request_vc_o|out_vc_q <= 1'\''b0
highest free VC first|output_port.sv|for (int w = Vcs - 1; w >= 0; w--)|for (int w = 0; w < Vcs; w++)
equal x counts as further on|route_xy.sv|dest_x_i > x_i|dest_x_i >= x_i
y before x|route_xy.sv|dest_x_i < x_i|dest_x_i < x_i && dest_y_i == y_i
coordinates compared as signed|route_xy.sv|dest_y_i > y_i|$signed(dest_y_i) > $signed(y_i)
all packets eject at port 4|mesh_router.sv|noc_pkg::ExternalPorts + i % LocalPorts|noc_pkg::ExternalPorts
FIFO wraps one place early|flit_fifo.sv|write_q == LastPlace|write_q == LastPlace - 1'\''b1
FIFO loses count on push and pop|flit_fifo.sv|push_i && !pop_i|push_i
idle outputs are not 0|crossbar.sv|grant_valid_i[o] ? |1'\''b1 ? 
out_vc survives reset|input_vc.sv|out_vc_q <= '\''0;|
owners survive reset|output_port.sv|!rst_ni|!rst_ni && owned_q[w] === 1'\''bx
'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
missed=0
tried=0

"${run[@]}" >"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; echo "the router fails unbroken"; exit 1; }
while IFS='|' read -r name file old new; do
  [[ -n $name && $name == *"${1:-}"* ]] || continue
  rm -rf "$scratch/rtl"
  cp -r "$here/../../rtl" "$scratch/rtl"
  sed -i "s/holds_i !== 1'b1/1'b0/" "$scratch/rtl/invariant.sv"
  count=$(grep -oF -- "$old" "$scratch/rtl/$file" | wc -l)
  [ "$count" -eq 1 ] || { echo "'$old' stands $count times in $file"; exit 1; }
  OLD=$old NEW=$new perl -pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$scratch/rtl/$file"
  tried=$((tried + 1))
  # A failure for want of stimulus is no discovery.
  if ANNELID_RTL=$scratch/rtl "${run[@]}" >"$scratch/log" 2>&1 ||
    ! grep -q FATAL "$scratch/log" || grep -q 'only\|never used\|VCs in use' "$scratch/log"; then
    echo "MISSED   $name"
    tail -n 3 "$scratch/log"
    missed=$((missed + 1))
  else
    echo "noticed  $name:$(sed -n 's/^FATAL: [^ ]*//p' "$scratch/log" | head -n 1)"
  fi
done <<<"$mutants"

echo "$((tried - missed)) of $tried noticed"
[ "$tried" -gt 0 ] && [ "$missed" -eq 0 ] && echo PASS
