// Grants are one-hot and only to requesters: an output port grants at most one input port, an input
// port wins at most once, and what it wins is what its nominated VC asks for. And no output stays
// idle that a nominee asks for. All kinds of arbiters; two VCs, or three along a ring, and one on
// the last port.
module separable_allocator_proof #(
    parameter int Ports = 3,
    parameter int Arbiters = 0,
    parameter int Rings = 0
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [Ports*8-1:0] request_i,
    input logic [Ports*8*2-1:0] port_i
);

  logic [Ports*3-1:0] nominee, in_pointer;
  logic [Ports-1:0] granted, grant_valid;
  logic [Ports*2-1:0] grant_in, out_pointer;

  separable_allocator #(
      .Ports(Ports), .Externals(Ports - 1), .Rings(Rings), .Vcs(2), .RingVcs(3), .OtherVcs(1),
      .Arbiters(Arbiters)
  ) dut (
      .clk_i, .rst_ni, .request_i, .port_i, .nominee_o(nominee), .granted_o(granted),
      .grant_valid_o(grant_valid), .grant_in_o(grant_in), .in_pointer_o(in_pointer),
      .out_pointer_o(out_pointer)
  );

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  generate
    for (genvar i = 0; i < Ports; i++) begin : g_input
      logic [7:0] requests;
      logic [1:0] wanted;  // by the nominee
      logic [Ports-1:0] wins;
      assign requests = request_i[i*8+:8];
      assign wanted = port_i[(i*8+32'(nominee[i*3+:3]))*2+:2];
      for (genvar o = 0; o < Ports; o++) begin : g_win
        assign wins[o] = grant_valid[o] && grant_in[o*2+:2] == 2'(i);
      end
      always_comb begin
        for (int v = 0; v < 8; v++) begin
          assume (32'(port_i[(i*8+v)*2+:2]) < Ports);
          assume (!request_i[i*8+v] || v < ((i == Ports - 1) ? 1 : (Rings != 0) ? 3 : 2));
        end
        if (started_q) begin
          assert ((wins & (wins - 1'b1)) == 0);
          assert (granted[i] == (wins != 0));
          assert (requests == 0 || requests[nominee[i*3+:3]]);
          for (int o = 0; o < Ports; o++) begin
            assert (!wins[o] || (requests != 0 && 32'(wanted) == o));
            assert (requests == 0 || 32'(wanted) != o || grant_valid[o]);
          end
        end
      end
    end
    for (genvar o = 0; o < Ports; o++) begin : g_output
      always_comb if (started_q) assert (!grant_valid[o] || 32'(grant_in[o*2+:2]) < Ports);
    end
  endgenerate

`ifdef WITNESS
  always_comb if (started_q) assert (grant_valid != {Ports{1'b1}});
`endif

endmodule
