// The credit counter against plain arithmetic, at every value, with spend, gain, both and neither.
module credit_counter_tb #(
    parameter int Depth = 4
);

  localparam int Cycles = 20000;

  logic clk;
  logic rst_n;
  logic spend, gain;
  logic [6:0] count;
  logic [63:0] random;
  int want;
  int seen[0:64*4+3];  // [4*value + 2*spend + gain]

  credit_counter #(
      .Depth(Depth)
  ) dut (
      .clk_i(clk), .rst_ni(rst_n), .spend_i(spend), .gain_i(gain), .count_o(count)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  initial begin
    for (int k = 0; k < 64 * 4 + 4; k++) seen[k] = 0;
    random = 64'd88172645463325252;
    want = Depth;
    spend = 1'b0;
    gain = 1'b0;
    rst_n = 1'b0;
    @(negedge clk);
    @(negedge clk);
    rst_n = 1'b1;
    for (int c = 0; c < Cycles; c++) begin
      random = traffic_pkg::next_random(random);
      spend = want > 0 && random[5:3] < ((c / 256) % 2 == 0 ? 3'd6 : 3'd3);
      gain = want < Depth && random[15:13] < ((c / 256) % 2 == 0 ? 3'd3 : 3'd6);
      #1;
      if (int'(count) !== want) $fatal(1, "cycle %0d: %0d, expected %0d", c, count, want);
      seen[4*want+(spend?2:0)+(gain?1:0)] = seen[4*want+(spend?2:0)+(gain?1:0)] + 1;
      want = want - (spend ? 1 : 0) + (gain ? 1 : 0);
      @(negedge clk);
    end
    for (int value = 0; value <= Depth; value++) begin
      for (int k = 0; k < 4; k++) begin
        if (seen[4*value+k] == 0 && !(value == 0 && k >= 2) && !(value == Depth && k % 2 == 1))
          $fatal(1, "value %0d never had spend %0d gain %0d", value, k / 2, k % 2);
      end
    end
    $display("credit_counter: depth %0d\nPASS", Depth);
    $finish;
  end

endmodule
