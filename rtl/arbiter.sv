// An arbiter of either kind (docs/internals/microarchitecture.md, section 4, "Arbiters").
module arbiter #(
    /// Number of requesters, 1..2^IndexBits.
    parameter int Requests = 4,
    /// Bits of a requester's number.
    parameter int IndexBits = 3,
    /// 0: round-robin, 1: matrix (least recently served).
    parameter int Matrix = 0
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low: requester 0 goes first, then 1, ...
    input logic rst_ni,
    /// The requests.
    input logic [Requests-1:0] request_i,
    /// The pick of this cycle is final. May be 1 only while there is a pick.
    input logic advance_i,
    /// A requester is picked, because at least one requests.
    output logic valid_o,
    /// The requester that is picked; 0 if there is none.
    output logic [IndexBits-1:0] index_o,
    /// The requester that would be picked if all requested.
    output logic [IndexBits-1:0] pointer_o
);

  generate
    if (Matrix != 0) begin
      matrix_arbiter #(
          .Requests(Requests),
          .IndexBits(IndexBits)
      ) u_matrix (
          .clk_i, .rst_ni, .request_i, .advance_i, .valid_o, .index_o, .pointer_o
      );
    end else begin
      rr_arbiter #(
          .Requests(Requests),
          .IndexBits(IndexBits)
      ) u_round_robin (
          .clk_i, .rst_ni, .request_i, .advance_i, .valid_o, .index_o, .pointer_o
      );
    end
  endgenerate

endmodule
