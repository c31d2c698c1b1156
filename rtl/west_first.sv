// The turn model west-first: only west, if the packet has to go west. So no packet turns into west.
// Pins are those of the rules of module turn_model_route.
module west_first (
    input logic east_i,
    input logic west_i,
    input logic north_i,
    input logic south_i,
    input logic [noc_pkg::CoordBits-1:0] column_i,
    input logic [noc_pkg::CoordBits-1:0] dest_column_i,
    input logic [noc_pkg::CoordBits-1:0] source_column_i,
    output logic [3:0] permitted_o
);

  assign permitted_o = west_i ? 4'b0010 : {south_i, north_i, 1'b0, east_i};

  logic unused_columns;
  assign unused_columns = ^{column_i, dest_column_i, source_column_i};

endmodule
