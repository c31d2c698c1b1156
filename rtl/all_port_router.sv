// The all-port router (docs/internals/microarchitecture.md; dissertation, Figure 2.5): one switch
// that connects every input to every output.
//
// Every output depends on the registers only. Vectors are flat and port-major: the entry of port p,
// or of port p and VC v at place p*8 + v, has bits [place*width +: width].
module all_port_router #(
    /// Derived, not to be set: the kind of router.
    localparam int OnePort = 0,
    `include "router_parameters.svh"
    ,
    /// Derived, not to be set: the number of ports; the most control VCs that an external channel
    /// has.
    localparam int N = 2 * Dims + LocalPorts,
    localparam int ControlVcs = noc_pkg::most_control_vcs(ControlVc, Vcs, Torus, TorusClasses),
    /// Sizes that all modules share.
    localparam int VcBits = noc_pkg::VcBits,
    localparam int AddressBits = noc_pkg::AddressBits,
    localparam int DataBits = noc_pkg::DataBits,
    localparam int FlitBits = noc_pkg::FlitBits
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

    /// The observation output: one record per port, with the layout in noc_pkg.
    output logic [N*noc_pkg::ObsBits-1:0] obs_o
);

  parameter_check #(
      .OnePort(OnePort),
      `include "router_pass_through.svh"
  ) u_check ();

  // The flits that the switch sends, before the link registers, and the flits and credits that
  // reach it.
  logic [N-1:0] sent_valid;
  logic [N*VcBits-1:0] sent_vc;
  logic [N*FlitBits-1:0] sent_flit;
  logic [N-1:0] freed_valid;
  logic [N*VcBits-1:0] freed_vc;
  logic [N*FlitBits-1:0] in_flit;

  // ---- switch ----------------------------------------------------------------------------------
  generate
    if (noc_pkg::buildable(Dims, LocalPorts, Vcs, LocalVcs, ControlVcs, LinkRegisters, Depth))
    begin : g_switch
      switch_core #(
          .FirstDim(0),
          .Dims(Dims),
          .Throughs(LocalPorts),
          .FirstThrough(2 * Dims),
          .Vcs(Vcs),
          .InVcs(LocalVcs),
          .OutVcs(LocalVcs),
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
          .obs_o
      );
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
