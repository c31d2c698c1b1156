// Route computation in one dimension. In a line: all 65,536 pairs of own and destination
// coordinate. In a ring: every ring of 1 to 12 nodes, every source, place and destination, by walking both ways
// node by node; and every pair in a ring of 256.
module route_dimension_tb #(
    parameter int Ring = 0,
    parameter int Classes = 1
);

  logic [7:0] here, last, dest, source;
  logic up, down;
  logic [1:0] vc_class;
  int cases;
  int ties;
  int ways[0:2];
  int classes[0:3];

  route_dimension #(
      .Ring(Ring),
      .Classes(Classes)
  ) dut (
      .here_i(here), .last_i(last), .dest_i(dest), .source_i(source), .up_o(up), .down_o(down),
      .class_o(vc_class)
  );

  // From `from` to `to` in steps of +1 or -1: the steps, and whether they pass the link that wraps.
  int steps;
  logic wraps;
  task automatic walk(input int from, input int to, input int size, input int step);
    int at;
    at = from;
    steps = 0;
    wraps = 1'b0;
    while (at != to) begin
      if (at + step < 0 || at + step >= size) wraps = 1'b1;
      at = (at + step + size) % size;
      steps = steps + 1;
    end
  endtask

  task automatic count(input int want_way, input int want_class);
    #1;
    if (up !== (want_way == 1) || down !== (want_way == 2) || int'(vc_class) !== want_class)
      $fatal(1, "from %0d at %0d to %0d of %0d: up %b down %b class %0d, expected %0d, %0d", source,
             here, dest, last, up, down, vc_class, want_way, want_class);
    cases = cases + 1;
    ways[want_way] = ways[want_way] + 1;
    if (want_way != 0) classes[want_class] = classes[want_class] + 1;
  endtask

  task automatic try_small_ring(input int size);
    int up_steps;
    int direction;
    logic ahead;
    for (int k = 0; k < size * size * size; k++) begin
      here = 8'(k % size);
      dest = 8'(k / size % size);
      source = 8'(k / size / size);
      last = 8'(size - 1);
      walk(int'(here), int'(dest), size, 1);
      up_steps = steps;
      walk(int'(here), int'(dest), size, -1);
      direction = (steps == 0) ? 0 : (up_steps <= steps) ? 1 : 2;
      if (steps == up_steps && steps != 0) ties = ties + 1;
      if (direction == 1) walk(int'(here), int'(dest), size, 1);
      ahead = wraps;
      walk(int'(source), int'(dest), size, (direction == 1) ? 1 : -1);
      if (direction == 0 || Classes == 1) count(direction, 0);
      else if (Classes == 2) count(direction, ahead ? 0 : 1);
      else count(direction, ahead ? 1 : wraps ? 2 : 0);
    end
  endtask

  initial begin
    cases = 0;
    ties = 0;
    for (int k = 0; k < 3; k++) ways[k] = 0;
    for (int k = 0; k < 4; k++) classes[k] = 0;
    if (Ring != 0) for (int size = 1; size <= 12; size++) try_small_ring(size);
    source = 8'd77;
    last = (Ring != 0) ? 8'd255 : 8'd3;  // a line has no use for it
    for (int k = 0; k < 65536; k++) begin
      here = 8'(k);
      dest = 8'(k >> 8);
      if (Ring == 0) count((dest > here) ? 1 : (dest < here) ? 2 : 0, 0);
      else count(traffic_pkg::way(int'(here), int'(dest), 255, 1'b1),
                 (here == dest) ? 0
                 : traffic_pkg::vc_class(traffic_pkg::way(int'(here), int'(dest), 255, 1'b1),
                                         int'(here), int'(dest), 77, Classes));
    end
    if (ways[0] == 0 || ways[1] == 0 || ways[2] == 0) $fatal(1, "a way was never taken");
    for (int c = 0; c < 4; c++)
      if ((classes[c] > 0) != (c < ((Ring != 0) ? Classes : 1)))
        $fatal(1, "class %0d: %0d cases", c, classes[c]);
    if (cases != 65536 + ((Ring != 0) ? 6084 : 0) || (Ring != 0 && ties < 100))
      $fatal(1, "%0d cases, %0d ties", cases, ties);
    $display("route_dimension: ring %0d, %0d classes, %0d cases\nPASS", Ring, Classes, cases);
    $finish;
  end

endmodule
