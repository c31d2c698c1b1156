// Route computation in all dimensions of a switch: route_dimension for each of them. The routing
// functions choose one of the dimensions.
module route_dimensions #(
    /// As in module route.
    parameter int FirstDim = 0,
    parameter int Dims = 2,
    parameter int Torus = 0,
    parameter int Classes = 1,
    /// Sizes that all modules share.
    localparam int ClassBits = noc_pkg::ClassBits,
    localparam int CoordBits = noc_pkg::CoordBits,
    localparam int AddressBits = noc_pkg::AddressBits
) (
    /// As in module route.
    input logic [AddressBits-1:0] address_i,
    input logic [AddressBits-1:0] last_i,
    input logic [AddressBits-1:0] dest_i,
    input logic [AddressBits-1:0] source_i,
    /// Per dimension, FirstDim first: the packet has to go up there, or down, and on which class.
    output logic [Dims-1:0] up_o,
    output logic [Dims-1:0] down_o,
    output logic [Dims*ClassBits-1:0] class_o
);

  generate
    for (genvar k = 0; k < Dims; k++) begin : g_dim
      localparam int Lsb = (FirstDim + k) * CoordBits;
      route_dimension #(
          .Ring((Torus >> (FirstDim + k)) & 1),
          .Classes(Classes)
      ) u_dimension (
          .here_i(address_i[Lsb+:CoordBits]),
          .last_i(last_i[Lsb+:CoordBits]),
          .dest_i(dest_i[Lsb+:CoordBits]),
          .source_i(source_i[Lsb+:CoordBits]),
          .up_o(up_o[k]),
          .down_o(down_o[k]),
          .class_o(class_o[k*ClassBits+:ClassBits])
      );
    end
  endgenerate

  // Coordinates of dimensions that the switch does not serve.
  logic unused_coordinates;
  assign unused_coordinates = ^{address_i, last_i, dest_i, source_i};

endmodule
