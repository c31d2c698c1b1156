// Routing in one of two orders of dimensions, by the packet: x, then y, then z, or the other way
// round (docs/internals/microarchitecture.md, section 5.1).
//
// The parity of the head's data is the order. Every router computes the same one, so a packet keeps
// it. Each order has classes of VCs of its own, so packets of one order never wait for those of the
// other. Pins and parameters are those of module route.
module o1turn_route #(
    parameter int FirstDim = 0,
    parameter int Dims = 2,
    parameter int Ports = 8,
    parameter int Torus = 0,
    parameter int Classes = 1,
    parameter int Orders = 1,
    parameter int ClassBits = noc_pkg::RingClassBits,
    /// Derived, not to be set.
    localparam int IndexBits = $clog2(Ports),
    localparam int Outputs = 2 * Dims,
    /// Sizes that all modules share.
    localparam int RingClassBits = noc_pkg::RingClassBits,
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
  logic [Dims-1:0] away;                      // the dimensions in which it has hops left
  logic [Dims-1:0] first;                     // the first of them in its order, or none
  logic [Dims*RingClassBits-1:0] ring_class;
  logic [Dims*ClassBits-1:0] classes;         // those of the order included
  logic backwards;                            // the last dimension first

  route_dimensions #(
      .FirstDim(FirstDim),
      .Dims(Dims),
      .Torus(Torus),
      .Classes(Classes)
  ) u_dimensions (
      .address_i, .last_i, .dest_i, .source_i, .up_o(up), .down_o(down), .class_o(ring_class)
  );

  assign away = up | down;
  assign backwards = ^data_i;

  generate
    for (genvar k = 0; k < Dims; k++) begin : g_dim
      localparam logic [Dims-1:0] Below = Dims'((1 << k) - 1);
      localparam logic [Dims-1:0] Above = Dims'((1 << Dims) - (2 << k));
      // Classes of one order on the channels of this dimension.
      localparam int RingClasses = (((Torus >> (FirstDim + k)) & 1) != 0) ? Classes : 1;

      assign first[k] = away[k] && (away & (backwards ? Above : Below)) == 0;
      assign classes[k*ClassBits+:ClassBits]
          = ClassBits'(ring_class[k*RingClassBits+:RingClassBits])
          + ((Orders == 2 && backwards) ? ClassBits'(RingClasses) : ClassBits'(0));
    end
  endgenerate

  function automatic logic [IndexBits-1:0] port_of(input logic [Dims-1:0] dimension,
                                                   input logic [Dims-1:0] downs,
                                                   input logic [IndexBits-1:0] through);
    port_of = through;
    for (int k = 0; k < Dims; k++) begin
      if (dimension[k]) port_of = downs[k] ? IndexBits'(2 * k + 1) : IndexBits'(2 * k);
    end
  endfunction

  function automatic logic [ClassBits-1:0] class_of(input logic [Dims-1:0] dimension,
                                                    input logic [Dims*ClassBits-1:0] all);
    class_of = '0;
    for (int k = 0; k < Dims; k++) begin
      if (dimension[k]) class_of = all[k*ClassBits+:ClassBits];
    end
  endfunction

  assign port_o = port_of(first, down, through_i);
  assign class_o = class_of(first, classes);

  // There is one output.
  logic unused_choice;
  assign unused_choice = ^roomier_i;

endmodule
