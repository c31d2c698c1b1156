// The routing functions: all 27 combinations of below, here and above in three dimensions, in a
// switch for all of them, and in one for y alone, which must look at nothing else.
module route_tb #(
    // The code of the function: 0 x before y before z, 1 z before y before x.
    parameter int Routing = 0
);

  logic [23:0] address, dest;
  logic [3:0] port, want;
  logic [1:0] port_y, want_y, vc_class, class_y;
  int cases;
  int seen[0:15];

  route #(
      .Routing(Routing), .FirstDim(0), .Dims(3), .Ports(12), .Torus(0), .Classes(1)
  ) dut (
      .address_i(address), .last_i(24'd0), .dest_i(dest), .source_i(24'd0), .through_i(4'd9),
      .port_o(port), .class_o(vc_class)
  );
  route #(
      .Routing(Routing), .FirstDim(1), .Dims(1), .Ports(3), .Torus(0), .Classes(1)
  ) dut_y (
      .address_i(address), .last_i(24'd0), .dest_i(dest), .source_i(24'd0), .through_i(2'd2),
      .port_o(port_y), .class_o(class_y)
  );

  initial begin
    cases = 0;
    for (int p = 0; p < 16; p++) seen[p] = 0;
    address = {8'd130, 8'd200, 8'd3};
    for (int dz = -1; dz <= 1; dz++) begin
      for (int dy = -1; dy <= 1; dy++) begin
        for (int dx = -1; dx <= 1; dx++) begin
          dest = {8'(130 + dz * 100), 8'(200 + dy * 50), 8'(3 + dx * 3)};
          want = 4'd9;
          for (int turn = 2; turn >= 0; turn--) begin
            case (traffic_pkg::dimension_at(Routing, 3, turn))
              0: if (dx != 0) want = (dx > 0) ? 4'd0 : 4'd1;
              1: if (dy != 0) want = (dy > 0) ? 4'd2 : 4'd3;
              default: if (dz != 0) want = (dz > 0) ? 4'd4 : 4'd5;
            endcase
          end
          want_y = (dy > 0) ? 2'd0 : (dy < 0) ? 2'd1 : 2'd2;
          #1;
          if (port !== want || port_y !== want_y || vc_class !== 2'd0 || class_y !== 2'd0)
            $fatal(1, "by %0d %0d %0d: port %0d, expected %0d; y alone %0d, %0d", dx, dy, dz, port,
                   want, port_y, want_y);
          seen[port] = seen[port] + 1;
          cases = cases + 1;
        end
      end
    end
    // Up in the first dimension of the order in 9 cases, in the last one in 1.
    if (cases != 27 || seen[0] != ((Routing == 1) ? 1 : 9) || seen[3] != 3
        || seen[5] != ((Routing == 1) ? 9 : 1) || seen[9] != 1)
      $fatal(1, "%0d cases", cases);
    $display("route %0d: %0d cases\nPASS", Routing, cases);
    $finish;
  end

endmodule
