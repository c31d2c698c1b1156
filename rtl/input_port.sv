// The input side of a port: its virtual channels, and the input stage of switch allocation, which
// nominates at most one of them per cycle.
//
// Every VC requests for itself, so a blocked one never hides another.
module input_port #(
    /// Ports of the router.
    parameter int Ports = 8,
    /// Virtual channels of this port.
    parameter int Vcs = 1,
    /// Buffer depth per VC, flits.
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
    /// A flit arrives, for this VC.
    input logic valid_i,
    input logic [noc_pkg::VcBits-1:0] vc_i,
    input logic [noc_pkg::FlitBits-1:0] flit_i,
    /// The state of the outputs, as in input_vc.
    input logic [Ports*noc_pkg::MaxVcs-1:0] has_credit_i,
    input logic [Ports-1:0] free_valid_i,
    input logic [Ports*noc_pkg::VcBits-1:0] free_vc_i,
    /// The nominee won its output.
    input logic granted_i,
    /// There is a nominee; its VC, the output port and VC that it requests, its front flit.
    output logic nominee_valid_o,
    output logic [noc_pkg::VcBits-1:0] nominee_o,
    output logic [noc_pkg::PortBits-1:0] request_port_o,
    output logic [noc_pkg::VcBits-1:0] request_vc_o,
    output logic [noc_pkg::FlitBits-1:0] flit_o,
    /// The credit for the place that a granted flit leaves.
    output logic credit_valid_o,
    output logic [noc_pkg::VcBits-1:0] credit_vc_o,
    /// State, per VC place; places without a VC are 0.
    output logic [noc_pkg::MaxVcs*noc_pkg::FlitBits-1:0] front_o,
    output logic [noc_pkg::MaxVcs*noc_pkg::CountBits-1:0] count_o,
    output logic [noc_pkg::MaxVcs-1:0] active_o,
    output logic [noc_pkg::MaxVcs*noc_pkg::PortBits-1:0] out_port_o,
    output logic [noc_pkg::MaxVcs*noc_pkg::VcBits-1:0] out_vc_o,
    /// The arbiter's pointer.
    output logic [noc_pkg::VcBits-1:0] pointer_o
);

  logic [Vcs-1:0] request;
  logic [Vcs*noc_pkg::PortBits-1:0] request_port;
  logic [Vcs*noc_pkg::VcBits-1:0] request_vc;

  // ---- virtual channels ------------------------------------------------------------------------
  generate
    for (genvar v = 0; v < noc_pkg::MaxVcs; v++) begin
      if (v < Vcs) begin
        input_vc #(
            .Ports(Ports),
            .Depth(Depth),
            .EjectPort(EjectPort)
        ) u_vc (
            .clk_i,
            .rst_ni,
            .x_i,
            .y_i,
            .push_i(valid_i && vc_i == noc_pkg::VcBits'(v)),
            .flit_i,
            .granted_i(granted_i && nominee_o == noc_pkg::VcBits'(v)),
            .has_credit_i,
            .free_valid_i,
            .free_vc_i,
            .request_o(request[v]),
            .request_port_o(request_port[v*noc_pkg::PortBits+:noc_pkg::PortBits]),
            .request_vc_o(request_vc[v*noc_pkg::VcBits+:noc_pkg::VcBits]),
            .front_o(front_o[v*noc_pkg::FlitBits+:noc_pkg::FlitBits]),
            .count_o(count_o[v*noc_pkg::CountBits+:noc_pkg::CountBits]),
            .active_o(active_o[v]),
            .out_port_o(out_port_o[v*noc_pkg::PortBits+:noc_pkg::PortBits]),
            .out_vc_o(out_vc_o[v*noc_pkg::VcBits+:noc_pkg::VcBits])
        );
      end else begin
        assign front_o[v*noc_pkg::FlitBits+:noc_pkg::FlitBits] = '0;
        assign count_o[v*noc_pkg::CountBits+:noc_pkg::CountBits] = '0;
        assign active_o[v] = 1'b0;
        assign out_port_o[v*noc_pkg::PortBits+:noc_pkg::PortBits] = '0;
        assign out_vc_o[v*noc_pkg::VcBits+:noc_pkg::VcBits] = '0;
      end
    end
  endgenerate

  // ---- input stage -----------------------------------------------------------------------------
  // The turn passes on only when the output stage has confirmed the nominee.
  rr_arbiter #(
      .Requests(Vcs),
      .IndexBits(noc_pkg::VcBits)
  ) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(request),
      .advance_i(granted_i),
      .valid_o(nominee_valid_o),
      .index_o(nominee_o),
      .pointer_o
  );

  assign request_port_o
      = nominee_valid_o ? request_port[nominee_o*noc_pkg::PortBits+:noc_pkg::PortBits] : '0;
  assign request_vc_o
      = nominee_valid_o ? request_vc[nominee_o*noc_pkg::VcBits+:noc_pkg::VcBits] : '0;
  assign flit_o = nominee_valid_o ? front_o[nominee_o*noc_pkg::FlitBits+:noc_pkg::FlitBits] : '0;

  assign credit_valid_o = granted_i;
  assign credit_vc_o = granted_i ? nominee_o : '0;

  // ---- assertions ------------------------------------------------------------------------------
  invariant flits_come_on_existing_vcs (
      .clk_i, .rst_ni, .holds_i(!valid_i || 32'(vc_i) < Vcs)
  );

endmodule
