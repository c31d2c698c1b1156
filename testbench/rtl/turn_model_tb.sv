// The turn models, by the turns that they forbid. In a mesh of 7 x 5, between all pairs of nodes: a
// packet may leave by an output if the hop leads nearer to the destination, makes no forbidden turn,
// and leaves a way from there on without one. The module must permit exactly these outputs, wherever
// a packet can come to be. Of two it takes the one with more room, of equals that of x.
//
// The rules of the text say something else: what a packet may do where it is, from whatever side it
// has come. That both are the same is what this testbench shows.
module turn_model_tb #(
    // The code of the function: 3 west-first, 4 north-last, 5 negative-first, 6 odd-even.
    parameter int Routing = 3
);

  localparam int Width = 7;
  localparam int Height = 5;
  localparam int East = 0;
  localparam int West = 1;
  localparam int North = 2;
  localparam int South = 3;
  localparam int Injected = 4;

  logic [23:0] address, dest, source;
  logic [39:0] room;
  logic [15:0] roomier;
  logic [2:0] port;
  logic [1:0] vc_class;

  room_order #(
      .Outputs(4)
  ) u_order (
      .room_i(room), .roomier_o(roomier)
  );
  route #(
      .Routing(Routing), .FirstDim(0), .Dims(2), .Ports(8), .Torus(0), .Classes(1)
  ) dut (
      .address_i(address), .last_i(24'hffffff), .dest_i(dest), .source_i(source),
      .data_i({16'h0, source, dest}), .roomier_i(roomier), .through_i(3'd6), .port_o(port),
      .class_o(vc_class)
  );

  // ---- what is forbidden -------------------------------------------------------------------------
  // A packet that arrived going `came` goes on in direction `goes` in this column.
  function automatic logic forbidden(input int came, input int goes, input int column);
    forbidden = 1'b0;
    if (came != Injected && came / 2 != goes / 2) begin
      case (Routing)
        3: forbidden = goes == West;
        4: forbidden = came == North;
        5: forbidden = (came == East && goes == South) || (came == North && goes == West);
        default:
          forbidden = (came == East && column % 2 == 0) || (goes == West && column % 2 == 1);
      endcase
    end
  endfunction

  // ---- the packets of one pair -------------------------------------------------------------------
  // With i hops left in x and j in y. Whether a packet that has come there by x (0), by y (1) or by
  // injection (2) can go on to the end; whether one can come there so.
  logic ends[0:Width*Height*3-1];
  logic comes[0:Width*Height*3-1];
  int cases, pairs, choices;
  int seen[0:7];
  int along[0:1];  // the directions of the pair in x and in y
  int i, j, column;
  logic by_x, by_y;

  function automatic int place(input int hops_x, input int hops_y, input int from);
    place = (hops_x * Height + hops_y) * 3 + from;
  endfunction

  function automatic int direction(input int from);
    direction = (from == 2) ? Injected : along[from];
  endfunction

  // Whether the packet at (i, j) that came by `from` may go on by x, by y.
  task automatic find_ways(input int from);
    by_x = 1'b0;
    by_y = 1'b0;
    if (i > 0) by_x = !forbidden(direction(from), along[0], column) && ends[place(i-1, j, 0)];
    if (j > 0) by_y = !forbidden(direction(from), along[1], column) && ends[place(i, j-1, 1)];
  endtask

  task automatic stand(input int tx);
    column = (along[0] == East) ? tx - i : tx + i;
  endtask

  // The port, given these rooms of the two outputs; the others have any.
  task automatic look(input int x_room, input int y_room, input int want);
    room = {4{10'd77}};
    if (cases % 2 == 0) room = {4{10'd1}};
    room[along[0]*10+:10] = 10'(x_room);
    room[along[1]*10+:10] = 10'(y_room);
    #1;
    if (32'(port) != want || vc_class != 0)
      $fatal(1, "at %h from %h to %h, rooms %0d %0d: port %0d, expected %0d", address, source, dest,
             x_room, y_room, port, want);
    seen[port] = seen[port] + 1;
    cases = cases + 1;
  endtask

  task automatic try_pair(input int sx, input int sy, input int tx, input int ty);
    along[0] = (tx >= sx) ? East : West;
    along[1] = (ty >= sy) ? North : South;
    for (int k = 0; k < Width * Height * 3; k++) begin
      ends[k] = 1'b0;
      comes[k] = 1'b0;
    end
    // Backwards from the destination.
    for (i = 0; i <= ((tx > sx) ? tx - sx : sx - tx); i++) begin
      for (j = 0; j <= ((ty > sy) ? ty - sy : sy - ty); j++) begin
        stand(tx);
        for (int from = 0; from < 3; from++) begin
          find_ways(from);
          ends[place(i, j, from)] = by_x || by_y || (i == 0 && j == 0);
        end
      end
    end
    // Forwards from the source.
    i = (tx > sx) ? tx - sx : sx - tx;
    j = (ty > sy) ? ty - sy : sy - ty;
    comes[place(i, j, 2)] = 1'b1;
    for (i = i; i >= 0; i--) begin
      for (j = (ty > sy) ? ty - sy : sy - ty; j >= 0; j--) begin
        stand(tx);
        for (int from = 0; from < 3; from++) begin
          if (comes[place(i, j, from)]) begin
            find_ways(from);
            if (by_x) comes[place(i-1, j, 0)] = 1'b1;
            if (by_y) comes[place(i, j-1, 1)] = 1'b1;
            address = {8'd9, 8'((along[1] == North) ? ty - j : ty + j), 8'(column)};
            dest = {8'd3, 8'(ty), 8'(tx)};
            source = {8'd5, 8'(sy), 8'(sx)};
            if (i == 0 && j == 0) look(1, 2, 6);
            else begin
              if (!by_x && !by_y) $fatal(1, "the turns leave no way");
              look(200, 100, by_x ? along[0] : along[1]);
              look(511, 512, by_y ? along[1] : along[0]);
              look(0, 0, by_x ? along[0] : along[1]);
              if (by_x && by_y) choices = choices + 1;
            end
          end
        end
      end
    end
    pairs = pairs + 1;
  endtask

  initial begin
    cases = 0;
    pairs = 0;
    choices = 0;
    for (int p = 0; p < 8; p++) seen[p] = 0;
    for (int s = 0; s < Width * Height; s++)
      for (int t = 0; t < Width * Height; t++)
        try_pair(s % Width, s / Width, t % Width, t / Width);
    for (int p = 0; p < 4; p++)
      if (seen[p] < 1000) $fatal(1, "output %0d: only %0d times", p, seen[p]);
    if (pairs != 1225 || choices < 1000 || seen[6] < 1225)
      $fatal(1, "%0d pairs, %0d choices, %0d at the end", pairs, choices, seen[6]);
    $display("turn model %0d: %0d pairs, %0d places with two outputs, %0d cases\nPASS", Routing, pairs,
             choices, cases);
    $finish;
  end

endmodule
