// The arbiter picks a requester if there is one, and nobody who asks is lower; the pointer is 0. Final
// picks change nothing, so it is not fair: the witness is a requester that others pass by more often
// than a fair arbiter allows.
module fixed_priority_arbiter_proof #(
    parameter int Requests = 8
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [Requests-1:0] request_i,
    input logic advance_i
);

  logic valid;
  logic [2:0] index, pointer;
  fixed_priority_arbiter #(
      .Requests(Requests)
  ) dut (
      .clk_i, .rst_ni, .request_i, .advance_i, .valid_o(valid), .index_o(index),
      .pointer_o(pointer)
  );

  logic [3:0] passed_q;  // final picks of others since the last requester asks, up to 15
  logic started_q;
  initial started_q = 1'b0;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni || !request_i[Requests-1] || 32'(index) == Requests - 1) passed_q <= '0;
    else if (advance_i && passed_q != 4'd15) passed_q <= passed_q + 1'b1;
  end

  always_comb begin
    assume (rst_ni == started_q);
    assume (!advance_i || request_i != 0);
    if (started_q) begin
      assert (valid == (request_i != 0));
      assert (!valid || 1'(request_i >> index));
      for (int k = 0; k < Requests; k++) assert (!request_i[k] || 32'(index) <= k);
      assert (pointer == 3'd0);
`ifdef WITNESS
      assert (32'(passed_q) <= Requests - 1);
`endif
    end
  end

endmodule
