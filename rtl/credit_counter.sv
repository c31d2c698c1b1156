// The sender's count of free places in one buffer of the receiver.
//
// If a credit is spent and gained in one cycle, the count stays. A credit gained in cycle t can be
// spent in t+1.
module credit_counter #(
    /// Depth of the receiver's buffer, 1..64: the count after reset.
    parameter int Depth = 4
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low: the receiver's buffer is empty.
    input logic rst_ni,
    /// A flit leaves for the buffer. May be 1 only while count_o > 0.
    input logic spend_i,
    /// A place becomes free again.
    input logic gain_i,
    /// Free places, 0..Depth.
    output logic [noc_pkg::CountBits-1:0] count_o
);

  localparam int FreeBits = $clog2(Depth + 1);  // the port has room for any Depth
  localparam logic [FreeBits-1:0] Full = FreeBits'(Depth);

  logic [FreeBits-1:0] count_q;

  assign count_o = noc_pkg::CountBits'(count_q);

  // ---- registers -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= Full;
    else if (spend_i && !gain_i) count_q <= count_q - 1'b1;
    else if (gain_i && !spend_i) count_q <= count_q + 1'b1;
  end

  // ---- assertions ------------------------------------------------------------------------------
  invariant spend_finds_a_credit (.clk_i, .rst_ni, .holds_i(!spend_i || count_q != 0));
  invariant gain_stays_within_depth (
      .clk_i, .rst_ni, .holds_i(!gain_i || spend_i || count_q < Full)
  );

endmodule
