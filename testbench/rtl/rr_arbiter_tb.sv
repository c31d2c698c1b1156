// The arbiter, exhaustively: every pointer, every set of requesters, final and not, against the
// text's "p, p+1, ..., n-1, 0, ..., p-1" taken literally.
//
// State space: the pointer alone. Each case first puts the pointer in place by a pick of the
// requester before it, so the wrap at n-1 is used all the time.
module rr_arbiter_tb #(
    parameter int Requests = 4
);

  logic clk;
  logic rst_n;
  logic [Requests-1:0] request;
  logic advance, valid;
  logic [2:0] index, pointer;
  int want;
  int cases;

  rr_arbiter #(
      .Requests(Requests)
  ) dut (
      .clk_i(clk), .rst_ni(rst_n), .request_i(request), .advance_i(advance), .valid_o(valid),
      .index_o(index), .pointer_o(pointer)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  // One case: requesters `set` at pointer `p`, final or not, and where the pointer is afterwards.
  task automatic try(input int p, input int set, input logic final_pick);
    request = '0;
    request[(p+Requests-1)%Requests] = 1'b1;
    advance = 1'b1;
    @(negedge clk);
    request = Requests'(set);
    advance = final_pick && set != 0;
    want = -1;
    for (int k = 0; k < Requests; k++) begin
      if (want < 0 && request[(p+k)%Requests]) want = (p + k) % Requests;
    end
    #1;
    if (int'(pointer) !== p) $fatal(1, "pointer %0d, expected %0d", pointer, p);
    if (valid !== (want >= 0) || int'(index) !== ((want >= 0) ? want : 0))
      $fatal(1, "pointer %0d, requests %b: picked %0d (%b), expected %0d", p, request, index, valid,
             want);
    @(negedge clk);
    if (int'(pointer) !== (advance ? (want + 1) % Requests : p))
      $fatal(1, "pointer %0d after %0d, pick %0d, final %b", pointer, p, want, advance);
    cases = cases + 1;
  endtask

  initial begin
    cases = 0;
    request = '0;
    advance = 1'b0;
    rst_n = 1'b0;
    @(negedge clk);
    @(negedge clk);
    rst_n = 1'b1;
    if (pointer !== 3'd0) $fatal(1, "pointer %0d after reset", pointer);
    for (int p = 0; p < Requests; p++) begin
      for (int set = 0; set < (1 << Requests); set++) begin
        try(p, set, 1'b0);
        try(p, set, 1'b1);
      end
    end
    if (cases != Requests * (2 << Requests)) $fatal(1, "%0d cases", cases);
    $display("rr_arbiter: %0d requesters, %0d cases\nPASS", Requests, cases);
    $finish;
  end

endmodule
