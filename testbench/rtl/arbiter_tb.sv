// All kinds of arbiters, against the text's order of candidates kept as a list, under random sets of
// requesters, with picks that are final and picks that are not.
//
// State space: the order. Round-robin has as many as requesters, matrix all permutations, fixed
// priority one; final picks walk among them. Counted: how often each candidate is first and picked,
// and changes of a matrix. With fixed priority only candidate 0 is first, and the last one must have
// waited for longer than in a fair arbiter.
module arbiter_tb #(
    parameter int Requests = 4,
    // The code of the arbiter: 0 round-robin, 1 matrix, 2 fixed priority.
    parameter int Arbiters = 0
);

  localparam int Cycles = 5000;

  logic clk;
  logic rst_n;
  logic [Requests-1:0] request;
  logic advance, valid;
  logic [3:0] index, pointer;
  logic [63:0] random;
  int order[0:15];
  int firsts[0:15];  // cycles in which each candidate was first
  int picks[0:15];   // final picks of each candidate
  int waited[0:15];  // final picks of others, since it requests
  int want, at, held, swaps, longest;

  arbiter #(
      .Arbiters(Arbiters),
      .Requests(Requests),
      .IndexBits(4)
  ) dut (
      .clk_i(clk), .rst_ni(rst_n), .request_i(request), .advance_i(advance), .valid_o(valid),
      .index_o(index), .pointer_o(pointer)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  // The final pick of order[at]: behind all others, alone (matrix) or with all before it; with fixed
  // priority it stays.
  task automatic make_final;
    if (Arbiters == 0) begin
      for (int k = 0; k <= at; k++) begin
        held = order[0];
        for (int j = 0; j < Requests - 1; j++) order[j] = order[j+1];
        order[Requests-1] = held;
      end
    end else if (Arbiters == 1) begin
      held = order[at];
      for (int j = at; j < Requests - 1; j++) order[j] = order[j+1];
      order[Requests-1] = held;
      if (at > 0) swaps = swaps + 1;
    end
  endtask

  initial begin
    for (int k = 0; k < 16; k++) begin
      order[k] = k;
      firsts[k] = 0;
      picks[k] = 0;
      waited[k] = 0;
    end
    swaps = 0;
    longest = 0;
    random = 64'd88172645463325252;
    request = '0;
    advance = 1'b0;
    rst_n = 1'b0;
    @(negedge clk);
    @(negedge clk);
    rst_n = 1'b1;
    for (int c = 0; c < Cycles; c++) begin
      random = traffic_pkg::next_random(random);
      // Sparse and dense in turn; a requester stays until it is picked in half of the time.
      request = ((c / 64) % 2 == 0 ? request : '0) | Requests'(random >> 8)
          & (random[1] ? '1 : Requests'(random >> 30));
      // None below a random one, in some cycles: there every candidate wins.
      if ((c / 64) % 2 != 0) request = request & ('1 << (32'(random[47:40]) % Requests));
      at = -1;
      for (int k = Requests - 1; k >= 0; k--) if (request[order[k]]) at = k;
      want = (at >= 0) ? order[at] : 0;
      advance = at >= 0 && random[3:2] != 2'd0;
      #1;
      if (int'(pointer) !== order[0]) $fatal(1, "pointer %0d, expected %0d", pointer, order[0]);
      if (valid !== (at >= 0) || int'(index) !== want)
        $fatal(1, "cycle %0d, requests %b: picked %0d (%b), expected %0d", c, request, index, valid,
               want);
      firsts[order[0]] = firsts[order[0]] + 1;
      if (advance) begin
        picks[want] = picks[want] + 1;
        make_final();
      end
      for (int k = 0; k < Requests; k++) begin
        if (!request[k] || (advance && k == want)) waited[k] = 0;
        else if (advance) waited[k] = waited[k] + 1;
        if (waited[k] > longest) longest = waited[k];
        if (waited[k] >= Requests && Arbiters != 2)
          $fatal(1, "%0d waited for %0d picks", k, waited[k]);
      end
      @(negedge clk);
      if (advance) request[want] = 1'b0;
    end
    for (int k = 0; k < Requests; k++) begin
      if ((firsts[k] < 100 && (Arbiters != 2 || k == 0)) || picks[k] < 100)
        $fatal(1, "candidate %0d only %0d times first, %0d times picked", k, firsts[k], picks[k]);
    end
    if (Arbiters == 1 && Requests > 1 && swaps < 100) $fatal(1, "only %0d changes of order", swaps);
    if (Arbiters == 2 && Requests > 1 && longest < Requests)
      $fatal(1, "nobody waited for more than %0d picks", longest);
    $display("arbiter %0d: %0d requesters, %0d cycles\nPASS", Arbiters, Requests, Cycles);
    $finish;
  end

endmodule
