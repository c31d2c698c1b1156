// Grants are one-hot and only to requesters: an output port grants at most one input port, an input
// port wins at most once, and what it wins is what its VC asks for. All kinds of allocators, of
// rounds and of arbiters; two VCs, or three along a ring, and one on the last port.
//
// How much is granted: with one round input-first, no output stays idle that a nominee asks for. An
// input that requests and wins nothing requests an output that is granted; output-first, an output
// that is requested and idle is requested by an input that wins. In a wavefront, or in as many
// rounds as there are ports, no request is left between an input and an output without a grant.
//
// In a wavefront, the pairs of the first diagonal are granted if they are requested, and the next
// diagonal comes first when something has been granted.
module allocator_proof #(
    parameter int Ports = 3,
    parameter int Allocator = 0,
    parameter int Iterations = 1,
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

  allocator #(
      .Allocator(Allocator), .Iterations(Iterations), .Ports(Ports), .Externals(Ports - 1),
      .Rings(Rings), .Vcs(2), .RingVcs(3), .OtherVcs(1), .Arbiters(Arbiters)
  ) dut (
      .clk_i, .rst_ni, .request_i, .port_i, .nominee_o(nominee), .granted_o(granted),
      .grant_valid_o(grant_valid), .grant_in_o(grant_in), .in_pointer_o(in_pointer),
      .out_pointer_o(out_pointer)
  );

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  logic [1:0] diagonal_q;  // by the text
  always_ff @(posedge clk_i) begin
    if (!rst_ni) diagonal_q <= '0;
    else if (granted != 0)
      diagonal_q <= (32'(diagonal_q) == Ports - 1) ? 2'd0 : diagonal_q + 2'd1;
  end

  logic [Ports*Ports-1:0] requested;  // [i*Ports + o]: a VC of input i requests output o
  logic [Ports*Ports-1:0] asks;       // [o*Ports + i]: the same

  generate
    for (genvar i = 0; i < Ports; i++) begin : g_input
      logic [7:0] requests;
      logic [1:0] wanted;  // by the VC that is granted, or nominated
      logic [Ports-1:0] wins;
      assign requests = request_i[i*8+:8];
      assign wanted = port_i[(i*8+32'(nominee[i*3+:3]))*2+:2];
      for (genvar o = 0; o < Ports; o++) begin : g_win
        logic [7:0] by_vc;
        for (genvar v = 0; v < 8; v++) begin : g_vc
          assign by_vc[v] = request_i[i*8+v] && port_i[(i*8+v)*2+:2] == 2'(o);
        end
        assign requested[i*Ports+o] = |by_vc;
        assign asks[o*Ports+i] = |by_vc;
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
          assert (!granted[i] || requests[nominee[i*3+:3]]);
          for (int o = 0; o < Ports; o++) begin
            assert (!wins[o] || 32'(wanted) == o);
            if (Allocator == 0 && Iterations == 1)
              assert (requests == 0
                      || (requests[nominee[i*3+:3]] && (32'(wanted) != o || grant_valid[o])));
            if (Allocator == 2 || Iterations >= Ports)
              assert (!requested[i*Ports+o] || granted[i] || grant_valid[o]);
            if (Allocator == 2 && (i + o) % Ports == 32'(diagonal_q))
              assert (!requested[i*Ports+o] || wins[o]);
          end
          if (Allocator == 0)
            assert (requests == 0 || granted[i]
                    || (requested[i*Ports+:Ports] & grant_valid) != 0);
        end
      end
    end
    for (genvar o = 0; o < Ports; o++) begin : g_output
      always_comb begin
        if (started_q) begin
          assert (!grant_valid[o] || 32'(grant_in[o*2+:2]) < Ports);
          if (Allocator == 1)
            assert (asks[o*Ports+:Ports] == 0 || grant_valid[o]
                    || (asks[o*Ports+:Ports] & granted) != 0);
          if (Allocator == 2) assert (out_pointer[o*2+:2] == diagonal_q);
        end
      end
    end
  endgenerate

`ifdef WITNESS
  always_comb if (started_q) assert (grant_valid != {Ports{1'b1}});
`endif

endmodule
