// The crossbar: each granted output carries the flit of the input that won it.
//
// Combinational. An output that is not granted carries zeros.
module crossbar #(
    /// Ports of the router.
    parameter int Ports = 8
) (
    /// Per input port: the nominee's flit.
    input logic [Ports*noc_pkg::FlitBits-1:0] flit_i,
    /// Per output port: it is granted.
    input logic [Ports-1:0] grant_valid_i,
    /// Per output port: the input port that won it.
    input logic [Ports*noc_pkg::PortBits-1:0] grant_in_i,
    /// Per output port: the flit.
    output logic [Ports*noc_pkg::FlitBits-1:0] flit_o
);

  generate
    for (genvar o = 0; o < Ports; o++) begin
      logic [noc_pkg::PortBits-1:0] from;
      assign from = grant_in_i[o*noc_pkg::PortBits+:noc_pkg::PortBits];
      assign flit_o[o*noc_pkg::FlitBits+:noc_pkg::FlitBits]
          = grant_valid_i[o] ? flit_i[from*noc_pkg::FlitBits+:noc_pkg::FlitBits] : '0;
    end
  endgenerate

endmodule
