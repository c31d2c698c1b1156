// A router as it is Verilated for a node of the network: either kind, with the address in registers
// that are set in reset.
//
// What depends on an input is evaluated whenever the Verilated code is called, which is twice a
// cycle, and once more after the clock edge. Routes and grants depend on the address. Behind
// registers they are evaluated after the edge alone.
module cosim_router #(
    /// 1: the one-port router, 0: the all-port router. The other parameters are the router's.
    parameter int OnePort = 0,
    `include "router_parameters.svh"
    ,
    /// Derived, not to be set: the ports that lead out of the router, the ports of the switches.
    localparam int N = 2 * Dims + LocalPorts,
    localparam int SwitchPorts = (OnePort != 0) ? 3 * Dims : N
) (
    /// The router's pins. address_i and last_i are read in reset alone.
    input logic clk_i,
    input logic rst_ni,
    input logic [noc_pkg::AddressBits-1:0] address_i,
    input logic [noc_pkg::AddressBits-1:0] last_i,
    input logic [N-1:0] in_valid_i,
    input logic [N*noc_pkg::VcBits-1:0] in_vc_i,
    input logic [N-1:0] in_head_i,
    input logic [N-1:0] in_tail_i,
    input logic [N*noc_pkg::DataBits-1:0] in_data_i,
    output logic [N-1:0] in_credit_valid_o,
    output logic [N*noc_pkg::VcBits-1:0] in_credit_vc_o,
    output logic [N-1:0] out_valid_o,
    output logic [N*noc_pkg::VcBits-1:0] out_vc_o,
    output logic [N-1:0] out_head_o,
    output logic [N-1:0] out_tail_o,
    output logic [N*noc_pkg::DataBits-1:0] out_data_o,
    input logic [N-1:0] out_credit_valid_i,
    input logic [N*noc_pkg::VcBits-1:0] out_credit_vc_i,
    output logic [SwitchPorts*noc_pkg::ObsBits-1:0] obs_o
);

  logic [noc_pkg::AddressBits-1:0] address_q;
  logic [noc_pkg::AddressBits-1:0] last_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      address_q <= address_i;
      last_q <= last_i;
    end
  end

  generate
    if (OnePort != 0) begin : g_one_port
      one_port_router #(
          `include "router_pass_through.svh"
      ) u_router (
          .address_i(address_q),
          .last_i(last_q),
          .*
      );
    end else begin : g_all_port
      all_port_router #(
          `include "router_pass_through.svh"
      ) u_router (
          .address_i(address_q),
          .last_i(last_q),
          .*
      );
    end
  endgenerate

endmodule
