// The crossbar: each granted output carries the flit of the input that won it.
//
// It is combinational. An output that is not granted carries zeros.
module crossbar #(
    /// Ports of the switch.
    parameter int Ports = 8,
    /// Derived, not to be set.
    localparam int IndexBits = $clog2(Ports)
) (
    /// Per input port: its flit.
    input logic [Ports*noc_pkg::FlitBits-1:0] flit_i,
    /// Per output port: it is granted.
    input logic [Ports-1:0] grant_valid_i,
    /// Per output port: the input port that won it.
    input logic [Ports*IndexBits-1:0] grant_in_i,
    /// Per output port: its flit.
    output logic [Ports*noc_pkg::FlitBits-1:0] flit_o
);

  generate
    for (genvar o = 0; o < Ports; o++) begin : g_output
      logic [IndexBits-1:0] from;
      assign from = grant_in_i[o*IndexBits+:IndexBits];
      assign flit_o[o*noc_pkg::FlitBits+:noc_pkg::FlitBits]
          = grant_valid_i[o] ? flit_i[from*noc_pkg::FlitBits+:noc_pkg::FlitBits] : '0;
    end
  endgenerate

endmodule
