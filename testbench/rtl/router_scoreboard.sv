// What leaves the router: every flit once, unchanged, in order, at the right output, on a VC that
// its packet has for itself; and a credit to the input that it left, in the same cycle. It looks at
// the router's channels alone.
//
// The packets of one input VC leave in the order in which they came (one FIFO), so the next flit of
// each input VC is known in full.
module router_scoreboard #(
    /// Local ports of the router.
    parameter int LocalPorts = 4,
    /// Virtual channels per external and per local channel.
    parameter int Vcs = 1,
    parameter int LocalVcs = 1,
    /// Derived: ports.
    localparam int N = 4 + LocalPorts
) (
    /// Clock, and synchronous reset.
    input logic clk_i,
    input logic rst_ni,
    /// What the packets are made from.
    input logic [63:0] seed_i,
    /// The router's outputs.
    input logic [N-1:0] out_valid_i,
    input logic [N*3-1:0] out_vc_i,
    input logic [N-1:0] out_head_i,
    input logic [N-1:0] out_tail_i,
    input logic [N*64-1:0] out_data_i,
    input logic [N-1:0] in_credit_valid_i,
    input logic [N*3-1:0] in_credit_vc_i,
    /// Since reset: flits that left; packets that left, per input VC (place 8*port + vc).
    output int flits_o,
    output logic [N*8*32-1:0] packets_o,
    /// Flits from input i to output o were seen, at bit i*N + o.
    output logic [N*N-1:0] turns_o
);

  int packet[0:N*8-1];    // per input VC: number of the packet that leaves next
  int index[0:N*8-1];     // and its next flit
  int owner[0:N*8-1];     // per output VC: the input VC whose packet is under way, or -1
  logic [N-1:0] credit;   // the credits that this cycle's flits must cause
  logic [N*3-1:0] credit_vc;
  int from;
  int from_vc;
  int source;
  int target;
  int exit;
  logic [65:0] expected;
  logic [65:0] got;
  logic [63:0] word;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      flits_o = 0;
      turns_o = '0;
      for (int k = 0; k < N * 8; k++) begin
        packet[k] = 0;
        index[k] = 0;
        owner[k] = -1;
      end
    end else begin
      credit = '0;
      credit_vc = '0;
      if ((^out_valid_i) === 1'bx) $fatal(1, "out_valid_o is unknown: %b", out_valid_i);
      for (int o = 0; o < N; o++) begin
        got = {out_head_i[o], out_tail_i[o], out_data_i[o*64+:64]};
        if (!out_valid_i[o]) begin
          if ({got, out_vc_i[o*3+:3]} !== 69'd0) $fatal(1, "output %0d: not valid, yet not 0", o);
        end else begin
          from = 32'(got[traffic_pkg::PortLsb+:8]);
          from_vc = 32'(got[traffic_pkg::VcLsb+:8]);
          source = from * 8 + from_vc;
          target = o * 8 + 32'(out_vc_i[o*3+:3]);
          if (!(from < N && from_vc < ((from < 4) ? Vcs : LocalVcs)))
            $fatal(1, "output %0d: a flit of nobody, %h", o, got);

          expected = traffic_pkg::flit(seed_i, from, from_vc, packet[source], index[source]);
          if (got !== expected)
            $fatal(1, "output %0d: flit %h of input %0d VC %0d, expected %h", o, got, from, from_vc,
                   expected);
          word = traffic_pkg::packet_word(seed_i, from, from_vc, packet[source]);
          exit = traffic_pkg::expected_output(traffic_pkg::destination_x(word),
                                              traffic_pkg::destination_y(word), from, LocalPorts);
          if (o != exit)
            $fatal(1, "packet %0d of input %0d VC %0d: at output %0d, expected %0d",
                   packet[source], from, from_vc, o, exit);
          if (owner[target] != (out_head_i[o] ? -1 : source))
            $fatal(1, "output %0d VC %0d: packets alternate", o, target % 8);
          if (credit[from]) $fatal(1, "input %0d: two flits in one cycle", from);

          credit[from] = 1'b1;
          credit_vc[from*3+:3] = 3'(from_vc);
          owner[target] = out_tail_i[o] ? -1 : source;
          index[source] = out_tail_i[o] ? 0 : index[source] + 1;
          if (out_tail_i[o]) packet[source] = packet[source] + 1;
          flits_o = flits_o + 1;
          turns_o[from*N+o] = 1'b1;
        end
      end
      if (in_credit_valid_i !== credit || in_credit_vc_i !== credit_vc)
        $fatal(1, "credits %b (VCs %h), but flits left %b (VCs %h)", in_credit_valid_i,
               in_credit_vc_i, credit, credit_vc);
    end
    for (int k = 0; k < N * 8; k++) packets_o[k*32+:32] <= packet[k];
  end

endmodule
