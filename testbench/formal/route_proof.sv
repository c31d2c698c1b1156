// The routing functions in a mesh of two dimensions: a packet and its next hop. Whatever room there
// is, the packet leaves by an output that leads nearer to its destination, or by the local port if it
// is there; and where it goes on from the next node, it does not make a turn that its function
// forbids. So no path has one. Of two outputs the head takes the one with more room, of equals that
// of x. With o1turn the packet keeps its order and its class.
//
// Nothing is assumed but that the packet has come from its source by hops towards its destination:
// if it has to go east, it is not west of its source.
module route_proof #(
    parameter int Routing = 0,
    localparam int Orders = (Routing == 2) ? 2 : 1,
    localparam int East = 0,
    localparam int West = 1,
    localparam int North = 2,
    localparam int South = 3,
    localparam int Through = 5
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [15:0] address_i,
    input logic [63:0] data_i,  // with destination and source
    input logic [23:0] last_i,
    input logic [15:0] roomier_i,
    input logic [15:0] roomier_next_i
);

  logic [23:0] here, there, dest, source;
  logic [2:0] port, port_x, port_y, port_next;  // port_x and port_y: if x, if y had more room
  logic [1:0] vc_class, class_x, class_y, class_next;
  assign here = {8'd0, address_i};
  assign dest = {8'd0, data_i[15:0]};
  assign source = {8'd0, data_i[39:24]};

`define PARAMETERS \
      .Routing(Routing), .FirstDim(0), .Dims(2), .Ports(8), .Torus(0), .Classes(1), .Orders(Orders)
`define PACKET \
      .last_i, .dest_i(dest), .source_i(source), .data_i, .through_i(3'(Through))

  route #(`PARAMETERS) u_here (
      `PACKET, .address_i(here), .roomier_i, .port_o(port), .class_o(vc_class)
  );
  route #(`PARAMETERS) u_here_x (
      `PACKET, .address_i(here), .roomier_i(16'h0), .port_o(port_x), .class_o(class_x)
  );
  route #(`PARAMETERS) u_here_y (
      `PACKET, .address_i(here), .roomier_i(16'hffff), .port_o(port_y), .class_o(class_y)
  );
  route #(`PARAMETERS) u_next (
      `PACKET, .address_i(there), .roomier_i(roomier_next_i), .port_o(port_next),
      .class_o(class_next)
  );

  logic [7:0] x, y, next_x, next_y;
  assign x = address_i[7:0];
  assign y = address_i[15:8];
  assign next_x = (port == 3'(East)) ? x + 8'd1 : (port == 3'(West)) ? x - 8'd1 : x;
  assign next_y = (port == 3'(North)) ? y + 8'd1 : (port == 3'(South)) ? y - 8'd1 : y;
  assign there = {8'd0, next_y, next_x};

  // ---- the turns -----------------------------------------------------------------------------------
  logic turns, into_x, backwards, forbidden;
  assign backwards = Routing == 1 || (Routing == 2 && ^data_i);
  assign turns = port != 3'(Through) && port_next != 3'(Through) && port[1] != port_next[1];
  assign into_x = port_next == 3'(East) || port_next == 3'(West);
  always_comb begin
    case (Routing)
      0, 1, 2: forbidden = into_x != backwards;
      3: forbidden = port_next == 3'(West);
      4: forbidden = port == 3'(North);
      5: forbidden = (port == 3'(East) && port_next == 3'(South))
                  || (port == 3'(North) && port_next == 3'(West));
      default: forbidden = (port == 3'(East) && !next_x[0]) || (port_next == 3'(West) && next_x[0]);
    endcase
  end

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // ---- claims --------------------------------------------------------------------------------------
  always_comb begin
    assume (rst_ni == started_q);
    assume (!(dest[7:0] > x) || source[7:0] <= x);
    if (started_q) begin
      case (port)
        3'(East): assert (dest[7:0] > x);
        3'(West): assert (dest[7:0] < x);
        3'(North): assert (dest[15:8] > y);
        3'(South): assert (dest[15:8] < y);
        default: assert (port == 3'(Through) && dest == here);
      endcase
      assert (!turns || !forbidden);
      // Room decides between two outputs, and nothing else.
      if (port_x == port_y) assert (port == port_x);
      else begin
        assert (Routing >= 3 && !port_x[1] && port_y[1] && port_y != 3'(Through));
        assert (port == (roomier_i[{port_x[1:0], port_y[1:0]}] ? port_y : port_x));
      end
      if (Orders == 1 || port == 3'(Through)) assert (vc_class == 0);
      else assert (vc_class == 2'(backwards) && class_x == vc_class && class_y == vc_class);
      if (port != 3'(Through) && port_next != 3'(Through)) assert (class_next == vc_class);
`ifdef WITNESS
      // Nobody turns from east to north.
      assert (!(port == 3'(East) && port_next == 3'(North)));
`endif
    end
  end

endmodule
