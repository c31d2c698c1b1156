// Sizes that the units of the NIC share (docs/internals/nic/registers.md, lists.md, combining.md).
package nic_pkg;

  // Each unit uses some of them.
  /* verilator lint_off UNUSEDPARAM */

  localparam int MaxPlaces = 64;  // of sends, and as many of receives
  localparam int PlaceBits = 6;
  localparam int Counters = 32;  // completion counters
  localparam int CounterBits = 5;
  localparam int WordBits = 32;  // a counter, a threshold
  localparam int AddressBits = 24;  // a node
  localparam int TagBits = 16;
  localparam int Lists = 4;  // list places
  localparam int ListBits = 2;
  localparam int HandlePlaces = 32;
  localparam int HandleIndexBits = 5;
  localparam int HandleBits = 16;
  localparam int TicketBits = 16;
  localparam int NumberBits = 15;  // of a transfer among those of its direction
  localparam int DescriptorBits = 256;
  localparam int ReferenceBits = 16;  // {is a receive, number in the list}

  // What a transfer of a list waits for because of one of its dependencies: nothing, the completion
  // of the transfer in a place ({is a receive, place} in the low bits), or the issue of a transfer.
  localparam int StateBits = 2;
  localparam logic [StateBits-1:0] Met = 2'd0;
  localparam logic [StateBits-1:0] OnPlace = 2'd1;
  localparam logic [StateBits-1:0] OnIssue = 2'd2;
  localparam int DependencyBits = StateBits + ReferenceBits;
  localparam int Dependencies = 3;

  // Codes of RECV_COMBINE.
  localparam int OperatorBits = 4;
  localparam int TypeBits = 4;
  localparam logic [OperatorBits-1:0] Sum = 4'd1;
  localparam logic [OperatorBits-1:0] Min = 4'd2;
  localparam logic [OperatorBits-1:0] Max = 4'd3;
  localparam logic [OperatorBits-1:0] Product = 4'd4;
  localparam logic [OperatorBits-1:0] And = 4'd5;
  localparam logic [OperatorBits-1:0] Or = 4'd6;
  localparam logic [OperatorBits-1:0] Xor = 4'd7;
  localparam logic [TypeBits-1:0] Int32 = 4'd1;
  localparam logic [TypeBits-1:0] Uint32 = 4'd2;
  localparam logic [TypeBits-1:0] Int64 = 4'd3;
  localparam logic [TypeBits-1:0] Float32 = 4'd4;

  localparam int DataBits = 64;  // a flit's bytes
  localparam int LengthBits = 25;  // bytes of a message, 0..2^24
  localparam int FlitCountBits = 22;  // flits of a message, 0..2^21

  /* verilator lint_on UNUSEDPARAM */

endpackage
