// The buffer of one virtual channel: a FIFO of Depth entries, any Depth, powers of two or not.
//
// An entry pushed in cycle t is at the front, if it is alone, in t+1: nothing falls through. Push
// and pop in one cycle keep the count.
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
    /// Take data_i at the back. Only while not full; credits see to that.
    input logic push_i,
    /// The new entry.
    input logic [Width-1:0] data_i,
    /// Drop the front. Only while not empty.
    input logic pop_i,
    /// The front, 0 while empty.
    output logic [Width-1:0] front_o,
    /// Entries held, 0..Depth.
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
