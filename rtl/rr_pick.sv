// The pick of a round-robin arbiter: the first requester at or after its pointer, wrapping around.
// Pins and parameters are those of module arbiter_pick.
module rr_pick #(
    parameter int Requests = 4,
    parameter int IndexBits = 3,
    /// Derived, not to be set: the order is the pointer.
    localparam int OrderBits = IndexBits
) (
    input logic [OrderBits-1:0] order_i,
    input logic [Requests-1:0] request_i,
    output logic valid_o,
    output logic [IndexBits-1:0] index_o
);

  // Both loops run downwards, so the lowest requester remains. The second loop, over requesters at
  // or after the pointer, overrides the first.
  function automatic logic [IndexBits-1:0] first_from(input logic [IndexBits-1:0] start,
                                                      input logic [Requests-1:0] candidates);
    first_from = '0;
    for (int k = Requests - 1; k >= 0; k--) begin
      if (candidates[k]) first_from = IndexBits'(k);
    end
    for (int k = Requests - 1; k >= 0; k--) begin
      if (candidates[k] && IndexBits'(k) >= start) first_from = IndexBits'(k);
    end
  endfunction

  assign valid_o = |request_i;
  assign index_o = first_from(order_i, request_i);

endmodule
