// The routing functions that take the dimensions in an order: all 27 combinations of below, here and
// above in three dimensions, in a switch for all of them, and in one for y alone, which must look at
// nothing else. Each with heads of either parity; x and z are rings for the classes of o1turn, where
// no packet wraps.
module route_tb #(
    // The code of the function: 0 x before y before z, 1 z before y before x, 2 either by the parity.
    parameter int Routing = 0,
    // Classes of a ring: none, dateline, plh.
    parameter int Classes = 1
);

  localparam int Orders = (Routing == 2) ? 2 : 1;
  localparam int ClassBits = (Orders * Classes > 4) ? 3 : 2;

  logic [23:0] address, dest;
  logic [63:0] data;
  logic [3:0] port, want;
  logic [1:0] port_y, want_y;
  logic [ClassBits-1:0] vc_class, class_y;
  logic backwards;
  int cases;
  int want_class;
  int seen[0:15];

  route #(
      .Routing(Routing), .FirstDim(0), .Dims(3), .Ports(12), .Torus((Classes > 1) ? 5 : 0),
      .Classes(Classes), .Orders(Orders), .ClassBits(ClassBits)
  ) dut (
      .address_i(address), .last_i(24'hffffff), .dest_i(dest), .source_i(address), .data_i(data),
      .roomier_i(36'hfffffffff), .through_i(4'd9), .port_o(port), .class_o(vc_class)
  );
  route #(
      .Routing(Routing), .FirstDim(1), .Dims(1), .Ports(3), .Torus((Classes > 1) ? 5 : 0),
      .Classes(Classes), .Orders(Orders), .ClassBits(ClassBits)
  ) dut_y (
      .address_i(address), .last_i(24'd0), .dest_i(dest), .source_i(address), .data_i(data),
      .roomier_i(4'hf), .through_i(2'd2), .port_o(port_y), .class_o(class_y)
  );

  // The class of a channel of dimension d: that of the order, times the classes of a ring, and in a
  // ring that of a packet that neither wraps nor has wrapped.
  function automatic int class_of(input int d, input logic last_first);
    class_of = 0;
    if (Classes > 1 && d != 1) class_of = (Classes == 2) ? 1 : 0;
    if (last_first && Orders == 2) class_of = class_of + ((Classes > 1 && d != 1) ? Classes : 1);
  endfunction

  task automatic try_packet(input int dx, input int dy, input int dz);
    dest = {8'(130 + dz * 100), 8'(200 + dy * 50), 8'(3 + dx * 3)};
    backwards = traffic_pkg::highest_first(Routing, data);
    want = 4'd9;
    want_class = 0;
    for (int turn = 2; turn >= 0; turn--) begin
      case (traffic_pkg::dimension_at(backwards, 3, turn))
        0: if (dx != 0) begin
          want = (dx > 0) ? 4'd0 : 4'd1;
          want_class = class_of(0, backwards);
        end
        1: if (dy != 0) begin
          want = (dy > 0) ? 4'd2 : 4'd3;
          want_class = class_of(1, backwards);
        end
        default: if (dz != 0) begin
          want = (dz > 0) ? 4'd4 : 4'd5;
          want_class = class_of(2, backwards);
        end
      endcase
    end
    want_y = (dy > 0) ? 2'd0 : (dy < 0) ? 2'd1 : 2'd2;
    #1;
    if (port !== want || port_y !== want_y || int'(vc_class) !== want_class
        || int'(class_y) !== ((dy == 0) ? 0 : class_of(1, backwards)))
      $fatal(1, "by %0d %0d %0d, %b: port %0d, expected %0d; y alone %0d, %0d; class %0d, %0d", dx,
             dy, dz, backwards, port, want, port_y, want_y, vc_class, want_class);
    seen[port] = seen[port] + 1;
    cases = cases + 1;
  endtask

  initial begin
    cases = 0;
    for (int p = 0; p < 16; p++) seen[p] = 0;
    address = {8'd130, 8'd200, 8'd3};
    for (int dz = -1; dz <= 1; dz++) begin
      for (int dy = -1; dy <= 1; dy++) begin
        for (int dx = -1; dx <= 1; dx++) begin
          // Each bit counts in the parity: the 64 heads with one bit more, and the one without.
          for (int b = 0; b <= 64; b++) begin
            data = 64'hf0e1d2c3b4a59688;
            if (b < 64) data[b] = !data[b];
            try_packet(dx, dy, dz);
          end
        end
      end
    end
    // Up in the first dimension of the order in 9 cases, in the last one in 1. The head without a
    // changed bit has 30 ones, so o1turn takes 64 of 65 heads backwards.
    if (cases != 27 * 65 || seen[9] != 65 || seen[3] != 3 * 65
        || seen[0] != ((Routing == 0) ? 9 * 65 : (Routing == 1) ? 65 : 64 + 9)
        || seen[5] != ((Routing == 0) ? 65 : (Routing == 1) ? 9 * 65 : 9 * 64 + 1))
      $fatal(1, "%0d cases", cases);
    $display("route %0d: %0d cases\nPASS", Routing, cases);
    $finish;
  end

endmodule
