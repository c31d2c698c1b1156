// Which external outputs of a switch have more room than others, one comparator for each pair. It
// stands once in a switch, and all heads of one kind read it.
module room_order #(
    /// External outputs: 2k leads up in the switch's dimension k, 2k+1 down.
    parameter int Outputs = 4,
    /// Sizes that all modules share.
    localparam int RoomBits = noc_pkg::RoomBits
) (
    /// Per output: its room.
    input logic [Outputs*RoomBits-1:0] room_i,
    /// [a*Outputs + b], for an output b of a higher dimension than a: b has more room than a. Else 0.
    output logic [Outputs*Outputs-1:0] roomier_o
);

  generate
    for (genvar a = 0; a < Outputs; a++) begin : g_output
      for (genvar b = 0; b < Outputs; b++) begin : g_other
        if (b / 2 > a / 2) begin : g_pair
          assign roomier_o[a*Outputs+b] = room_i[b*RoomBits+:RoomBits] > room_i[a*RoomBits+:RoomBits];
        end else begin : g_no_pair
          assign roomier_o[a*Outputs+b] = 1'b0;
        end
      end
    end
  endgenerate

endmodule
