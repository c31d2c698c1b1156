// The FIFO against a list that never forgets: entry number n is hash(n), pushes and pops at random.
//
// Rationale: read and write place must wrap at any depth, and an entry pushed in cycle t must be at
// the front of an empty FIFO in t+1, not in t. State space: every fill level, each with push, pop,
// both and neither; all of these are counted.
module flit_fifo_tb #(
    parameter int Depth = 4
);

  localparam int Cycles = 20000;

  logic clk;
  logic rst_n;
  logic push, pop;
  logic [65:0] data, front;
  logic [6:0] count;
  logic [63:0] random;
  int pushed, popped;
  int place;
  int seen[0:64*4+3];  // [4*level + 2*push + pop]

  flit_fifo #(
      .Depth(Depth)
  ) dut (
      .clk_i(clk), .rst_ni(rst_n), .push_i(push), .data_i(data), .pop_i(pop), .front_o(front),
      .count_o(count)
  );

  function automatic logic [65:0] entry(input int number);
    entry = {2'(number), traffic_pkg::hash(64'(number))};
  endfunction

  initial clk = 1'b0;
  always #5 clk = ~clk;

  initial begin
    for (int k = 0; k < 64 * 4 + 4; k++) seen[k] = 0;
    random = 64'd88172645463325252;
    pushed = 0;
    popped = 0;
    push = 1'b0;
    pop = 1'b0;
    data = '0;
    rst_n = 1'b0;
    @(negedge clk);
    @(negedge clk);
    rst_n = 1'b1;
    for (int c = 0; c < Cycles; c++) begin
      // What the FIFO holds now, before it can see this cycle's push.
      data = entry(pushed);
      random = traffic_pkg::next_random(random);
      // In turn: filling and emptying, so that every level is reached.
      push = pushed - popped < Depth && random[5:3] < ((c / 256) % 2 == 0 ? 3'd6 : 3'd3);
      pop = pushed > popped && random[15:13] < ((c / 256) % 2 == 0 ? 3'd3 : 3'd6);
      #1;
      if (int'(count) !== pushed - popped)
        $fatal(1, "cycle %0d: count %0d, expected %0d", c, count, pushed - popped);
      if (front !== ((pushed > popped) ? entry(popped) : 66'd0))
        $fatal(1, "cycle %0d: front %h, expected entry %0d", c, front, popped);
      place = 4 * (pushed - popped) + (push ? 2 : 0) + (pop ? 1 : 0);
      seen[place] = seen[place] + 1;
      if (push) pushed = pushed + 1;
      if (pop) popped = popped + 1;
      @(negedge clk);
    end
    for (int level = 0; level <= Depth; level++) begin
      for (int k = 0; k < 4; k++) begin
        // Nothing is pushed while full, or popped while empty.
        if (seen[4*level+k] == 0 && !(level == Depth && k >= 2) && !(level == 0 && k % 2 == 1))
          $fatal(1, "level %0d never had push %0d pop %0d", level, k / 2, k % 2);
      end
    end
    $display("flit_fifo: depth %0d, %0d entries through\nPASS", Depth, popped);
    $finish;
  end

endmodule
