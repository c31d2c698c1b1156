// The one-port router (docs/microarchitecture.md; dissertation, Figure 2.4): a cascade of switches,
// one per dimension, joined by internal channels, with one injection and one ejection channel.
//
// Switch d has the ports 0 and 1 (up and down in dimension d) and 2 (through): on the input side
// from the dimension before or the injection channel, on the output side to the dimension behind or
// the ejection channel. Every output is a function of the registers alone. Vectors are flat and
// port-major: port p, or port p and VC v at place p*8 + v, has bits [place*width +: width].
module one_port_router #(
    /// Dimensions, 1..3.
    parameter int Dims = 2,
    /// Local ports (injection and ejection): 1.
    parameter int LocalPorts = 1,
    /// Virtual channels per external and internal channel, 1..8.
    parameter int Vcs = 1,
    /// Virtual channels per local channel, 1..8.
    parameter int LocalVcs = 1,
    /// Pipeline stages, 1..4.
    parameter int Stages = 1,
    /// Registers of an external channel on its way out, 0..4.
    parameter int LinkRegisters = 0,
    /// Buffer depth per virtual channel, flits, 1..64; by default enough for full rate.
    parameter int Depth = noc_pkg::default_depth(Stages, LinkRegisters),
    /// 0: round-robin arbiters, 1: matrix arbiters (least recently served).
    parameter int MatrixArbiters = 0,
    /// Bit d: dimension d is a ring (torus).
    parameter int Torus = 0,
    /// Classes of VCs in rings: 2 (dateline), 3 (p/l/h).
    parameter int TorusClasses = 2,
    /// Accept rings with fewer VCs than classes; such a router has no classes.
    parameter int AllowDeadlock = 0,
    /// Derived, not to be set: ports that lead out, ports of the switches, and VC places.
    localparam int N = 2 * Dims + LocalPorts,
    localparam int SwitchPorts = 3 * Dims,
    localparam int Places = SwitchPorts * noc_pkg::MaxVcs
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Coordinates of this router (x in the low byte, then y, then z), and the greatest ones of the
    /// network (read in rings only). They do not change while the clock runs.
    input logic [noc_pkg::AddressBits-1:0] address_i,
    input logic [noc_pkg::AddressBits-1:0] last_i,

    /// Input channels, forward: the flits that reach the router.
    input logic [N-1:0] in_valid_i,
    input logic [N*noc_pkg::VcBits-1:0] in_vc_i,
    input logic [N-1:0] in_head_i,
    input logic [N-1:0] in_tail_i,
    input logic [N*noc_pkg::DataBits-1:0] in_data_i,
    /// Input channels, backward: the credits that leave it for them.
    output logic [N-1:0] in_credit_valid_o,
    output logic [N*noc_pkg::VcBits-1:0] in_credit_vc_o,
    /// Output channels, forward: the flits that leave the router.
    output logic [N-1:0] out_valid_o,
    output logic [N*noc_pkg::VcBits-1:0] out_vc_o,
    output logic [N-1:0] out_head_o,
    output logic [N-1:0] out_tail_o,
    output logic [N*noc_pkg::DataBits-1:0] out_data_o,
    /// Output channels, backward: the credits that reach it for them.
    input logic [N-1:0] out_credit_valid_i,
    input logic [N*noc_pkg::VcBits-1:0] out_credit_vc_i,

    /// What an observer sees of each input VC: flits held, and the front flit (0 if none).
    output logic [Places*noc_pkg::CountBits-1:0] obs_count_o,
    output logic [Places-1:0] obs_front_head_o,
    output logic [Places-1:0] obs_front_tail_o,
    output logic [Places*noc_pkg::DataBits-1:0] obs_front_data_o,
    /// Of each input VC: its head is routed; a packet is under way; its output port and VC.
    output logic [Places-1:0] obs_routed_o,
    output logic [Places-1:0] obs_active_o,
    output logic [Places*noc_pkg::PortBits-1:0] obs_out_port_o,
    output logic [Places*noc_pkg::VcBits-1:0] obs_out_vc_o,
    /// Of each output VC: credits, and whether a packet owns it.
    output logic [Places*noc_pkg::CountBits-1:0] obs_credits_o,
    output logic [Places-1:0] obs_owned_o,
    /// Of each input port, of each output port: pointers of the arbiters of SA and of VA.
    output logic [SwitchPorts*noc_pkg::VcBits-1:0] obs_in_pointer_o,
    output logic [SwitchPorts*noc_pkg::PortBits-1:0] obs_out_pointer_o,
    output logic [SwitchPorts*noc_pkg::VcBits-1:0] obs_va_in_pointer_o,
    output logic [SwitchPorts*noc_pkg::PortBits-1:0] obs_va_out_pointer_o,
    /// Of each output port: granted by SA in this cycle, to which input port and VC, on which VC.
    output logic [SwitchPorts-1:0] obs_grant_valid_o,
    output logic [SwitchPorts*noc_pkg::PortBits-1:0] obs_grant_in_o,
    output logic [SwitchPorts*noc_pkg::VcBits-1:0] obs_grant_vc_o,
    output logic [SwitchPorts*noc_pkg::VcBits-1:0] obs_grant_out_vc_o,
    /// Of each output port: a VC is granted by VA in this cycle, to which input port and VC.
    output logic [SwitchPorts-1:0] obs_va_grant_valid_o,
    output logic [SwitchPorts*noc_pkg::PortBits-1:0] obs_va_grant_in_o,
    output logic [SwitchPorts*noc_pkg::VcBits-1:0] obs_va_grant_vc_o
);

  parameter_check #(
      .Dims(Dims),
      .LocalPorts(LocalPorts),
      .Vcs(Vcs),
      .LocalVcs(LocalVcs),
      .Stages(Stages),
      .LinkRegisters(LinkRegisters),
      .Depth(Depth),
      .MatrixArbiters(MatrixArbiters),
      .Torus(Torus),
      .TorusClasses(TorusClasses),
      .AllowDeadlock(AllowDeadlock),
      .MaxLocalPorts(1)
  ) u_check ();

  // Bits per port where a vector holds something of every VC place.
  localparam int CountsBits = noc_pkg::MaxVcs * noc_pkg::CountBits;
  localparam int PortsBits = noc_pkg::MaxVcs * noc_pkg::PortBits;
  localparam int VcsBits = noc_pkg::MaxVcs * noc_pkg::VcBits;

  // What the switches send, before the link registers, and what reaches them.
  logic [N-1:0] sent_valid;
  logic [N*noc_pkg::VcBits-1:0] sent_vc;
  logic [N*noc_pkg::FlitBits-1:0] sent_flit;
  logic [N-1:0] freed_valid;
  logic [N*noc_pkg::VcBits-1:0] freed_vc;
  logic [N*noc_pkg::FlitBits-1:0] in_flit;

  // Internal channels: number d leads to switch d; number 0 is injection, number Dims ejection.
  logic [Dims:0] hop_valid;
  logic [(Dims+1)*noc_pkg::VcBits-1:0] hop_vc;
  logic [(Dims+1)*noc_pkg::FlitBits-1:0] hop_flit;
  logic [Dims:0] hop_credit_valid;
  logic [(Dims+1)*noc_pkg::VcBits-1:0] hop_credit_vc;

  // ---- injection and ejection ------------------------------------------------------------------
  localparam int Local = 2 * Dims;
  assign hop_valid[0] = in_valid_i[Local];
  assign hop_vc[0+:noc_pkg::VcBits] = in_vc_i[Local*noc_pkg::VcBits+:noc_pkg::VcBits];
  assign hop_flit[0+:noc_pkg::FlitBits] = in_flit[Local*noc_pkg::FlitBits+:noc_pkg::FlitBits];
  assign freed_valid[Local] = hop_credit_valid[0];
  assign freed_vc[Local*noc_pkg::VcBits+:noc_pkg::VcBits] = hop_credit_vc[0+:noc_pkg::VcBits];

  assign sent_valid[Local] = hop_valid[Dims];
  assign sent_vc[Local*noc_pkg::VcBits+:noc_pkg::VcBits]
      = hop_vc[Dims*noc_pkg::VcBits+:noc_pkg::VcBits];
  assign sent_flit[Local*noc_pkg::FlitBits+:noc_pkg::FlitBits]
      = hop_flit[Dims*noc_pkg::FlitBits+:noc_pkg::FlitBits];
  assign hop_credit_valid[Dims] = out_credit_valid_i[Local];
  assign hop_credit_vc[Dims*noc_pkg::VcBits+:noc_pkg::VcBits]
      = out_credit_vc_i[Local*noc_pkg::VcBits+:noc_pkg::VcBits];

  // ---- switches --------------------------------------------------------------------------------
  generate
    for (genvar d = 0; d < Dims; d++) begin
      logic [3*noc_pkg::MaxVcs*noc_pkg::FlitBits-1:0] front;
      logic [3*noc_pkg::MaxVcs*noc_pkg::CountBits-1:0] count;
      logic [3*noc_pkg::MaxVcs-1:0] routed;
      logic [3*noc_pkg::MaxVcs-1:0] active;
      logic [3*noc_pkg::MaxVcs*noc_pkg::PortBits-1:0] out_port;
      logic [3*noc_pkg::MaxVcs*noc_pkg::VcBits-1:0] out_vc;
      logic [3*noc_pkg::MaxVcs*noc_pkg::CountBits-1:0] credits;
      logic [3*noc_pkg::MaxVcs-1:0] owned;
      logic [3*noc_pkg::VcBits-1:0] in_pointer;
      logic [3*noc_pkg::PortBits-1:0] out_pointer;
      logic [3*noc_pkg::VcBits-1:0] va_in_pointer;
      logic [3*noc_pkg::PortBits-1:0] va_out_pointer;
      logic [3-1:0] grant_valid;
      logic [3*noc_pkg::PortBits-1:0] grant_in;
      logic [3*noc_pkg::VcBits-1:0] grant_vc;
      logic [3*noc_pkg::VcBits-1:0] grant_out_vc;
      logic [3-1:0] va_grant_valid;
      logic [3*noc_pkg::PortBits-1:0] va_grant_in;
      logic [3*noc_pkg::VcBits-1:0] va_grant_vc;

      if (noc_pkg::buildable(Dims, LocalPorts, Vcs, LocalVcs, LinkRegisters, Depth)) begin
        switch_core #(
            .FirstDim(d),
            .Dims(1),
            .Throughs(1),
            .FirstThrough(2 * Dims + d),
            .Vcs(Vcs),
            .InVcs((d == 0) ? LocalVcs : Vcs),
            .OutVcs((d == Dims - 1) ? LocalVcs : Vcs),
            .Depth(Depth),
            .Stages(Stages),
            .MatrixArbiters(MatrixArbiters),
            .Torus(Torus),
            .TorusClasses(TorusClasses)
        ) u_switch (
            .clk_i,
            .rst_ni,
            .address_i,
            .last_i,
            .in_valid_i({hop_valid[d], in_valid_i[2*d+:2]}),
            .in_vc_i({hop_vc[d*noc_pkg::VcBits+:noc_pkg::VcBits],
                      in_vc_i[2*d*noc_pkg::VcBits+:2*noc_pkg::VcBits]}),
            .in_flit_i({hop_flit[d*noc_pkg::FlitBits+:noc_pkg::FlitBits],
                        in_flit[2*d*noc_pkg::FlitBits+:2*noc_pkg::FlitBits]}),
            .in_credit_valid_o({hop_credit_valid[d], freed_valid[2*d+:2]}),
            .in_credit_vc_o({hop_credit_vc[d*noc_pkg::VcBits+:noc_pkg::VcBits],
                             freed_vc[2*d*noc_pkg::VcBits+:2*noc_pkg::VcBits]}),
            .out_valid_o({hop_valid[d+1], sent_valid[2*d+:2]}),
            .out_vc_o({hop_vc[(d+1)*noc_pkg::VcBits+:noc_pkg::VcBits],
                       sent_vc[2*d*noc_pkg::VcBits+:2*noc_pkg::VcBits]}),
            .out_flit_o({hop_flit[(d+1)*noc_pkg::FlitBits+:noc_pkg::FlitBits],
                         sent_flit[2*d*noc_pkg::FlitBits+:2*noc_pkg::FlitBits]}),
            .out_credit_valid_i({hop_credit_valid[d+1], out_credit_valid_i[2*d+:2]}),
            .out_credit_vc_i({hop_credit_vc[(d+1)*noc_pkg::VcBits+:noc_pkg::VcBits],
                              out_credit_vc_i[2*d*noc_pkg::VcBits+:2*noc_pkg::VcBits]}),
            .obs_front_o(front),
            .obs_count_o(count),
            .obs_routed_o(routed),
            .obs_active_o(active),
            .obs_out_port_o(out_port),
            .obs_out_vc_o(out_vc),
            .obs_credits_o(credits),
            .obs_owned_o(owned),
            .obs_in_pointer_o(in_pointer),
            .obs_out_pointer_o(out_pointer),
            .obs_va_in_pointer_o(va_in_pointer),
            .obs_va_out_pointer_o(va_out_pointer),
            .obs_grant_valid_o(grant_valid),
            .obs_grant_in_o(grant_in),
            .obs_grant_vc_o(grant_vc),
            .obs_grant_out_vc_o(grant_out_vc),
            .obs_va_grant_valid_o(va_grant_valid),
            .obs_va_grant_in_o(va_grant_in),
            .obs_va_grant_vc_o(va_grant_vc)
        );
      end

      // The switch's ports among those of the router.
      for (genvar c = 0; c < 3; c++) begin
        localparam int Port = (c < 2) ? 2 * d + c : 2 * Dims + d;
        assign obs_count_o[Port*CountsBits+:CountsBits] = count[c*CountsBits+:CountsBits];
        assign obs_routed_o[Port*noc_pkg::MaxVcs+:noc_pkg::MaxVcs]
            = routed[c*noc_pkg::MaxVcs+:noc_pkg::MaxVcs];
        assign obs_active_o[Port*noc_pkg::MaxVcs+:noc_pkg::MaxVcs]
            = active[c*noc_pkg::MaxVcs+:noc_pkg::MaxVcs];
        assign obs_out_port_o[Port*PortsBits+:PortsBits] = out_port[c*PortsBits+:PortsBits];
        assign obs_out_vc_o[Port*VcsBits+:VcsBits] = out_vc[c*VcsBits+:VcsBits];
        assign obs_credits_o[Port*CountsBits+:CountsBits] = credits[c*CountsBits+:CountsBits];
        assign obs_owned_o[Port*noc_pkg::MaxVcs+:noc_pkg::MaxVcs]
            = owned[c*noc_pkg::MaxVcs+:noc_pkg::MaxVcs];
        assign obs_in_pointer_o[Port*noc_pkg::VcBits+:noc_pkg::VcBits]
            = in_pointer[c*noc_pkg::VcBits+:noc_pkg::VcBits];
        assign obs_out_pointer_o[Port*noc_pkg::PortBits+:noc_pkg::PortBits]
            = out_pointer[c*noc_pkg::PortBits+:noc_pkg::PortBits];
        assign obs_va_in_pointer_o[Port*noc_pkg::VcBits+:noc_pkg::VcBits]
            = va_in_pointer[c*noc_pkg::VcBits+:noc_pkg::VcBits];
        assign obs_va_out_pointer_o[Port*noc_pkg::PortBits+:noc_pkg::PortBits]
            = va_out_pointer[c*noc_pkg::PortBits+:noc_pkg::PortBits];
        assign obs_grant_valid_o[Port] = grant_valid[c];
        assign obs_grant_in_o[Port*noc_pkg::PortBits+:noc_pkg::PortBits]
            = grant_in[c*noc_pkg::PortBits+:noc_pkg::PortBits];
        assign obs_grant_vc_o[Port*noc_pkg::VcBits+:noc_pkg::VcBits]
            = grant_vc[c*noc_pkg::VcBits+:noc_pkg::VcBits];
        assign obs_grant_out_vc_o[Port*noc_pkg::VcBits+:noc_pkg::VcBits]
            = grant_out_vc[c*noc_pkg::VcBits+:noc_pkg::VcBits];
        assign obs_va_grant_valid_o[Port] = va_grant_valid[c];
        assign obs_va_grant_in_o[Port*noc_pkg::PortBits+:noc_pkg::PortBits]
            = va_grant_in[c*noc_pkg::PortBits+:noc_pkg::PortBits];
        assign obs_va_grant_vc_o[Port*noc_pkg::VcBits+:noc_pkg::VcBits]
            = va_grant_vc[c*noc_pkg::VcBits+:noc_pkg::VcBits];
        for (genvar v = 0; v < noc_pkg::MaxVcs; v++) begin
          localparam int Place = Port * noc_pkg::MaxVcs + v;
          assign {obs_front_head_o[Place], obs_front_tail_o[Place],
                  obs_front_data_o[Place*noc_pkg::DataBits+:noc_pkg::DataBits]}
              = front[(c*noc_pkg::MaxVcs+v)*noc_pkg::FlitBits+:noc_pkg::FlitBits];
        end
      end
    end
  endgenerate

  // ---- channels --------------------------------------------------------------------------------
  // External channels pass link registers on their way out.
  generate
    for (genvar p = 0; p < N && LinkRegisters >= 0; p++) begin
      assign in_flit[p*noc_pkg::FlitBits+:noc_pkg::FlitBits]
          = {in_head_i[p], in_tail_i[p], in_data_i[p*noc_pkg::DataBits+:noc_pkg::DataBits]};

      register_chain #(
          .Width(noc_pkg::FlitBits),
          .Registers((p < 2 * Dims) ? LinkRegisters : 0)
      ) u_flits_out (
          .clk_i,
          .rst_ni,
          .data_i(sent_flit[p*noc_pkg::FlitBits+:noc_pkg::FlitBits]),
          .data_o({out_head_o[p], out_tail_o[p],
                   out_data_o[p*noc_pkg::DataBits+:noc_pkg::DataBits]})
      );
      register_chain #(
          .Width(1 + noc_pkg::VcBits),
          .Registers((p < 2 * Dims) ? LinkRegisters : 0)
      ) u_vcs_out (
          .clk_i,
          .rst_ni,
          .data_i({sent_valid[p], sent_vc[p*noc_pkg::VcBits+:noc_pkg::VcBits]}),
          .data_o({out_valid_o[p], out_vc_o[p*noc_pkg::VcBits+:noc_pkg::VcBits]})
      );
      register_chain #(
          .Width(1 + noc_pkg::VcBits),
          .Registers((p < 2 * Dims) ? LinkRegisters : 0)
      ) u_credits_out (
          .clk_i,
          .rst_ni,
          .data_i({freed_valid[p], freed_vc[p*noc_pkg::VcBits+:noc_pkg::VcBits]}),
          .data_o({in_credit_valid_o[p], in_credit_vc_o[p*noc_pkg::VcBits+:noc_pkg::VcBits]})
      );
    end
  endgenerate

endmodule
