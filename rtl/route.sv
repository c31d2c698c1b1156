// The routing function of a switch, chosen by its code (docs/internals/microarchitecture.md,
// section 5.1). It is combinational.
//
// Each function is a module of its own. It has the pins of this module, and all parameters but
// Routing, and Orders if it has one order. A new one needs a branch below. Its code comes from
// interface/router.toml. The turn models share a module, turn_model_route, and are rules in it.
module route #(
    /// The function: 0 is xy_route, 1 is yx_route, 2 is o1turn_route, 3 to 6 are turn_model_route.
    parameter int Routing = 0,
    /// The dimensions that the switch serves: FirstDim, FirstDim + 1, ... Its port 2k leads up in
    /// dimension FirstDim + k, port 2k+1 down.
    parameter int FirstDim = 0,
    parameter int Dims = 2,
    /// Ports of the switch.
    parameter int Ports = 8,
    /// Bit d: dimension d is a ring.
    parameter int Torus = 0,
    /// Classes of VCs in rings, and orders of dimensions that have classes of their own; bits of a
    /// class's number.
    parameter int Classes = 1,
    parameter int Orders = 1,
    parameter int ClassBits = noc_pkg::RingClassBits,
    /// Derived, not to be set: bits of a port's number, and external outputs.
    localparam int IndexBits = $clog2(Ports),
    localparam int Outputs = 2 * Dims,
    /// Sizes that all modules share.
    localparam int AddressBits = noc_pkg::AddressBits,
    localparam int DataBits = noc_pkg::DataBits
) (
    /// This router's coordinates, and the greatest coordinates of the network.
    input logic [AddressBits-1:0] address_i,
    input logic [AddressBits-1:0] last_i,
    /// The packet's destination and source.
    input logic [AddressBits-1:0] dest_i,
    input logic [AddressBits-1:0] source_i,
    /// All of its head's data.
    input logic [DataBits-1:0] data_i,
    /// [a*Outputs + b], for an external output b of a higher dimension than a: b has more room than a
    /// to heads of the packet's kind. 0 unless the function asks for it (noc_pkg::is_turn_model).
    input logic [Outputs*Outputs-1:0] roomier_i,
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
            .Classes(Classes),
            .ClassBits(ClassBits)
        ) u_xy (
            .address_i, .last_i, .dest_i, .source_i, .data_i, .roomier_i, .through_i, .port_o,
            .class_o
        );
      end
      1: begin : g_yx
        yx_route #(
            .FirstDim(FirstDim),
            .Dims(Dims),
            .Ports(Ports),
            .Torus(Torus),
            .Classes(Classes),
            .ClassBits(ClassBits)
        ) u_yx (
            .address_i, .last_i, .dest_i, .source_i, .data_i, .roomier_i, .through_i, .port_o,
            .class_o
        );
      end
      2: begin : g_o1turn
        o1turn_route #(
            .FirstDim(FirstDim),
            .Dims(Dims),
            .Ports(Ports),
            .Torus(Torus),
            .Classes(Classes),
            .Orders(Orders),
            .ClassBits(ClassBits)
        ) u_o1turn (
            .address_i, .last_i, .dest_i, .source_i, .data_i, .roomier_i, .through_i, .port_o,
            .class_o
        );
      end
      3, 4, 5, 6: begin : g_turn_model
        turn_model_route #(
            .Routing(Routing),
            .FirstDim(FirstDim),
            .Dims(Dims),
            .Ports(Ports),
            .Torus(Torus),
            .Classes(Classes),
            .ClassBits(ClassBits)
        ) u_turn_model (
            .address_i, .last_i, .dest_i, .source_i, .data_i, .roomier_i, .through_i, .port_o,
            .class_o
        );
      end
      default: begin : g_refused
        parameter_check #(.Routing(Routing)) u_check ();
      end
    endcase
  endgenerate

endmodule
