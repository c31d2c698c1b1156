// Routing in the other order of dimensions: z, then y, then x
// (docs/internals/microarchitecture.md, section 5.1).
//
// The last dimension in which the packet is not at its destination decides. Pins and parameters are
// those of module route. One-port routers do not have it: their cascade leads from x to z.
module yx_route #(
    parameter int FirstDim = 0,
    parameter int Dims = 2,
    parameter int Ports = 8,
    parameter int Torus = 0,
    parameter int Classes = 1,
    /// Derived, not to be set.
    localparam int IndexBits = $clog2(Ports),
    /// Sizes that all modules share.
    localparam int ClassBits = noc_pkg::ClassBits,
    localparam int AddressBits = noc_pkg::AddressBits
) (
    input logic [AddressBits-1:0] address_i,
    input logic [AddressBits-1:0] last_i,
    input logic [AddressBits-1:0] dest_i,
    input logic [AddressBits-1:0] source_i,
    input logic [IndexBits-1:0] through_i,
    output logic [IndexBits-1:0] port_o,
    output logic [ClassBits-1:0] class_o
);

  logic [Dims-1:0] up;
  logic [Dims-1:0] down;
  logic [Dims*ClassBits-1:0] classes;

  route_dimensions #(
      .FirstDim(FirstDim),
      .Dims(Dims),
      .Torus(Torus),
      .Classes(Classes)
  ) u_dimensions (
      .address_i, .last_i, .dest_i, .source_i, .up_o(up), .down_o(down), .class_o(classes)
  );

  // The loop runs upwards, so the last dimension decides.
  function automatic logic [IndexBits-1:0] last_way(input logic [Dims-1:0] ups,
                                                    input logic [Dims-1:0] downs,
                                                    input logic [IndexBits-1:0] through);
    last_way = through;
    for (int k = 0; k < Dims; k++) begin
      if (ups[k]) last_way = IndexBits'(2 * k);
      if (downs[k]) last_way = IndexBits'(2 * k + 1);
    end
  endfunction

  function automatic logic [ClassBits-1:0] last_class(input logic [Dims-1:0] ways,
                                                      input logic [Dims*ClassBits-1:0] all);
    last_class = '0;
    for (int k = 0; k < Dims; k++) begin
      if (ways[k]) last_class = all[k*ClassBits+:ClassBits];
    end
  endfunction

  assign port_o = last_way(up, down, through_i);
  assign class_o = last_class(up | down, classes);

endmodule
