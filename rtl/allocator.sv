// An allocator, chosen by its code (docs/internals/microarchitecture.md, section 5.3). It allocates
// the outputs' channels to input VCs (SA), or the outputs' VCs to heads (VA with four stages).
//
// All modules that it chooses from have its pins, and all parameters but Allocator; an allocator
// without rounds lacks Iterations, too. A new one needs a branch below. Its code comes from
// interface/router.toml. In a cycle an input port wins at most once, an output port gives at most
// one grant, and only requests are granted.
module allocator #(
    /// The kind: 0 is separable_allocator, input-first; 1 is separable_allocator, output-first; 2 is
    /// wavefront_allocator.
    parameter int Allocator = 0,
    /// Rounds in a cycle, 1..4; 1 in a wavefront allocator.
    parameter int Iterations = 1,
    /// Ports of the switch; the first Externals of them lead to neighbours, ports 2k and 2k+1 along
    /// a ring if bit k of Rings is set.
    parameter int Ports = 8,
    parameter int Externals = 4,
    parameter int Rings = 0,
    /// Numbers of virtual channels at the inputs: of external ports, of external ports along a
    /// ring, and of all other ports.
    parameter int Vcs = 1,
    parameter int RingVcs = Vcs,
    parameter int OtherVcs = 1,
    /// The code of its arbiters (module arbiter).
    parameter int Arbiters = 0,
    /// Derived, not to be set.
    localparam int IndexBits = $clog2(Ports),
    /// Sizes that all modules share.
    localparam int MaxVcs = noc_pkg::MaxVcs,
    localparam int VcBits = noc_pkg::VcBits
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Per input VC: whether it requests, and which output port.
    input logic [Ports*MaxVcs-1:0] request_i,
    input logic [Ports*MaxVcs*IndexBits-1:0] port_i,
    /// Per input port: whether it is granted, and the VC; any VC if it is not.
    output logic [Ports*VcBits-1:0] nominee_o,
    output logic [Ports-1:0] granted_o,
    /// Per output port: whether it is granted, and to which input port; any one if it is not.
    output logic [Ports-1:0] grant_valid_o,
    output logic [Ports*IndexBits-1:0] grant_in_o,
    /// For an observer: pointers of the arbiters of the inputs and of the outputs, or what stands in
    /// the place of the latter.
    output logic [Ports*VcBits-1:0] in_pointer_o,
    output logic [Ports*IndexBits-1:0] out_pointer_o
);

  generate
    case (Allocator)
      0: begin : g_input_first
        separable_allocator #(
            .OutputFirst(0),
            .Iterations(Iterations),
            .Ports(Ports),
            .Externals(Externals),
            .Rings(Rings),
            .Vcs(Vcs),
            .RingVcs(RingVcs),
            .OtherVcs(OtherVcs),
            .Arbiters(Arbiters)
        ) u_input_first (
            .clk_i, .rst_ni, .request_i, .port_i, .nominee_o, .granted_o, .grant_valid_o,
            .grant_in_o, .in_pointer_o, .out_pointer_o
        );
      end
      1: begin : g_output_first
        separable_allocator #(
            .OutputFirst(1),
            .Iterations(Iterations),
            .Ports(Ports),
            .Externals(Externals),
            .Rings(Rings),
            .Vcs(Vcs),
            .RingVcs(RingVcs),
            .OtherVcs(OtherVcs),
            .Arbiters(Arbiters)
        ) u_output_first (
            .clk_i, .rst_ni, .request_i, .port_i, .nominee_o, .granted_o, .grant_valid_o,
            .grant_in_o, .in_pointer_o, .out_pointer_o
        );
      end
      2: begin : g_wavefront
        wavefront_allocator #(
            .Ports(Ports),
            .Externals(Externals),
            .Rings(Rings),
            .Vcs(Vcs),
            .RingVcs(RingVcs),
            .OtherVcs(OtherVcs),
            .Arbiters(Arbiters)
        ) u_wavefront (
            .clk_i, .rst_ni, .request_i, .port_i, .nominee_o, .granted_o, .grant_valid_o,
            .grant_in_o, .in_pointer_o, .out_pointer_o
        );
      end
      default: begin : g_refused
        parameter_check #(.Allocator(Allocator)) u_check ();
      end
    endcase
  endgenerate

endmodule
