// Delays a word by some cycles: used for link registers, and for the switch register of a pipelined
// router.
module register_chain #(
    /// Bits of the word.
    parameter int Width = 1,
    /// Number of registers in a row; 0 is a wire.
    parameter int Registers = 1
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low: every register becomes 0.
    input logic rst_ni,
    /// The word.
    input logic [Width-1:0] data_i,
    /// The word of `Registers` cycles ago.
    output logic [Width-1:0] data_o
);

  generate
    if (Registers == 0) begin : g_wire
      logic unused_clock;
      assign unused_clock = clk_i ^ rst_ni;
      assign data_o = data_i;
    end else begin : g_chain
      logic [Registers*Width-1:0] chain_q;  // the oldest word in the upper bits

      always_ff @(posedge clk_i) begin
        if (!rst_ni) chain_q <= '0;
        else chain_q <= (Registers * Width)'({chain_q, data_i});
      end

      assign data_o = chain_q[(Registers-1)*Width+:Width];
    end
  endgenerate

endmodule
