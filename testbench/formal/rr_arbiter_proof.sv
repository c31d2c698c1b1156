// rr_arbiter: what it picks, when its pointer moves, and that nobody starves, for all sequences of
// requests, final picks and resets.
module rr_arbiter_proof #(
    parameter int Requests = 5
) (
    input logic clk_i,
    input logic reset_i,
    input logic [Requests-1:0] request_i,
    input logic final_i
);

  (* anyconst *) logic [2:0] watched;  // any one requester, or none

  logic started_q;  // 0 in the first cycle alone, which is a reset
  initial started_q = 1'b0;
  logic rst_n, advance, valid;
  logic [2:0] index, pointer;

  assign rst_n = started_q && !reset_i;
  assign advance = final_i && |request_i;

  rr_arbiter #(
      .Requests(Requests),
      .IndexBits(3)
  ) dut (
      .clk_i,
      .rst_ni(rst_n),
      .request_i,
      .advance_i(advance),
      .valid_o(valid),
      .index_o(index),
      .pointer_o(pointer)
  );

  // How far requester k is from the pointer: 0 is picked first.
  function automatic int distance(input int k, input int from);
    distance = (k >= from) ? k - from : k - from + Requests;
  endfunction

  // ---- reference ------------------------------------------------------------------------------
  logic [2:0] turn_q;     // where the pointer must be
  logic [3:0] passed_q;   // final picks of others since `watched` began to request without a pause
  logic [7:0] requests;   // padded, so that any 3 bits may index it
  logic watched_requests;

  assign requests = 8'(request_i);
  assign watched_requests = requests[watched];

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_n) begin
      turn_q <= '0;
      passed_q <= '0;
    end else begin
      if (advance) turn_q <= (32'(index) + 1 == Requests) ? '0 : index + 1'b1;
      if (!watched_requests || (advance && index == watched)) passed_q <= '0;
      else if (advance) passed_q <= passed_q + 1'b1;
    end
  end

  // ---- claims ---------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (started_q) begin
`ifdef REACH
      assert (32'(passed_q) != Requests - 1);
`else
      assert (pointer == turn_q);
      assert (valid == |request_i);
      assert (valid || index == 0);
      assert (!valid || requests[index]);
      // Nobody who requests is nearer to the pointer than the pick.
      for (int k = 0; k < Requests; k++) begin
        if (request_i[k])
          assert (distance(32'(index), 32'(pointer)) <= distance(k, 32'(pointer)));
      end
      assert (32'(passed_q) <= Requests - 1);
`endif
    end
  end

endmodule
