// What an arbiter would pick of other requests in this cycle, by the code of the arbiter
// (docs/internals/microarchitecture.md, section 4, "Arbiters"). It is combinational: the order is
// that of an arbiter (module arbiter), which makes its own pick by the same module.
//
// Each kind of arbiter has a module for its pick. It has the pins of this module, and all parameters
// but Arbiters.
module arbiter_pick #(
    /// The kind: 0 is rr_pick, 1 is matrix_pick, 2 is fixed_priority_pick.
    parameter int Arbiters = 0,
    /// As in module arbiter.
    parameter int Requests = 4,
    parameter int IndexBits = 3,
    /// Derived, not to be set.
    localparam int OrderBits = noc_pkg::order_bits(Arbiters, Requests, IndexBits)
) (
    /// The order of the requesters, from an arbiter of this kind with as many.
    input logic [OrderBits-1:0] order_i,
    /// The requests.
    input logic [Requests-1:0] request_i,
    /// A requester is picked, because at least one requests.
    output logic valid_o,
    /// The requester that is picked; 0 if there is none.
    output logic [IndexBits-1:0] index_o
);

  generate
    case (Arbiters)
      0: begin : g_round_robin
        rr_pick #(
            .Requests(Requests),
            .IndexBits(IndexBits)
        ) u_round_robin (
            .order_i, .request_i, .valid_o, .index_o
        );
      end
      1: begin : g_matrix
        matrix_pick #(
            .Requests(Requests),
            .IndexBits(IndexBits)
        ) u_matrix (
            .order_i, .request_i, .valid_o, .index_o
        );
      end
      2: begin : g_fixed_priority
        fixed_priority_pick #(
            .Requests(Requests),
            .IndexBits(IndexBits)
        ) u_fixed_priority (
            .order_i, .request_i, .valid_o, .index_o
        );
      end
      default: begin : g_refused
        parameter_check #(.Arbiters(Arbiters)) u_check ();
      end
    endcase
  endgenerate

endmodule
