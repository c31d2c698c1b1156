// Drives one input channel of the router: random packets on every VC, flits of the VCs interleaved,
// never more flits than there are credits for.
module traffic_source #(
    /// The input port that it drives.
    parameter int Port = 0,
    /// Virtual channels of that port.
    parameter int Vcs = 1,
    /// Buffer depth per VC, flits.
    parameter int Depth = 4,
    /// Bit d: dimension d is a ring.
    parameter int Torus = 0
) (
    /// Clock, and synchronous reset.
    input logic clk_i,
    input logic rst_ni,
    /// What the packets are made from.
    input logic [63:0] seed_i,
    /// Begin new packets. While 0, those under way are finished.
    input logic begin_i,
    /// Chance of sending in a cycle in which it is possible, in 1/256.
    input logic [8:0] rate_i,
    /// The channel.
    output logic valid_o,
    output logic [2:0] vc_o,
    output logic head_o,
    output logic tail_o,
    output logic [63:0] data_o,
    input logic credit_valid_i,
    input logic [2:0] credit_vc_i,
    /// Since reset: flits sent; packets finished per VC; packets under way in all.
    output int flits_o,
    output logic [8*32-1:0] packets_o,
    output int open_o,
    /// Credits that are out: places of the router's buffers that it has not given back.
    output int owed_o,
    /// Flits sent while a packet on another VC was under way, and flits that took the last credit.
    output int interleaved_o,
    output int last_credits_o
);

  int credits[0:7];
  int packet[0:7];
  int index[0:7];
  logic [63:0] random;
  logic [65:0] next_flit;
  int pick;

  function automatic logic can_send(input int vc);
    can_send = credits[vc] > 0 && (index[vc] > 0 || begin_i);
  endfunction

  always @(posedge clk_i) begin
    valid_o <= 1'b0;
    vc_o <= '0;
    head_o <= 1'b0;
    tail_o <= 1'b0;
    data_o <= '0;
    if (!rst_ni) begin
      random = traffic_pkg::hash(seed_i ^ (64'(Port) << 40)) | 64'd1;
      flits_o = 0;
      open_o = 0;
      owed_o = 0;
      interleaved_o = 0;
      last_credits_o = 0;
      for (int v = 0; v < 8; v++) begin
        credits[v] = Depth;
        packet[v] = 0;
        index[v] = 0;
      end
    end else begin
      if (credit_valid_i) begin
        credits[credit_vc_i] = credits[credit_vc_i] + 1;
        owed_o = owed_o - 1;
        if (32'(credit_vc_i) >= Vcs || credits[credit_vc_i] > Depth)
          $fatal(1, "input %0d VC %0d: more credits than places", Port, credit_vc_i);
      end

      // The first VC that can send, from a random one on.
      random = traffic_pkg::next_random(random);
      pick = -1;
      for (int k = Vcs - 1; k >= 0; k--) begin
        if (can_send((32'(random[40:33]) + k) % Vcs)) pick = (32'(random[40:33]) + k) % Vcs;
      end
      if (pick >= 0 && {1'b0, random[27:20]} < rate_i) begin
        next_flit = traffic_pkg::flit(seed_i, 3'(Torus), Port, pick, packet[pick], index[pick]);
        valid_o <= 1'b1;
        vc_o <= 3'(pick);
        {head_o, tail_o, data_o} <= next_flit;
        flits_o = flits_o + 1;
        credits[pick] = credits[pick] - 1;
        owed_o = owed_o + 1;
        if (credits[pick] == 0) last_credits_o = last_credits_o + 1;
        if (open_o > ((index[pick] > 0) ? 1 : 0)) interleaved_o = interleaved_o + 1;
        if (index[pick] == 0) open_o = open_o + 1;
        index[pick] = index[pick] + 1;
        if (next_flit[64]) begin
          packet[pick] = packet[pick] + 1;
          index[pick] = 0;
          open_o = open_o - 1;
        end
      end
    end
    for (int v = 0; v < 8; v++) packets_o[v*32+:32] <= packet[v];
  end

endmodule
