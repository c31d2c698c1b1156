// The count is Depth, minus flits sent, plus credits returned, and stays in 0..Depth, if the
// receiver returns no more than it took.
module credit_counter_proof #(
    parameter int Depth = 4
) (
    input logic clk_i,
    input logic rst_ni,
    input logic spend_i,
    input logic gain_i
);

  logic [6:0] count;
  credit_counter #(
      .Depth(Depth)
  ) dut (
      .clk_i, .rst_ni, .spend_i, .gain_i, .count_o(count)
  );

  logic [6:0] held_q;  // places in use at the receiver
  logic started_q;
  initial started_q = 1'b0;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) held_q <= '0;
    else held_q <= held_q + 7'(spend_i) - 7'(gain_i);
  end

  always_comb begin
    assume (rst_ni == started_q);
    assume (!spend_i || count != 0);
    assume (!gain_i || held_q != 0);
    if (started_q) begin
      assert (count + held_q == 7'(Depth));
      assert (count <= 7'(Depth));
`ifdef WITNESS
      assert (count != 0);
`endif
    end
  end

endmodule
