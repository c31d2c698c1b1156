// Fixed-priority arbiter: picks the lowest requester.
//
// The order 0, 1, 2, ... never changes, so there is no register. A requester can wait as long as
// lower ones request (docs/internals/microarchitecture.md, section 7).
module fixed_priority_arbiter #(
    /// Number of requesters, 1..2^IndexBits.
    parameter int Requests = 4,
    /// Bits of a requester's number.
    parameter int IndexBits = 3
) (
    /// Clock, and synchronous reset, active low: of the assertion alone.
    input logic clk_i,
    input logic rst_ni,
    /// The requests.
    input logic [Requests-1:0] request_i,
    /// The pick of this cycle is final. May be 1 only while there is a pick.
    input logic advance_i,
    /// A requester is picked, because at least one requests.
    output logic valid_o,
    /// The requester that is picked; 0 if there is none.
    output logic [IndexBits-1:0] index_o,
    /// Requester 0, which would be picked if all requested.
    output logic [IndexBits-1:0] pointer_o
);

  // The loop runs downwards, so the lowest requester remains.
  function automatic logic [IndexBits-1:0] lowest(input logic [Requests-1:0] candidates);
    lowest = '0;
    for (int k = Requests - 1; k >= 0; k--) begin
      if (candidates[k]) lowest = IndexBits'(k);
    end
  endfunction

  assign valid_o = |request_i;
  assign index_o = lowest(request_i);
  assign pointer_o = '0;

  // ---- assertions ------------------------------------------------------------------------------
  invariant final_pick_exists (.clk_i, .rst_ni, .holds_i(!advance_i || valid_o));

endmodule
