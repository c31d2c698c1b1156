// An arbiter, chosen by its code (docs/internals/microarchitecture.md, section 4, "Arbiters").
//
// Each kind of arbiter is a module of its own. It has the pins of this module, and all parameters
// but Arbiters. A new one needs a branch below, and one in arbiter_pick. Its code comes from
// interface/router.toml. The pick must not depend on advance_i, which depends on the pick.
module arbiter #(
    /// The kind: 0 is rr_arbiter (round-robin), 1 is matrix_arbiter (least recently served), 2 is
    /// fixed_priority_arbiter (the lowest).
    parameter int Arbiters = 0,
    /// Number of requesters, 1..2^IndexBits.
    parameter int Requests = 4,
    /// Bits of a requester's number.
    parameter int IndexBits = 3,
    /// Derived, not to be set.
    localparam int OrderBits = noc_pkg::order_bits(Arbiters, Requests, IndexBits)
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
    output logic [IndexBits-1:0] pointer_o,
    /// The order, for further picks with it in this cycle (module arbiter_pick).
    output logic [OrderBits-1:0] order_o
);

  generate
    case (Arbiters)
      0: begin : g_round_robin
        rr_arbiter #(
            .Requests(Requests),
            .IndexBits(IndexBits)
        ) u_round_robin (
            .clk_i, .rst_ni, .request_i, .advance_i, .valid_o, .index_o, .pointer_o,
            .order_o
        );
      end
      1: begin : g_matrix
        matrix_arbiter #(
            .Requests(Requests),
            .IndexBits(IndexBits)
        ) u_matrix (
            .clk_i, .rst_ni, .request_i, .advance_i, .valid_o, .index_o, .pointer_o,
            .order_o
        );
      end
      2: begin : g_fixed_priority
        fixed_priority_arbiter #(
            .Requests(Requests),
            .IndexBits(IndexBits)
        ) u_fixed_priority (
            .clk_i, .rst_ni, .request_i, .advance_i, .valid_o, .index_o, .pointer_o,
            .order_o
        );
      end
      default: begin : g_refused
        parameter_check #(.Arbiters(Arbiters)) u_check ();
      end
    endcase
  endgenerate

endmodule
