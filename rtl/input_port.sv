// The input side of a port: its virtual channels, and the one that the allocators chose.
//
// Every VC makes its own requests, so a blocked VC never hides another.
module input_port #(
    /// Pipeline stages of the router, 1..4.
    parameter int Stages = 1,
    /// Ports of the switch.
    parameter int Ports = 8,
    /// Virtual channels of this port; the first DataVcs are for data, the others for control.
    parameter int Vcs = 1,
    parameter int DataVcs = Vcs,
    /// Buffer depth per VC, flits.
    parameter int Depth = 4,
    /// As in switch_core.
    parameter int FirstDim = 0,
    parameter int Dims = 2,
    parameter int FirstThrough = 2 * Dims,
    parameter int Torus = 0,
    parameter int Classes = 1,
    parameter int Routing = 0,
    /// Derived, not to be set.
    localparam int IndexBits = $clog2(Ports),
    /// Sizes that all modules share.
    localparam int MaxVcs = noc_pkg::MaxVcs,
    localparam int ClassPlaces = noc_pkg::ClassPlaces,
    localparam int PortBits = noc_pkg::PortBits,
    localparam int VcBits = noc_pkg::VcBits,
    localparam int CountBits = noc_pkg::CountBits,
    localparam int AddressBits = noc_pkg::AddressBits,
    localparam int FlitBits = noc_pkg::FlitBits
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// As in input_vc.
    input logic [AddressBits-1:0] address_i,
    input logic [AddressBits-1:0] last_i,
    input logic [IndexBits-1:0] through_i,
    /// A flit arrives for this VC.
    input logic valid_i,
    input logic [VcBits-1:0] vc_i,
    input logic [FlitBits-1:0] flit_i,
    /// The state of the outputs, as in input_vc, for heads of data packets and for heads of control
    /// packets.
    input logic [Ports*MaxVcs-1:0] has_credit_i,
    input logic [Ports*ClassPlaces-1:0] free_valid_i,
    input logic [Ports*ClassPlaces*VcBits-1:0] free_vc_i,
    input logic [Ports*ClassPlaces-1:0] control_free_valid_i,
    input logic [Ports*ClassPlaces*VcBits-1:0] control_free_vc_i,
    /// The VC nominated for the switch, and whether it is granted.
    input logic [VcBits-1:0] nominee_i,
    input logic granted_i,
    /// The VC nominated for an output VC, and whether it is granted (four stages).
    input logic [VcBits-1:0] va_nominee_i,
    input logic va_granted_i,
    /// Per VC: its requests; 0 in places without a VC.
    output logic [MaxVcs-1:0] request_o,
    output logic [MaxVcs-1:0] va_request_o,
    output logic [MaxVcs*IndexBits-1:0] target_port_o,
    /// For the VC nominated for the switch: its front flit, and the output VC that it requests.
    output logic [FlitBits-1:0] flit_o,
    output logic [VcBits-1:0] target_vc_o,
    /// For the VC nominated for an output VC: the output VC that it requests.
    output logic [VcBits-1:0] va_target_vc_o,
    /// State, per VC place; places without a VC are 0.
    output logic [MaxVcs*FlitBits-1:0] front_o,
    output logic [MaxVcs*CountBits-1:0] count_o,
    output logic [MaxVcs-1:0] routed_o,
    output logic [MaxVcs-1:0] active_o,
    output logic [MaxVcs*PortBits-1:0] out_port_o,
    output logic [MaxVcs*VcBits-1:0] out_vc_o
);

  logic [MaxVcs*VcBits-1:0] target_vc;

  // ---- virtual channels ------------------------------------------------------------------------
  generate
    for (genvar v = 0; v < Vcs; v++) begin : g_vc
      localparam logic IsData = v < DataVcs;

      input_vc #(
          .Stages(Stages),
          .Ports(Ports),
          .Depth(Depth),
          .FirstDim(FirstDim),
          .Dims(Dims),
          .FirstThrough(FirstThrough),
          .Torus(Torus),
          .Classes(Classes),
          .Routing(Routing)
      ) u_vc (
          .clk_i,
          .rst_ni,
          .address_i,
          .last_i,
          .through_i,
          .push_i(valid_i && vc_i == VcBits'(v)),
          .flit_i,
          .has_credit_i,
          .free_valid_i(IsData ? free_valid_i : control_free_valid_i),
          .free_vc_i(IsData ? free_vc_i : control_free_vc_i),
          .granted_i(granted_i && nominee_i == VcBits'(v)),
          .va_granted_i(va_granted_i && va_nominee_i == VcBits'(v)),
          .request_o(request_o[v]),
          .va_request_o(va_request_o[v]),
          .target_port_o(target_port_o[v*IndexBits+:IndexBits]),
          .target_vc_o(target_vc[v*VcBits+:VcBits]),
          .front_o(front_o[v*FlitBits+:FlitBits]),
          .count_o(count_o[v*CountBits+:CountBits]),
          .routed_o(routed_o[v]),
          .active_o(active_o[v]),
          .out_port_o(out_port_o[v*PortBits+:PortBits]),
          .out_vc_o(out_vc_o[v*VcBits+:VcBits])
      );
    end
    for (genvar v = Vcs; v < MaxVcs; v++) begin : g_no_vc
      assign request_o[v] = 1'b0;
      assign va_request_o[v] = 1'b0;
      assign target_port_o[v*IndexBits+:IndexBits] = '0;
      assign target_vc[v*VcBits+:VcBits] = '0;
      assign front_o[v*FlitBits+:FlitBits] = '0;
      assign count_o[v*CountBits+:CountBits] = '0;
      assign routed_o[v] = 1'b0;
      assign active_o[v] = 1'b0;
      assign out_port_o[v*PortBits+:PortBits] = '0;
      assign out_vc_o[v*VcBits+:VcBits] = '0;
    end
  endgenerate

  // ---- the chosen ones -------------------------------------------------------------------------
  assign flit_o = front_o[nominee_i*FlitBits+:FlitBits];
  assign target_vc_o = target_vc[nominee_i*VcBits+:VcBits];
  assign va_target_vc_o = target_vc[va_nominee_i*VcBits+:VcBits];

  // ---- assertions ------------------------------------------------------------------------------
  invariant flits_come_on_existing_vcs (
      .clk_i, .rst_ni, .holds_i(!valid_i || 32'(vc_i) < Vcs)
  );

endmodule
