// The pick of a matrix arbiter: the requester that goes before all others. Pins and parameters are
// those of module arbiter_pick.
module matrix_pick #(
    parameter int Requests = 4,
    parameter int IndexBits = 3,
    /// Derived, not to be set: the order is a bit for each pair of requesters, and at least one bit.
    localparam int OrderBits = (Requests > 1) ? Requests * (Requests - 1) / 2 : 1
) (
    /// For a pair (a, b) with a < b, bit b*(b-1)/2 + a is 1 if a goes before b.
    input logic [OrderBits-1:0] order_i,
    input logic [Requests-1:0] request_i,
    output logic valid_o,
    output logic [IndexBits-1:0] index_o
);

  // The candidate that no other candidate precedes.
  function automatic logic [IndexBits-1:0] first_of(input logic [OrderBits-1:0] lower_first,
                                                    input logic [Requests-1:0] candidates);
    logic [Requests-1:0] preceded;
    preceded = '0;
    for (int b = 1; b < Requests; b++) begin
      for (int a = 0; a < b; a++) begin
        if (lower_first[b*(b-1)/2+a]) preceded[b] = preceded[b] || candidates[a];
        else preceded[a] = preceded[a] || candidates[b];
      end
    end
    first_of = '0;
    for (int k = 0; k < Requests; k++) begin
      if (candidates[k] && !preceded[k]) first_of = first_of | IndexBits'(k);
    end
  endfunction

  assign valid_o = |request_i;
  assign index_o = first_of(order_i, request_i);

endmodule
