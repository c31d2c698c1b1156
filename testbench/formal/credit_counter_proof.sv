// credit_counter together with the buffer that it counts for: credits + flits in the receiver =
// Depth (docs/microarchitecture.md, section 7), for all sequences of flits, credits and resets.
module credit_counter_proof #(
    parameter int Depth = 4
) (
    input logic clk_i,
    input logic reset_i,
    input logic want_spend_i,
    input logic want_gain_i
);

  logic started_q;  // 0 in the first cycle alone, which is a reset
  initial started_q = 1'b0;
  logic rst_n, spend, gain;
  logic [6:0] credits;
  logic [6:0] receiver_q;  // flits in the receiver's buffer

  // The sender sees the counter, the receiver its buffer: neither sees the other.
  assign rst_n = started_q && !reset_i;
  assign spend = want_spend_i && credits != 0;
  assign gain = want_gain_i && receiver_q != 0;

  credit_counter #(
      .Depth(Depth)
  ) dut (
      .clk_i,
      .rst_ni(rst_n),
      .spend_i(spend),
      .gain_i(gain),
      .count_o(credits)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_n) receiver_q <= '0;
    else receiver_q <= receiver_q + 7'(spend) - 7'(gain);
  end

  // ---- claims ---------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (started_q) begin
`ifdef REACH
      assert (!(receiver_q == 7'(Depth) && gain));
`else
      assert (credits + receiver_q == 7'(Depth));
      assert (receiver_q <= 7'(Depth));
`endif
    end
  end

endmodule
