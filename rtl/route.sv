// Route computation of a switch, in dimension order (docs/internals/microarchitecture.md, section
// 5.1). It is combinational.
//
// The first dimension in which the packet is not at its destination decides, so a packet never
// turns back to an earlier one.
module route #(
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
    localparam int IndexBits = $clog2(Ports)
) (
    /// This router's coordinates, and the greatest coordinates of the network.
    input logic [noc_pkg::AddressBits-1:0] address_i,
    input logic [noc_pkg::AddressBits-1:0] last_i,
    /// The packet's destination and source.
    input logic [noc_pkg::AddressBits-1:0] dest_i,
    input logic [noc_pkg::AddressBits-1:0] source_i,
    /// The port of the switch for a packet that has no hop in its dimensions.
    input logic [IndexBits-1:0] through_i,
    /// The output port, and the class of its VCs that the packet may take.
    output logic [IndexBits-1:0] port_o,
    output logic [noc_pkg::ClassBits-1:0] class_o
);

  logic [Dims-1:0] up;
  logic [Dims-1:0] down;
  logic [Dims*noc_pkg::ClassBits-1:0] classes;

  generate
    for (genvar k = 0; k < Dims; k++) begin
      localparam int Lsb = (FirstDim + k) * noc_pkg::CoordBits;
      route_dimension #(
          .Ring((Torus >> (FirstDim + k)) & 1),
          .Classes(Classes)
      ) u_dimension (
          .here_i(address_i[Lsb+:noc_pkg::CoordBits]),
          .last_i(last_i[Lsb+:noc_pkg::CoordBits]),
          .dest_i(dest_i[Lsb+:noc_pkg::CoordBits]),
          .source_i(source_i[Lsb+:noc_pkg::CoordBits]),
          .up_o(up[k]),
          .down_o(down[k]),
          .class_o(classes[k*noc_pkg::ClassBits+:noc_pkg::ClassBits])
      );
    end
  endgenerate

  // The loop runs downwards, so the first dimension decides.
  function automatic logic [IndexBits-1:0] first_way(input logic [Dims-1:0] ups,
                                                     input logic [Dims-1:0] downs,
                                                     input logic [IndexBits-1:0] through);
    first_way = through;
    for (int k = Dims - 1; k >= 0; k--) begin
      if (ups[k]) first_way = IndexBits'(2 * k);
      if (downs[k]) first_way = IndexBits'(2 * k + 1);
    end
  endfunction

  function automatic logic [noc_pkg::ClassBits-1:0] first_class(
      input logic [Dims-1:0] ways, input logic [Dims*noc_pkg::ClassBits-1:0] all);
    first_class = '0;
    for (int k = Dims - 1; k >= 0; k--) begin
      if (ways[k]) first_class = all[k*noc_pkg::ClassBits+:noc_pkg::ClassBits];
    end
  endfunction

  assign port_o = first_way(up, down, through_i);
  assign class_o = first_class(up | down, classes);

  // Coordinates of dimensions that the switch does not serve.
  logic unused_coordinates;
  assign unused_coordinates = ^{address_i, last_i, dest_i, source_i};

endmodule
