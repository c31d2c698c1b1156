// The turn model odd-even: packets turn from east to north or south in odd columns alone, and from
// north or south to west in even ones alone. Pins are those of the rules of module
// turn_model_route.
module odd_even (
    input logic east_i,
    input logic west_i,
    input logic north_i,
    input logic south_i,
    input logic [noc_pkg::CoordBits-1:0] column_i,
    input logic [noc_pkg::CoordBits-1:0] dest_column_i,
    input logic [noc_pkg::CoordBits-1:0] source_column_i,
    output logic [3:0] permitted_o
);

  logic odd;
  logic may_turn;     // north or south, with hops left in x or without
  logic may_go_east;  // it can still turn in a column before that of the destination, or in that
  assign odd = column_i[0];
  // In the column of its source the packet has not come from the west.
  assign may_turn = east_i ? odd || column_i == source_column_i : !west_i || !odd;
  assign may_go_east = !(north_i || south_i) || dest_column_i[0]
      || dest_column_i != column_i + 1'b1;

  assign permitted_o
      = {south_i && may_turn, north_i && may_turn, west_i, east_i && may_go_east};

endmodule
