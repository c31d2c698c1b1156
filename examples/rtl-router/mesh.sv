// A mesh of Annelid's all-port routers, with one local port per node and one virtual channel.
//
// Node n has the coordinates x = n % Width, y = n / Width. Vectors are flat: node n has
// bits [n*width +: width].
module mesh #(
    /// Nodes in each dimension.
    parameter int Width = 2,
    parameter int Height = 2,
    /// Pipeline stages of the routers, 1..4; registers of their links, 0..4.
    parameter int Stages = 1,
    parameter int LinkRegisters = 0,
    /// Derived, not to be set.
    localparam int Nodes = Width * Height
) (
    /// Clock, and synchronous reset, active low.
    input logic clk_i,
    input logic rst_ni,
    /// Injection channels: flits into the network, and credits back for them.
    input logic [Nodes-1:0] in_valid_i,
    input logic [Nodes-1:0] in_head_i,
    input logic [Nodes-1:0] in_tail_i,
    input logic [Nodes*64-1:0] in_data_i,
    output logic [Nodes-1:0] in_credit_o,
    /// Ejection channels: flits out of the network, and credits back for them.
    output logic [Nodes-1:0] out_valid_o,
    output logic [Nodes-1:0] out_head_o,
    output logic [Nodes-1:0] out_tail_o,
    output logic [Nodes*64-1:0] out_data_o,
    input logic [Nodes-1:0] out_credit_i
);

  // Ports of a router: 0 is +x, 1 is -x, 2 is +y, 3 is -y, 4 is the local port.
  localparam int Ports = 5;
  localparam int Local = 4;

  // What the routers send: port p of node n at n*Ports + p.
  logic [Nodes*Ports-1:0] valid, head, tail, credit;
  logic [Nodes*Ports*64-1:0] data;

  generate
    for (genvar n = 0; n < Nodes; n++) begin : g_node
      localparam int X = n % Width;
      localparam int Y = n / Width;

      // What reaches this router.
      logic [Ports-1:0] to_valid, to_head, to_tail, to_credit;
      logic [Ports*64-1:0] to_data;

      for (genvar p = 0; p < Local; p++) begin : g_port
        // At the rim of the mesh there is no neighbour: the inputs are 0.
        localparam int Step = ((p % 2 == 0) ? 1 : -1) * ((p < 2) ? 1 : Width);
        localparam int There = (p == 0) ? ((X < Width - 1) ? 1 : 0)
            : (p == 1) ? ((X > 0) ? 1 : 0)
            : (p == 2) ? ((Y < Height - 1) ? 1 : 0)
            : ((Y > 0) ? 1 : 0);
        if (There != 0) begin : g_neighbour
          // Output +x of a node is joined to input -x of its neighbour, and so on.
          localparam int From = (n + Step) * Ports + (p ^ 1);
          assign to_valid[p] = valid[From];
          assign to_head[p] = head[From];
          assign to_tail[p] = tail[From];
          assign to_data[p*64+:64] = data[From*64+:64];
          assign to_credit[p] = credit[From];
        end else begin : g_rim
          assign to_valid[p] = 1'b0;
          assign to_head[p] = 1'b0;
          assign to_tail[p] = 1'b0;
          assign to_data[p*64+:64] = 64'd0;
          assign to_credit[p] = 1'b0;
        end
      end
      assign to_valid[Local] = in_valid_i[n];
      assign to_head[Local] = in_head_i[n];
      assign to_tail[Local] = in_tail_i[n];
      assign to_data[Local*64+:64] = in_data_i[n*64+:64];
      assign to_credit[Local] = out_credit_i[n];

      assign in_credit_o[n] = credit[n*Ports+Local];
      assign out_valid_o[n] = valid[n*Ports+Local];
      assign out_head_o[n] = head[n*Ports+Local];
      assign out_tail_o[n] = tail[n*Ports+Local];
      assign out_data_o[n*64+:64] = data[(n*Ports+Local)*64+:64];

      // With one virtual channel, its number is always 0. Nobody observes the registers (obs_o).
      /* verilator lint_off PINCONNECTEMPTY */
      all_port_router #(
          .Dims(2),
          .LocalPorts(1),
          .Stages(Stages),
          .LinkRegisters(LinkRegisters)
      ) router (
          .clk_i,
          .rst_ni,
          .address_i({8'd0, 8'(Y), 8'(X)}),
          .last_i({8'd0, 8'(Height - 1), 8'(Width - 1)}),
          .in_valid_i(to_valid),
          .in_vc_i({(Ports * 3) {1'b0}}),
          .in_head_i(to_head),
          .in_tail_i(to_tail),
          .in_data_i(to_data),
          .in_credit_valid_o(credit[n*Ports+:Ports]),
          .in_credit_vc_o(),
          .out_valid_o(valid[n*Ports+:Ports]),
          .out_vc_o(),
          .out_head_o(head[n*Ports+:Ports]),
          .out_tail_o(tail[n*Ports+:Ports]),
          .out_data_o(data[n*Ports*64+:Ports*64]),
          .out_credit_valid_i(to_credit),
          .out_credit_vc_i({(Ports * 3) {1'b0}}),
          .obs_o()
      );
      /* verilator lint_on PINCONNECTEMPTY */
    end
  endgenerate

endmodule
