// Ends one output channel of the router: takes flits into buffers of Depth places, and empties them
// at random times. It fails if a flit finds no place.
module traffic_sink #(
    /// The output port that it ends.
    parameter int Port = 0,
    /// Virtual channels of that port.
    parameter int Vcs = 1,
    /// Buffer depth per VC, flits.
    parameter int Depth = 4
) (
    /// Clock, and synchronous reset.
    input logic clk_i,
    input logic rst_ni,
    /// What its choices are made from.
    input logic [63:0] seed_i,
    /// Chance of returning a credit in a cycle in which there is one, in 1/256.
    input logic [8:0] rate_i,
    /// The channel.
    input logic valid_i,
    input logic [2:0] vc_i,
    output logic credit_valid_o,
    output logic [2:0] credit_vc_o,
    /// Flits now held.
    output int held_o,
    /// Since reset: flits taken per VC, and how often a buffer became full.
    output logic [8*32-1:0] flits_o,
    output int filled_o
);

  int held[0:7];
  int flits[0:7];
  logic [63:0] random;
  int pick;

  always @(posedge clk_i) begin
    credit_valid_o <= 1'b0;
    credit_vc_o <= '0;
    if (!rst_ni) begin
      random = traffic_pkg::hash(seed_i ^ (64'(Port) << 48)) | 64'd1;
      held_o = 0;
      filled_o = 0;
      for (int v = 0; v < 8; v++) begin
        held[v] = 0;
        flits[v] = 0;
      end
    end else begin
      if (valid_i) begin
        if (32'(vc_i) >= Vcs) $fatal(1, "output %0d: a flit on VC %0d of %0d", Port, vc_i, Vcs);
        if (held[vc_i] == Depth) $fatal(1, "output %0d VC %0d: no place for a flit", Port, vc_i);
        held[vc_i] = held[vc_i] + 1;
        held_o = held_o + 1;
        flits[vc_i] = flits[vc_i] + 1;
        if (held[vc_i] == Depth) filled_o = filled_o + 1;
      end

      // The first VC that holds a flit, from a random one on.
      random = traffic_pkg::next_random(random);
      pick = -1;
      for (int k = Vcs - 1; k >= 0; k--) begin
        if (held[(32'(random[40:33]) + k) % Vcs] > 0) pick = (32'(random[40:33]) + k) % Vcs;
      end
      if (pick >= 0 && {1'b0, random[27:20]} < rate_i) begin
        credit_valid_o <= 1'b1;
        credit_vc_o <= 3'(pick);
        held[pick] = held[pick] - 1;
        held_o = held_o - 1;
      end
    end
    for (int v = 0; v < 8; v++) flits_o[v*32+:32] <= flits[v];
  end

endmodule
