// One virtual channel of an input port: its buffer, where its packet goes, and what it asks for.
//
// While inactive, the front flit is a head: it is routed and asks for the lowest free VC of that
// output. Once the head has been granted, the VC is active, and the rest of the packet follows to
// the same output VC, until the tail has been granted.
module input_vc #(
    /// Ports of the router.
    parameter int Ports = 8,
    /// Buffer depth, flits.
    parameter int Depth = 4,
    /// Output port for packets that have arrived.
    parameter int EjectPort = noc_pkg::ExternalPorts
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Coordinates of this router.
    input logic [noc_pkg::CoordBits-1:0] x_i,
    input logic [noc_pkg::CoordBits-1:0] y_i,
    /// A flit arrives for this VC.
    input logic push_i,
    /// That flit.
    input logic [noc_pkg::FlitBits-1:0] flit_i,
    /// The request of this cycle is granted: the front flit leaves.
    input logic granted_i,
    /// Per output port and VC: there is a credit.
    input logic [Ports*noc_pkg::MaxVcs-1:0] has_credit_i,
    /// Per output port: there is a VC that a head can take.
    input logic [Ports-1:0] free_valid_i,
    /// Per output port: the lowest such VC.
    input logic [Ports*noc_pkg::VcBits-1:0] free_vc_i,
    /// The front flit could leave now, to this output port and VC.
    output logic request_o,
    output logic [noc_pkg::PortBits-1:0] request_port_o,
    output logic [noc_pkg::VcBits-1:0] request_vc_o,
    /// The front flit, 0 while the buffer is empty.
    output logic [noc_pkg::FlitBits-1:0] front_o,
    /// Flits in the buffer.
    output logic [noc_pkg::CountBits-1:0] count_o,
    /// The front flits belong to a packet whose head has left for this output port and VC.
    output logic active_o,
    output logic [noc_pkg::PortBits-1:0] out_port_o,
    output logic [noc_pkg::VcBits-1:0] out_vc_o
);

  logic active_q;
  logic [noc_pkg::PortBits-1:0] out_port_q;
  logic [noc_pkg::VcBits-1:0] out_vc_q;
  logic front_is_head;
  logic front_is_tail;
  logic [noc_pkg::PortBits-1:0] route;
  logic [noc_pkg::VcBits-1:0] route_vc;

  // ---- datapath --------------------------------------------------------------------------------
  flit_fifo #(
      .Width(noc_pkg::FlitBits),
      .Depth(Depth)
  ) u_fifo (
      .clk_i,
      .rst_ni,
      .push_i,
      .data_i(flit_i),
      .pop_i(granted_i),
      .front_o,
      .count_o
  );

  assign front_is_head = front_o[noc_pkg::HeadBit];
  assign front_is_tail = front_o[noc_pkg::TailBit];

  route_xy #(
      .EjectPort(EjectPort)
  ) u_route (
      .x_i,
      .y_i,
      .dest_x_i(front_o[noc_pkg::DestXLsb+:noc_pkg::CoordBits]),
      .dest_y_i(front_o[noc_pkg::DestYLsb+:noc_pkg::CoordBits]),
      .port_o(route)
  );

  assign route_vc = free_vc_i[route*noc_pkg::VcBits+:noc_pkg::VcBits];

  assign request_port_o = active_q ? out_port_q : route;
  assign request_vc_o = active_q ? out_vc_q : route_vc;
  assign request_o = (count_o != 0)
                     && (active_q ? has_credit_i[{out_port_q, out_vc_q}] : free_valid_i[route]);

  assign active_o = active_q;
  assign out_port_o = out_port_q;
  assign out_vc_o = out_vc_q;

  // ---- registers -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      out_port_q <= '0;
      out_vc_q <= '0;
    end else if (granted_i) begin
      active_q <= !front_is_tail;
      if (front_is_head) begin
        out_port_q <= request_port_o;
        out_vc_q <= request_vc_o;
      end
    end
  end

  // ---- assertions ------------------------------------------------------------------------------
  // Heads stand at the front of inactive VCs and nowhere else, so packets do not mix.
  invariant front_is_head_unless_active (
      .clk_i, .rst_ni, .holds_i(count_o == 0 || front_is_head != active_q)
  );
  invariant only_requests_are_granted (.clk_i, .rst_ni, .holds_i(!granted_i || request_o));

endmodule
