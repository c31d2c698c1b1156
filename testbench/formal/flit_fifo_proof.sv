// flit_fifo against the plainest FIFO there is, a shift register, for all sequences of pushes, pops
// and resets. The neighbour behaves: no push while full, no pop while empty.
module flit_fifo_proof #(
    parameter int Depth = 3
) (
    input logic clk_i,
    input logic reset_i,
    input logic want_push_i,
    input logic want_pop_i,
    input logic [Width-1:0] data_i
);

  localparam int Width = 2;

  logic started_q;  // 0 in the first cycle alone, which is a reset
  initial started_q = 1'b0;
  logic rst_n, push, pop;
  logic [Width-1:0] front;
  logic [6:0] count;

  assign rst_n = started_q && !reset_i;
  assign push = want_push_i && length_q < 7'(Depth);
  assign pop = want_pop_i && length_q != 0;

  flit_fifo #(
      .Width(Width),
      .Depth(Depth)
  ) dut (
      .clk_i,
      .rst_ni(rst_n),
      .push_i(push),
      .data_i,
      .pop_i(pop),
      .front_o(front),
      .count_o(count)
  );

  // ---- reference: the front is entry 0 --------------------------------------------------------
  logic [Depth*Width-1:0] entries_q, popped;
  logic [6:0] length_q, left;

  assign popped = pop ? entries_q >> Width : entries_q;
  assign left = length_q - 7'(pop);

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_n) begin
      entries_q <= '0;
      length_q <= '0;
    end else begin
      // Entries at and beyond `left` are 0, so the new one can be or-ed in.
      entries_q <= popped | ((Depth * Width)'(push ? data_i : 2'd0) << (left * Width));
      length_q <= left + 7'(push);
    end
  end

  // ---- claims ---------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (started_q) begin
`ifdef REACH
      assert (!(pop && length_q == 7'(Depth)));
`else
      assert (count == length_q);
      assert (front == entries_q[Width-1:0]);
`endif
    end
  end

endmodule
