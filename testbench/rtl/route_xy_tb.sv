// Route computation, exhaustively in each dimension: all 65,536 pairs of own and destination
// coordinate in x with y below, equal and above, and the same in y with x equal.
module route_xy_tb;

  localparam int EjectPort = 6;

  logic [7:0] x, y, dest_x, dest_y;
  logic [2:0] port;
  int want;
  int cases;
  int taken[0:7];

  route_xy #(
      .EjectPort(EjectPort)
  ) dut (
      .x_i(x), .y_i(y), .dest_x_i(dest_x), .dest_y_i(dest_y), .port_o(port)
  );

  task automatic try(input int xx, input int yy, input int dx, input int dy);
    x = 8'(xx);
    y = 8'(yy);
    dest_x = 8'(dx);
    dest_y = 8'(dy);
    #1;
    if (dx - xx > 0) want = 0;
    else if (dx - xx < 0) want = 1;
    else if (dy - yy > 0) want = 2;
    else if (dy - yy < 0) want = 3;
    else want = EjectPort;
    if (int'(port) !== want)
      $fatal(1, "from (%0d, %0d) to (%0d, %0d): port %0d, expected %0d", xx, yy, dx, dy, port,
             want);
    taken[want] = taken[want] + 1;
    cases = cases + 1;
  endtask

  initial begin
    cases = 0;
    for (int p = 0; p < 8; p++) taken[p] = 0;
    for (int here = 0; here < 256; here++) begin
      for (int there = 0; there < 256; there++) begin
        for (int dy = 127; dy <= 129; dy++) try(here, 128, there, dy);
        try(200, here, 200, there);
      end
    end
    if (cases != 4 * 65536) $fatal(1, "%0d cases", cases);
    // x decides unless it is equal: 3 * 256 * 255 cases, half of them each way.
    if (taken[0] != 97920 || taken[1] != 97920) $fatal(1, "x: %0d, %0d", taken[0], taken[1]);
    if (taken[2] != 32640 + 256 || taken[3] != 32640 + 256 || taken[EjectPort] != 512)
      $fatal(1, "y: %0d, %0d, local %0d", taken[2], taken[3], taken[EjectPort]);
    $display("route_xy: %0d cases\nPASS", cases);
    $finish;
  end

endmodule
