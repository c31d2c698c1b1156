// Route computation (docs/microarchitecture.md, 5.1): dimension order, x before y, on a mesh.
//
// Combinational. x is corrected first, so a packet never turns from y to x, and the network of such
// routers cannot deadlock.
module route_xy #(
    /// The port that takes a packet which has arrived. It depends on the input port alone.
    parameter int EjectPort = noc_pkg::ExternalPorts
) (
    /// Coordinates of this router.
    input logic [noc_pkg::CoordBits-1:0] x_i,
    input logic [noc_pkg::CoordBits-1:0] y_i,
    /// Coordinates of the packet's destination.
    input logic [noc_pkg::CoordBits-1:0] dest_x_i,
    input logic [noc_pkg::CoordBits-1:0] dest_y_i,
    /// The output port.
    output logic [noc_pkg::PortBits-1:0] port_o
);

  assign port_o = (dest_x_i > x_i) ? noc_pkg::PortBits'(noc_pkg::PortPlusX)
      : (dest_x_i < x_i) ? noc_pkg::PortBits'(noc_pkg::PortMinusX)
      : (dest_y_i > y_i) ? noc_pkg::PortBits'(noc_pkg::PortPlusY)
      : (dest_y_i < y_i) ? noc_pkg::PortBits'(noc_pkg::PortMinusY)
      : noc_pkg::PortBits'(EjectPort);

endmodule
