// The turn model negative-first: only west and south, as long as the packet has to go there. So no
// packet turns from east or north into them. Pins are those of the rules of module
// turn_model_route.
module negative_first (
    input logic east_i,
    input logic west_i,
    input logic north_i,
    input logic south_i,
    input logic [noc_pkg::CoordBits-1:0] column_i,
    input logic [noc_pkg::CoordBits-1:0] dest_column_i,
    input logic [noc_pkg::CoordBits-1:0] source_column_i,
    output logic [3:0] permitted_o
);

  assign permitted_o = (west_i || south_i) ? {south_i, 1'b0, west_i, 1'b0}
                                           : {1'b0, north_i, 1'b0, east_i};

  logic unused_columns;
  assign unused_columns = ^{column_i, dest_column_i, source_column_i};

endmodule
