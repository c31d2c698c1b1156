// The all-port router (docs/microarchitecture.md; dissertation, Figure 2.5): one switch that joins
// every input to every output.
//
// Every output is a function of the registers alone. Vectors are flat and port-major: port p, or
// port p and VC v at place p*8 + v, has bits [place*width +: width].
module all_port_router #(
    /// Dimensions, 1..3.
    parameter int Dims = 2,
    /// Local ports (injection and ejection), 1..2*Dims.
    parameter int LocalPorts = 2 * Dims,
    /// Virtual channels per external channel, 1..8.
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
    /// Derived, not to be set: all ports, and all VC places.
    localparam int N = 2 * Dims + LocalPorts,
    localparam int Places = N * noc_pkg::MaxVcs
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
    output logic [N*noc_pkg::VcBits-1:0] obs_in_pointer_o,
    output logic [N*noc_pkg::PortBits-1:0] obs_out_pointer_o,
    output logic [N*noc_pkg::VcBits-1:0] obs_va_in_pointer_o,
    output logic [N*noc_pkg::PortBits-1:0] obs_va_out_pointer_o,
    /// Of each output port: granted by SA in this cycle, to which input port and VC, on which VC.
    output logic [N-1:0] obs_grant_valid_o,
    output logic [N*noc_pkg::PortBits-1:0] obs_grant_in_o,
    output logic [N*noc_pkg::VcBits-1:0] obs_grant_vc_o,
    output logic [N*noc_pkg::VcBits-1:0] obs_grant_out_vc_o,
    /// Of each output port: a VC is granted by VA in this cycle, to which input port and VC.
    output logic [N-1:0] obs_va_grant_valid_o,
    output logic [N*noc_pkg::PortBits-1:0] obs_va_grant_in_o,
    output logic [N*noc_pkg::VcBits-1:0] obs_va_grant_vc_o
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
      .MaxLocalPorts(2 * Dims)
  ) u_check ();

  // What the switch sends, before the link registers, and what reaches it.
  logic [N-1:0] sent_valid;
  logic [N*noc_pkg::VcBits-1:0] sent_vc;
  logic [N*noc_pkg::FlitBits-1:0] sent_flit;
  logic [N-1:0] freed_valid;
  logic [N*noc_pkg::VcBits-1:0] freed_vc;
  logic [N*noc_pkg::FlitBits-1:0] in_flit;
  logic [Places*noc_pkg::FlitBits-1:0] front;

  // ---- switch ----------------------------------------------------------------------------------
  generate
    if (noc_pkg::buildable(Dims, LocalPorts, Vcs, LocalVcs, LinkRegisters, Depth)) begin
      switch_core #(
          .FirstDim(0),
          .Dims(Dims),
          .Throughs(LocalPorts),
          .FirstThrough(2 * Dims),
          .Vcs(Vcs),
          .InVcs(LocalVcs),
          .OutVcs(LocalVcs),
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
          .in_valid_i,
          .in_vc_i,
          .in_flit_i(in_flit),
          .in_credit_valid_o(freed_valid),
          .in_credit_vc_o(freed_vc),
          .out_valid_o(sent_valid),
          .out_vc_o(sent_vc),
          .out_flit_o(sent_flit),
          .out_credit_valid_i,
          .out_credit_vc_i,
          .obs_front_o(front),
          .obs_count_o,
          .obs_routed_o,
          .obs_active_o,
          .obs_out_port_o,
          .obs_out_vc_o,
          .obs_credits_o,
          .obs_owned_o,
          .obs_in_pointer_o,
          .obs_out_pointer_o,
          .obs_va_in_pointer_o,
          .obs_va_out_pointer_o,
          .obs_grant_valid_o,
          .obs_grant_in_o,
          .obs_grant_vc_o,
          .obs_grant_out_vc_o,
          .obs_va_grant_valid_o,
          .obs_va_grant_in_o,
          .obs_va_grant_vc_o
      );
    end
  endgenerate

  generate
    for (genvar k = 0; k < Places; k++) begin
      assign {obs_front_head_o[k], obs_front_tail_o[k],
              obs_front_data_o[k*noc_pkg::DataBits+:noc_pkg::DataBits]}
          = front[k*noc_pkg::FlitBits+:noc_pkg::FlitBits];
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
