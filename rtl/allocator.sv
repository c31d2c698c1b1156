// An allocator, chosen by its code. It allocates the outputs' channels to input VCs (SA), or the
// outputs' VCs to heads (VA with four stages).
//
// Each kind of allocator is a module of its own. It has the pins of this module, and all parameters
// but Allocator. A new one needs a branch below, and its code in parameter_check. In a cycle an
// input port wins at most once, an output port gives at most one grant, and only requests are
// granted.
module allocator #(
    /// The kind: 0 is separable_allocator.
    parameter int Allocator = 0,
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
    /// Per input port: the nominated VC (0 if none), and whether it is granted.
    output logic [Ports*VcBits-1:0] nominee_o,
    output logic [Ports-1:0] granted_o,
    /// Per output port: whether it is granted, and to which input port (0 if to none).
    output logic [Ports-1:0] grant_valid_o,
    output logic [Ports*IndexBits-1:0] grant_in_o,
    /// Pointers of the arbiters of the inputs and of the outputs, for an observer; 0 in an
    /// allocator that has none.
    output logic [Ports*VcBits-1:0] in_pointer_o,
    output logic [Ports*IndexBits-1:0] out_pointer_o
);

  generate
    case (Allocator)
      0: begin : g_separable
        separable_allocator #(
            .Ports(Ports),
            .Externals(Externals),
            .Rings(Rings),
            .Vcs(Vcs),
            .RingVcs(RingVcs),
            .OtherVcs(OtherVcs),
            .Arbiters(Arbiters)
        ) u_separable (
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
