// Of the outputs that a turn model permits, the one that a head takes: that with the most room, of
// several the lowest (docs/internals/microarchitecture.md, section 5.1). No two of them belong to
// one dimension.
module roomiest_output #(
    /// External outputs of the switch: 2k leads up in its dimension k, 2k+1 down.
    parameter int Outputs = 4
) (
    /// Per output: it is permitted.
    input logic [Outputs-1:0] permitted_i,
    /// As module room_order gives it.
    input logic [Outputs*Outputs-1:0] roomier_i,
    /// Per output: the head takes it. None if none is permitted, else one.
    output logic [Outputs-1:0] taken_o
);

  generate
    for (genvar o = 0; o < Outputs; o++) begin : g_output
      logic [Outputs-1:0] loses;  // to another output, if that one is permitted
      for (genvar other = 0; other < Outputs; other++) begin : g_other
        if (other / 2 < o / 2) begin : g_lower
          assign loses[other] = !roomier_i[other*Outputs+o];
        end else if (other / 2 > o / 2) begin : g_higher
          assign loses[other] = roomier_i[o*Outputs+other];
        end else begin : g_same_dimension
          assign loses[other] = 1'b0;
        end
      end
      assign taken_o[o] = permitted_i[o] && (loses & permitted_i) == 0;
    end
  endgenerate

  // Pairs in one dimension.
  logic unused_pairs;
  assign unused_pairs = ^roomier_i;

endmodule
