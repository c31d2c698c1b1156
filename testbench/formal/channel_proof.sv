// A channel: the sender's credit counter, registers each way (the switch register and the link
// registers of both routers), the receiver's FIFO. Whatever sender and receiver do as long as the
// one sends only with a credit and the other takes only what is there,
// credits + flits under way + occupancy + credits under way = depth, for ever; so the FIFO never
// overflows and the counter never exceeds the depth, which both modules claim themselves.
module channel_proof #(
    parameter int Depth = 4,
    parameter int Registers = 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic send_i,
    input logic take_i
);

  logic arrives, returns;
  logic [6:0] credits, count;
  logic front;

  credit_counter #(
      .Depth(Depth)
  ) u_credits (
      .clk_i, .rst_ni, .spend_i(send_i), .gain_i(returns), .count_o(credits)
  );
  register_chain #(
      .Width(1), .Registers(Registers)
  ) u_forward (
      .clk_i, .rst_ni, .data_i(send_i), .data_o(arrives)
  );
  flit_fifo #(
      .Width(1), .Depth(Depth)
  ) u_fifo (
      .clk_i, .rst_ni, .push_i(arrives), .data_i(1'b1), .pop_i(take_i), .front_o(front),
      .count_o(count)
  );
  register_chain #(
      .Width(1), .Registers(Registers)
  ) u_backward (
      .clk_i, .rst_ni, .data_i(take_i), .data_o(returns)
  );

  logic started_q;
  logic [6:0] flits_q, returning_q;  // under way, by bookkeeping alone
  initial started_q = 1'b0;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      flits_q <= '0;
      returning_q <= '0;
    end else begin
      flits_q <= flits_q + 7'(send_i) - 7'(arrives);
      returning_q <= returning_q + 7'(take_i) - 7'(returns);
    end
  end

  always_comb begin
    assume (rst_ni == started_q);
    assume (started_q || (!send_i && !take_i));
    assume (!send_i || credits != 0);
    assume (!take_i || count != 0);
    if (started_q) begin
      assert (credits + flits_q + count + returning_q == 7'(Depth));
      assert (32'(flits_q) <= Registers && 32'(returning_q) <= Registers);
      assert (count == 0 || front);
`ifdef WITNESS
      assert (count != 7'(Depth));
`endif
    end
  end

endmodule
