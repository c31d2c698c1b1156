// Fixed-priority arbiter: picks the lowest requester.
//
// The order 0, 1, 2, ... never changes, so there is no register. A requester can wait as long as
// lower ones request (docs/internals/microarchitecture.md, section 7).
module fixed_priority_arbiter #(
    /// Number of requesters, 1..2^IndexBits.
    parameter int Requests = 4,
    /// Bits of a requester's number.
    parameter int IndexBits = 3,
    /// Derived, not to be set: an order that never changes is one bit, which is 0.
    localparam int OrderBits = 1
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
    output logic [IndexBits-1:0] pointer_o,
    /// The order, for further picks with it (module fixed_priority_pick).
    output logic [OrderBits-1:0] order_o
);

  assign order_o = '0;

  fixed_priority_pick #(
      .Requests(Requests),
      .IndexBits(IndexBits)
  ) u_pick (
      .order_i(order_o), .request_i, .valid_o, .index_o
  );

  assign pointer_o = '0;

  // ---- assertions ------------------------------------------------------------------------------
  invariant final_pick_exists (.clk_i, .rst_ni, .holds_i(!advance_i || valid_o));

endmodule
