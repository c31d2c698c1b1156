// The buffer of one virtual channel: a FIFO of Depth entries, which need not be a power of two.
//
// An entry that is pushed into an empty FIFO in cycle t is at the front in t+1; nothing falls
// through. A push and a pop in one cycle keep the count.
module flit_fifo #(
    /// Bits per entry.
    parameter int Width = noc_pkg::FlitBits,
    /// Entries, 1..64.
    parameter int Depth = 4
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low: empties the FIFO.
    input logic rst_ni,
    /// Take data_i at the back. May be 1 only while the FIFO is not full; credits ensure that.
    input logic push_i,
    /// The new entry.
    input logic [Width-1:0] data_i,
    /// Drop the front entry. May be 1 only while the FIFO is not empty.
    input logic pop_i,
    /// The front entry, 0 while the FIFO is empty.
    output logic [Width-1:0] front_o,
    /// Number of entries held, 0..Depth.
    output logic [noc_pkg::CountBits-1:0] count_o
);

  localparam int PlaceBits = (Depth > 1) ? $clog2(Depth) : 1;
  localparam logic [PlaceBits-1:0] LastPlace = PlaceBits'(Depth - 1);
  localparam int HeldBits = $clog2(Depth + 1);  // the port has room for any Depth
  localparam logic [HeldBits-1:0] Full = HeldBits'(Depth);

  logic [Width-1:0] places_q[0:Depth-1];
  logic [PlaceBits-1:0] read_q;
  logic [PlaceBits-1:0] write_q;
  logic [HeldBits-1:0] count_q;

  // ---- datapath --------------------------------------------------------------------------------
  assign front_o = (count_q != 0) ? places_q[read_q] : '0;
  assign count_o = noc_pkg::CountBits'(count_q);

  // ---- registers -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (push_i) places_q[write_q] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      if (push_i) write_q <= (write_q == LastPlace) ? '0 : write_q + 1'b1;
      if (pop_i) read_q <= (read_q == LastPlace) ? '0 : read_q + 1'b1;
      if (push_i && !pop_i) count_q <= count_q + 1'b1;
      if (pop_i && !push_i) count_q <= count_q - 1'b1;
    end
  end

  // ---- assertions ------------------------------------------------------------------------------
  invariant push_finds_room (.clk_i, .rst_ni, .holds_i(!push_i || count_q < Full));
  invariant pop_finds_an_entry (.clk_i, .rst_ni, .holds_i(!pop_i || count_q != 0));

endmodule
