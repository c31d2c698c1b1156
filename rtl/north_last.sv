// The turn model north-last: north only if no other output leads on. So no packet turns out of
// north. Pins are those of the rules of module turn_model_route.
module north_last (
    input logic east_i,
    input logic west_i,
    input logic north_i,
    input logic south_i,
    input logic [noc_pkg::CoordBits-1:0] column_i,
    input logic [noc_pkg::CoordBits-1:0] dest_column_i,
    input logic [noc_pkg::CoordBits-1:0] source_column_i,
    output logic [3:0] permitted_o
);

  assign permitted_o = {south_i, north_i && !(east_i || west_i), west_i, east_i};

  logic unused_columns;
  assign unused_columns = ^{column_i, dest_column_i, source_column_i};

endmodule
