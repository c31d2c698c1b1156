// The arbiter picks, among the requesters, the first of an order that a final pick changes by moving
// the winner to its end, and only then; the pointer is the first of the order; and a requester that
// keeps asking is passed over by at most Requests - 1 final picks of others.
//
// The order is kept here as a rank for each requester, in the arbiter as a bit for each pair.
module matrix_arbiter_proof #(
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
  matrix_arbiter #(
      .Requests(Requests)
  ) dut (
      .clk_i, .rst_ni, .request_i, .advance_i, .valid_o(valid), .index_o(index),
      .pointer_o(pointer)
  );

  logic [Requests*3-1:0] rank_q;  // 0 goes first
  logic [2:0] patient_q;
  logic [2:0] passed_q;  // final picks of others since the patient one asks
  logic started_q;
  initial started_q = 1'b0;

  logic [2:0] winner_rank, patient_rank;
  assign winner_rank = 3'(rank_q >> (32'(index) * 3));
  assign patient_rank = 3'(rank_q >> (32'(patient_q) * 3));

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      patient_q <= patient_i;
      passed_q <= '0;
    end else begin
      if (!(1'(request_i >> patient_q)) || (advance_i && index == patient_q)) passed_q <= '0;
      else if (advance_i) passed_q <= passed_q + 1'b1;
    end
  end

  generate
    for (genvar k = 0; k < Requests; k++) begin : g_rank
      always_ff @(posedge clk_i) begin
        if (!rst_ni) rank_q[k*3+:3] <= 3'(k);
        else if (advance_i && index == 3'(k)) rank_q[k*3+:3] <= 3'(Requests - 1);
        else if (advance_i && rank_q[k*3+:3] > winner_rank) rank_q[k*3+:3] <= rank_q[k*3+:3] - 1'b1;
      end
      always_comb begin
        if (started_q) begin
          // Nobody who asks goes before the winner.
          assert (!request_i[k] || rank_q[k*3+:3] >= winner_rank);
          assert ((pointer == 3'(k)) == (rank_q[k*3+:3] == 0));
          for (int j = 0; j < k; j++) assert (rank_q[j*3+:3] != rank_q[k*3+:3]);
        end
      end
    end
  endgenerate

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
      // Each final pick of another brings the patient one forward, or comes from before it.
      assert (32'(passed_q) + 32'(patient_rank) <= Requests - 1);
    end
  end

endmodule
