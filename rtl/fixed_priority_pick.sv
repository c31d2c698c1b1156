// The pick of a fixed-priority arbiter: the lowest requester. Pins and parameters are those of
// module arbiter_pick.
module fixed_priority_pick #(
    parameter int Requests = 4,
    parameter int IndexBits = 3,
    /// Derived, not to be set: an order that never changes is one bit, which is 0.
    localparam int OrderBits = 1
) (
    input logic [OrderBits-1:0] order_i,
    input logic [Requests-1:0] request_i,
    output logic valid_o,
    output logic [IndexBits-1:0] index_o
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

  logic unused_order;
  assign unused_order = ^order_i;

endmodule
