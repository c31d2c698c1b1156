// The arbiter picks a requester if there is one, and nobody else; the pointer moves behind a final
// pick and only then; and a requester that keeps asking is passed over by at most Requests - 1
// final picks of others.
module rr_arbiter_proof #(
    parameter int Requests = 8
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [Requests-1:0] request_i,
    input logic advance_i,
    input logic [2:0] patient_i  // any requester, fixed from the start
);

  logic valid;
  logic [2:0] index, pointer;
  rr_arbiter #(
      .Requests(Requests)
  ) dut (
      .clk_i, .rst_ni, .request_i, .advance_i, .valid_o(valid), .index_o(index),
      .pointer_o(pointer)
  );

  logic [2:0] patient_q;
  logic [2:0] passed_q;   // final picks of others since the patient one asks
  logic [2:0] expected_q; // pointer, by the text
  logic started_q;
  initial started_q = 1'b0;

  // Places from the pointer to the patient requester, going upwards and around.
  logic [3:0] distance;
  assign distance = (patient_q >= pointer) ? {1'b0, patient_q} - {1'b0, pointer}
      : {1'b0, patient_q} + 4'(Requests) - {1'b0, pointer};

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      patient_q <= patient_i;
      passed_q <= '0;
      expected_q <= '0;
    end else begin
      if (advance_i) expected_q <= (32'(index) == Requests - 1) ? 3'd0 : index + 3'd1;
      if (!(1'(request_i >> patient_q)) || (advance_i && index == patient_q)) passed_q <= '0;
      else if (advance_i) passed_q <= passed_q + 1'b1;
    end
  end

  always_comb begin
    assume (rst_ni == started_q);
    assume (32'(patient_i) < Requests);
    assume (!advance_i || request_i != 0);
    if (started_q) begin
      assert (valid == (request_i != 0));
      assert (!valid || 1'(request_i >> index));
`ifdef WITNESS
      assert (32'(passed_q) != Requests - 1);
`endif
      assert (pointer == expected_q);
      // Each final pick of another brings the pointer nearer, so patience is bounded.
      assert (32'(passed_q) + 32'(distance) <= Requests - 1);
    end
  end

endmodule
