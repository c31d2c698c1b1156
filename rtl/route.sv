// The routing function of a switch, chosen by its code (docs/internals/microarchitecture.md,
// section 5.1). It is combinational.
//
// Each function is a module of its own. It has the pins of this module, and all parameters but
// Routing. A new one needs a branch below. Its code comes from interface/router.toml.
module route #(
    /// The function: 0 is xy_route, 1 is yx_route.
    parameter int Routing = 0,
    /// The dimensions that the switch serves: FirstDim, FirstDim + 1, ... Its port 2k leads up in
    /// dimension FirstDim + k, port 2k+1 down.
    parameter int FirstDim = 0,
    parameter int Dims = 2,
    /// Ports of the switch.
    parameter int Ports = 8,
    /// Bit d: dimension d is a ring.
    parameter int Torus = 0,
    /// Classes of VCs in rings.
    parameter int Classes = 1,
    /// Derived, not to be set.
    localparam int IndexBits = $clog2(Ports),
    /// Sizes that all modules share.
    localparam int ClassBits = noc_pkg::ClassBits,
    localparam int AddressBits = noc_pkg::AddressBits
) (
    /// This router's coordinates, and the greatest coordinates of the network.
    input logic [AddressBits-1:0] address_i,
    input logic [AddressBits-1:0] last_i,
    /// The packet's destination and source.
    input logic [AddressBits-1:0] dest_i,
    input logic [AddressBits-1:0] source_i,
    /// The port of the switch for a packet that has no hop in its dimensions.
    input logic [IndexBits-1:0] through_i,
    /// The output port, and the class of its VCs that the packet may take.
    output logic [IndexBits-1:0] port_o,
    output logic [ClassBits-1:0] class_o
);

  generate
    case (Routing)
      0: begin : g_xy
        xy_route #(
            .FirstDim(FirstDim),
            .Dims(Dims),
            .Ports(Ports),
            .Torus(Torus),
            .Classes(Classes)
        ) u_xy (
            .address_i, .last_i, .dest_i, .source_i, .through_i, .port_o, .class_o
        );
      end
      1: begin : g_yx
        yx_route #(
            .FirstDim(FirstDim),
            .Dims(Dims),
            .Ports(Ports),
            .Torus(Torus),
            .Classes(Classes)
        ) u_yx (
            .address_i, .last_i, .dest_i, .source_i, .through_i, .port_o, .class_o
        );
      end
      default: begin : g_refused
        parameter_check #(.Routing(Routing)) u_check ();
      end
    endcase
  endgenerate

endmodule
