// The one-port router (docs/internals/microarchitecture.md; dissertation, Figure 2.4): a cascade of
// switches, one per dimension, connected by internal channels, with one injection and one ejection
// channel.
//
// Switch d has the ports 0 and 1 (up and down in dimension d) and 2 (through). The through port's
// input comes from the previous dimension or from the injection channel; its output leads to the
// next dimension or to the ejection channel. Every output depends on the registers only. Vectors
// are flat and port-major: the entry of port p, or of port p and VC v at place p*8 + v, has bits
// [place*width +: width].
module one_port_router #(
    /// Derived, not to be set: the kind of router.
    localparam int OnePort = 1,
    `include "router_parameters.svh"
    ,
    /// Derived, not to be set: the ports that lead out of the router, the ports of the switches,
    /// and the most control VCs that an external channel has.
    localparam int N = 2 * Dims + LocalPorts,
    localparam int SwitchPorts = 3 * Dims,
    localparam int ControlVcs = noc_pkg::most_control_vcs(ControlVc, Vcs, Torus, TorusClasses),
    /// Sizes that all modules share.
    localparam int VcBits = noc_pkg::VcBits,
    localparam int AddressBits = noc_pkg::AddressBits,
    localparam int DataBits = noc_pkg::DataBits,
    localparam int FlitBits = noc_pkg::FlitBits,
    localparam int ObsBits = noc_pkg::ObsBits
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Coordinates of this router (x in the low byte, then y, then z), and the greatest coordinates
    /// of the network (used in rings only). They do not change while the clock runs.
    input logic [AddressBits-1:0] address_i,
    input logic [AddressBits-1:0] last_i,

    /// Input channels, forward: the flits that reach the router.
    input logic [N-1:0] in_valid_i,
    input logic [N*VcBits-1:0] in_vc_i,
    input logic [N-1:0] in_head_i,
    input logic [N-1:0] in_tail_i,
    input logic [N*DataBits-1:0] in_data_i,
    /// Input channels, backward: the credits that the router returns for them.
    output logic [N-1:0] in_credit_valid_o,
    output logic [N*VcBits-1:0] in_credit_vc_o,
    /// Output channels, forward: the flits that leave the router.
    output logic [N-1:0] out_valid_o,
    output logic [N*VcBits-1:0] out_vc_o,
    output logic [N-1:0] out_head_o,
    output logic [N-1:0] out_tail_o,
    output logic [N*DataBits-1:0] out_data_o,
    /// Output channels, backward: the credits that the router receives for them.
    input logic [N-1:0] out_credit_valid_i,
    input logic [N*VcBits-1:0] out_credit_vc_i,

    /// The observation output: one record per port of the switches, with the layout in noc_pkg.
    output logic [SwitchPorts*ObsBits-1:0] obs_o
);

  parameter_check #(
      .OnePort(OnePort),
      `include "router_pass_through.svh"
  ) u_check ();

  // The flits that the switches send, before the link registers, and the flits and credits that
  // reach them.
  logic [N-1:0] sent_valid;
  logic [N*VcBits-1:0] sent_vc;
  logic [N*FlitBits-1:0] sent_flit;
  logic [N-1:0] freed_valid;
  logic [N*VcBits-1:0] freed_vc;
  logic [N*FlitBits-1:0] in_flit;

  // Internal channels: number d leads to switch d; number 0 is injection, number Dims ejection.
  logic [Dims:0] hop_valid;
  logic [(Dims+1)*VcBits-1:0] hop_vc;
  logic [(Dims+1)*FlitBits-1:0] hop_flit;
  logic [Dims:0] hop_credit_valid;
  logic [(Dims+1)*VcBits-1:0] hop_credit_vc;

  // ---- injection and ejection ------------------------------------------------------------------
  localparam int Local = 2 * Dims;
  assign hop_valid[0] = in_valid_i[Local];
  assign hop_vc[0+:VcBits] = in_vc_i[Local*VcBits+:VcBits];
  assign hop_flit[0+:FlitBits] = in_flit[Local*FlitBits+:FlitBits];
  assign freed_valid[Local] = hop_credit_valid[0];
  assign freed_vc[Local*VcBits+:VcBits] = hop_credit_vc[0+:VcBits];

  assign sent_valid[Local] = hop_valid[Dims];
  assign sent_vc[Local*VcBits+:VcBits] = hop_vc[Dims*VcBits+:VcBits];
  assign sent_flit[Local*FlitBits+:FlitBits] = hop_flit[Dims*FlitBits+:FlitBits];
  assign hop_credit_valid[Dims] = out_credit_valid_i[Local];
  assign hop_credit_vc[Dims*VcBits+:VcBits] = out_credit_vc_i[Local*VcBits+:VcBits];

  // ---- switches --------------------------------------------------------------------------------
  generate
    for (genvar d = 0; d < Dims; d++) begin : g_dim
      logic [3*ObsBits-1:0] seen;

      if (noc_pkg::buildable(Dims, LocalPorts, Vcs, LocalVcs, ControlVcs, LinkRegisters, Depth))
      begin : g_switch
        switch_core #(
            .FirstDim(d),
            .Dims(1),
            .Throughs(1),
            .FirstThrough(2 * Dims + d),
            .Vcs(Vcs),
            .InVcs((d == 0) ? LocalVcs : Vcs),
            .OutVcs((d == Dims - 1) ? LocalVcs : Vcs),
            .ControlVc(ControlVc),
            .Depth(Depth),
            .Stages(Stages),
            .Arbiters(Arbiters),
            .Routing(Routing),
            .VcSelection(VcSelection),
            .Torus(Torus),
            .TorusClasses(TorusClasses)
        ) u_switch (
            .clk_i,
            .rst_ni,
            .address_i,
            .last_i,
            .in_valid_i({hop_valid[d], in_valid_i[2*d+:2]}),
            .in_vc_i({hop_vc[d*VcBits+:VcBits], in_vc_i[2*d*VcBits+:2*VcBits]}),
            .in_flit_i({hop_flit[d*FlitBits+:FlitBits], in_flit[2*d*FlitBits+:2*FlitBits]}),
            .in_credit_valid_o({hop_credit_valid[d], freed_valid[2*d+:2]}),
            .in_credit_vc_o({hop_credit_vc[d*VcBits+:VcBits], freed_vc[2*d*VcBits+:2*VcBits]}),
            .out_valid_o({hop_valid[d+1], sent_valid[2*d+:2]}),
            .out_vc_o({hop_vc[(d+1)*VcBits+:VcBits], sent_vc[2*d*VcBits+:2*VcBits]}),
            .out_flit_o({hop_flit[(d+1)*FlitBits+:FlitBits], sent_flit[2*d*FlitBits+:2*FlitBits]}),
            .out_credit_valid_i({hop_credit_valid[d+1], out_credit_valid_i[2*d+:2]}),
            .out_credit_vc_i({hop_credit_vc[(d+1)*VcBits+:VcBits],
                              out_credit_vc_i[2*d*VcBits+:2*VcBits]}),
            .obs_o(seen)
        );
      end

      // The switch's ports among those of the router.
      for (genvar c = 0; c < 3; c++) begin : g_port
        localparam int Port = (c < 2) ? 2 * d + c : 2 * Dims + d;
        assign obs_o[Port*ObsBits+:ObsBits] = seen[c*ObsBits+:ObsBits];
      end
    end
  endgenerate

  // ---- channels --------------------------------------------------------------------------------
  router_channels #(
      .Ports(N),
      .Externals(2 * Dims),
      .LinkRegisters(LinkRegisters)
  ) u_channels (
      .clk_i,
      .rst_ni,
      .in_head_i,
      .in_tail_i,
      .in_data_i,
      .in_flit_o(in_flit),
      .sent_valid_i(sent_valid),
      .sent_vc_i(sent_vc),
      .sent_flit_i(sent_flit),
      .out_valid_o,
      .out_vc_o,
      .out_head_o,
      .out_tail_o,
      .out_data_o,
      .freed_valid_i(freed_valid),
      .freed_vc_i(freed_vc),
      .in_credit_valid_o,
      .in_credit_vc_o
  );

endmodule
