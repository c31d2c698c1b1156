// Routing by a turn model in a mesh of two dimensions (docs/internals/microarchitecture.md, section
// 5.1). A rule says which outputs are permitted, and their room which of them a head takes. Pins and
// parameters are those of module route.
//
// Each rule is a module of its own, with the pins east_i .. permitted_o. A new one needs a branch
// below, and its code there and in module route. It must permit an output to each packet that is not
// at its destination, at most one in each dimension, and only outputs that lead nearer to it.
module turn_model_route #(
    parameter int Routing = 3,
    parameter int FirstDim = 0,
    parameter int Dims = 2,
    parameter int Ports = 8,
    parameter int Torus = 0,
    parameter int Classes = 1,
    parameter int ClassBits = noc_pkg::RingClassBits,
    /// Derived, not to be set.
    localparam int IndexBits = $clog2(Ports),
    localparam int Outputs = 2 * Dims,
    /// Sizes that all modules share.
    localparam int RingClassBits = noc_pkg::RingClassBits,
    localparam int CoordBits = noc_pkg::CoordBits,
    localparam int AddressBits = noc_pkg::AddressBits,
    localparam int DataBits = noc_pkg::DataBits
) (
    input logic [AddressBits-1:0] address_i,
    input logic [AddressBits-1:0] last_i,
    input logic [AddressBits-1:0] dest_i,
    input logic [AddressBits-1:0] source_i,
    input logic [DataBits-1:0] data_i,
    input logic [Outputs*Outputs-1:0] roomier_i,
    input logic [IndexBits-1:0] through_i,
    output logic [IndexBits-1:0] port_o,
    output logic [ClassBits-1:0] class_o
);

  logic [Dims-1:0] up;
  logic [Dims-1:0] down;
  logic [Dims*RingClassBits-1:0] classes;
  logic [Outputs-1:0] permitted;
  logic [Outputs-1:0] taken;

  route_dimensions #(
      .FirstDim(FirstDim),
      .Dims(Dims),
      .Torus(Torus),
      .Classes(Classes)
  ) u_dimensions (
      .address_i, .last_i, .dest_i, .source_i, .up_o(up), .down_o(down), .class_o(classes)
  );

  // ---- the rule --------------------------------------------------------------------------------
  // Where the packet has to go, the columns of this router, of the destination and of the source,
  // and per output (east, west, north, south) whether it is permitted.
`define RULE_PINS \
      .east_i(up[0]), .west_i(down[0]), .north_i(up[1]), .south_i(down[1]), \
      .column_i(address_i[0+:CoordBits]), .dest_column_i(dest_i[0+:CoordBits]), \
      .source_column_i(source_i[0+:CoordBits]), .permitted_o(permitted)

  generate
    case (Routing)
      3: begin : g_west_first
        west_first u_west_first (`RULE_PINS);
      end
      4: begin : g_north_last
        north_last u_north_last (`RULE_PINS);
      end
      5: begin : g_negative_first
        negative_first u_negative_first (`RULE_PINS);
      end
      6: begin : g_odd_even
        odd_even u_odd_even (`RULE_PINS);
      end
      default: begin : g_refused
        parameter_check #(.Routing(Routing)) u_check ();
      end
    endcase
  endgenerate

`undef RULE_PINS

  // ---- the choice ------------------------------------------------------------------------------
  roomiest_output #(
      .Outputs(Outputs)
  ) u_choice (
      .permitted_i(permitted), .roomier_i, .taken_o(taken)
  );

  function automatic logic [IndexBits-1:0] port_of(input logic [Outputs-1:0] output_taken,
                                                   input logic [IndexBits-1:0] through);
    port_of = through;
    for (int o = 0; o < Outputs; o++) begin
      if (output_taken[o]) port_of = IndexBits'(o);
    end
  endfunction

  assign port_o = port_of(taken, through_i);

  // The channels of a mesh have one class.
  assign class_o = '0;
  logic unused_pins;
  assign unused_pins = ^{classes, data_i};

endmodule
