// Round-robin arbiter: picks the first requester at or after a pointer, wrapping around.
//
// The pick is combinational. The pointer moves just behind the pick, but only if advance_i says
// that the pick is final, so a requester that wins here but loses elsewhere keeps its turn. If
// every pick is final, a requester waits for at most Requests - 1 other picks.
module rr_arbiter #(
    /// Number of requesters, 1..2^IndexBits.
    parameter int Requests = 4,
    /// Bits of a requester's number.
    parameter int IndexBits = 3,
    /// Derived, not to be set: the order is the pointer.
    localparam int OrderBits = IndexBits
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low: the pointer becomes 0.
    input logic rst_ni,
    /// The requests.
    input logic [Requests-1:0] request_i,
    /// The pick of this cycle is final. May be 1 only while there is a pick.
    input logic advance_i,
    /// A requester is picked, because at least one requests.
    output logic valid_o,
    /// The requester that is picked; 0 if there is none.
    output logic [IndexBits-1:0] index_o,
    /// The pointer.
    output logic [IndexBits-1:0] pointer_o,
    /// The order, for further picks with it (module rr_pick).
    output logic [OrderBits-1:0] order_o
);

  localparam logic [IndexBits-1:0] Last = IndexBits'(Requests - 1);

  logic [IndexBits-1:0] pointer_q;

  // ---- datapath --------------------------------------------------------------------------------
  rr_pick #(
      .Requests(Requests),
      .IndexBits(IndexBits)
  ) u_pick (
      .order_i(pointer_q), .request_i, .valid_o, .index_o
  );

  assign pointer_o = pointer_q;
  assign order_o = pointer_q;

  // ---- registers -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) pointer_q <= '0;
    else if (advance_i) pointer_q <= (index_o == Last) ? '0 : index_o + 1'b1;
  end

  // ---- assertions ------------------------------------------------------------------------------
  invariant final_pick_exists (.clk_i, .rst_ni, .holds_i(!advance_i || valid_o));
  invariant pointer_in_range (.clk_i, .rst_ni, .holds_i(32'(pointer_q) < Requests));

endmodule
