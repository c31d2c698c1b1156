// The channels of a router, between its pins and its switches. The flits on the pins become vectors
// of whole flits. Flits and credits that leave on an external channel pass its link registers.
// Local channels have no link registers.
module router_channels #(
    /// Ports that lead out of the router.
    parameter int Ports = 8,
    /// The number of external ports, which come first; the others are local.
    parameter int Externals = 4,
    /// Link registers of an external channel, 0..4.
    parameter int LinkRegisters = 0,
    /// Sizes that all modules share.
    localparam int VcBits = noc_pkg::VcBits,
    localparam int DataBits = noc_pkg::DataBits,
    localparam int FlitBits = noc_pkg::FlitBits
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,

    /// From the pins: the flits that reach the router.
    input logic [Ports-1:0] in_head_i,
    input logic [Ports-1:0] in_tail_i,
    input logic [Ports*DataBits-1:0] in_data_i,
    /// To the switches: the same flits, {head, tail, data} each.
    output logic [Ports*FlitBits-1:0] in_flit_o,

    /// From the switches: the flits that they send.
    input logic [Ports-1:0] sent_valid_i,
    input logic [Ports*VcBits-1:0] sent_vc_i,
    input logic [Ports*FlitBits-1:0] sent_flit_i,
    /// To the pins: the same flits, LinkRegisters cycles later on external channels.
    output logic [Ports-1:0] out_valid_o,
    output logic [Ports*VcBits-1:0] out_vc_o,
    output logic [Ports-1:0] out_head_o,
    output logic [Ports-1:0] out_tail_o,
    output logic [Ports*DataBits-1:0] out_data_o,

    /// From the switches: the credits for places of their buffers that became free.
    input logic [Ports-1:0] freed_valid_i,
    input logic [Ports*VcBits-1:0] freed_vc_i,
    /// To the pins: the same credits, LinkRegisters cycles later on external channels.
    output logic [Ports-1:0] in_credit_valid_o,
    output logic [Ports*VcBits-1:0] in_credit_vc_o
);

  // (parameter_check refuses a negative LinkRegisters.)
  generate
    for (genvar p = 0; p < Ports && LinkRegisters >= 0; p++) begin : g_port
      assign in_flit_o[p*FlitBits+:FlitBits]
          = {in_head_i[p], in_tail_i[p], in_data_i[p*DataBits+:DataBits]};

      register_chain #(
          .Width(FlitBits),
          .Registers((p < Externals) ? LinkRegisters : 0)
      ) u_flits_out (
          .clk_i,
          .rst_ni,
          .data_i(sent_flit_i[p*FlitBits+:FlitBits]),
          .data_o({out_head_o[p], out_tail_o[p], out_data_o[p*DataBits+:DataBits]})
      );
      register_chain #(
          .Width(1 + VcBits),
          .Registers((p < Externals) ? LinkRegisters : 0)
      ) u_vcs_out (
          .clk_i,
          .rst_ni,
          .data_i({sent_valid_i[p], sent_vc_i[p*VcBits+:VcBits]}),
          .data_o({out_valid_o[p], out_vc_o[p*VcBits+:VcBits]})
      );
      register_chain #(
          .Width(1 + VcBits),
          .Registers((p < Externals) ? LinkRegisters : 0)
      ) u_credits_out (
          .clk_i,
          .rst_ni,
          .data_i({freed_valid_i[p], freed_vc_i[p*VcBits+:VcBits]}),
          .data_o({in_credit_valid_o[p], in_credit_vc_o[p*VcBits+:VcBits]})
      );
    end
  endgenerate

endmodule
