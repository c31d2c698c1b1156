// Matrix arbiter: picks the requester that was served least recently.
//
// One bit for each pair of requesters says which of the two goes first. A final pick makes the
// winner last in all of its pairs; the others keep their order. The pick is combinational. If every
// pick is final, a requester waits for at most Requests - 1 other picks.
module matrix_arbiter #(
    /// Number of requesters, 1..2^IndexBits.
    parameter int Requests = 4,
    /// Bits of a requester's number.
    parameter int IndexBits = 3,
    /// Derived, not to be set: the order is a bit for each pair of requesters, and at least one bit.
    localparam int OrderBits = (Requests > 1) ? Requests * (Requests - 1) / 2 : 1
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low: the order becomes 0, 1, 2, ...
    input logic rst_ni,
    /// The requests.
    input logic [Requests-1:0] request_i,
    /// The pick of this cycle is final. May be 1 only while there is a pick.
    input logic advance_i,
    /// A requester is picked, because at least one requests.
    output logic valid_o,
    /// The requester that is picked; 0 if there is none.
    output logic [IndexBits-1:0] index_o,
    /// The first requester in the order: it would be picked if all requested.
    output logic [IndexBits-1:0] pointer_o,
    /// The order, for further picks with it (module matrix_pick).
    output logic [OrderBits-1:0] order_o
);

  // For a pair (a, b) with a < b, bit b*(b-1)/2 + a is 1 if a goes before b. A single requester has
  // no pair, and an unused bit.
  logic [OrderBits-1:0] lower_first_q;

  // ---- datapath --------------------------------------------------------------------------------
  function automatic logic [OrderBits-1:0] made_last(input logic [OrderBits-1:0] lower_first,
                                                     input logic [IndexBits-1:0] winner);
    made_last = lower_first;
    for (int b = 1; b < Requests; b++) begin
      for (int a = 0; a < b; a++) begin
        if (winner == IndexBits'(b)) made_last[b*(b-1)/2+a] = 1'b1;
        if (winner == IndexBits'(a)) made_last[b*(b-1)/2+a] = 1'b0;
      end
    end
  endfunction

  matrix_pick #(
      .Requests(Requests),
      .IndexBits(IndexBits)
  ) u_pick (
      .order_i(lower_first_q), .request_i, .valid_o, .index_o
  );

  logic unused_valid;
  matrix_pick #(
      .Requests(Requests),
      .IndexBits(IndexBits)
  ) u_first (
      .order_i(lower_first_q),
      .request_i({Requests{1'b1}}),
      .valid_o(unused_valid),
      .index_o(pointer_o)
  );

  assign order_o = lower_first_q;

  // ---- registers -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) lower_first_q <= '1;
    else if (advance_i) lower_first_q <= made_last(lower_first_q, index_o);
  end

  // ---- assertions ------------------------------------------------------------------------------
  invariant final_pick_exists (.clk_i, .rst_ni, .holds_i(!advance_i || valid_o));
  invariant only_requesters_are_picked (
      .clk_i, .rst_ni, .holds_i(!valid_o || 1'(request_i >> index_o))
  );

endmodule
