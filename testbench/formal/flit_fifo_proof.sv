// A FIFO keeps order and content: a marked entry, pushed at any time among any number of others, is
// at the front exactly when all that came before it have left, and unchanged; nothing else looks
// like it.
//
// The neighbours keep their side: nothing is pushed while full, or popped while empty. In the
// router credits see to that; here it is assumed. flit_fifo's own claims are proved along with
// these.
module flit_fifo_proof #(
    parameter int Depth = 4
) (
    input logic clk_i,
    input logic rst_ni,
    input logic push_i,
    input logic pop_i,
    input logic data_i
);

  logic front;
  logic [6:0] count;
  // One bit wide: the mark. No decision of the FIFO depends on data, so one bit stands for all.
  flit_fifo #(
      .Width(1),
      .Depth(Depth)
  ) dut (
      .clk_i, .rst_ni, .push_i, .data_i, .pop_i, .front_o(front), .count_o(count)
  );

  // The marked entry: is it in the FIFO, and how many entries are before it.
  logic held_q;
  logic done_q;
  logic [6:0] ahead_q;
  logic [6:0] model_q;  // entries, by bookkeeping alone

  logic started_q;
  initial started_q = 1'b0;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      held_q <= 1'b0;
      done_q <= 1'b0;
      ahead_q <= '0;
      model_q <= '0;
    end else begin
      model_q <= model_q + 7'(push_i) - 7'(pop_i);
      if (push_i && data_i) begin
        held_q <= 1'b1;
        ahead_q <= model_q - 7'(pop_i);
      end else if (held_q && pop_i) begin
        if (ahead_q == 0) begin
          held_q <= 1'b0;
          done_q <= 1'b1;
        end else begin
          ahead_q <= ahead_q - 1'b1;
        end
      end
    end
  end

  always_comb begin
    assume (rst_ni == started_q);                    // reset in the first cycle
    assume (!push_i || model_q < 7'(Depth));
    assume (!pop_i || model_q != 0);
    assume (!(push_i && data_i && (held_q || done_q)));  // one marked entry
    if (started_q) begin
      assert (count == model_q);
      assert (count <= 7'(Depth));
      // The front is the marked entry exactly when nothing is before it.
      assert (front == (held_q && ahead_q == 0));
`ifdef WITNESS
      assert (!(front && count == 7'(Depth)));
`endif
    end
  end

endmodule
