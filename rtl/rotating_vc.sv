// Selects free VCs in turn: the first one from the pointer on, upwards and around within the class.
// Pins and parameters are those of module vc_selection.
//
// When a head takes a VC of the class, the pointer moves behind it. That VC is the one that is
// selected in the same cycle, so this is a round-robin arbiter over the VCs of the class.
module rotating_vc #(
    parameter int Vcs = 1,
    parameter int First = 0,
    parameter int Next = Vcs,
    /// Sizes that all modules share.
    localparam int VcBits = noc_pkg::VcBits,
    localparam int CountBits = noc_pkg::CountBits
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [Vcs-1:0] free_i,
    input logic [Vcs*CountBits-1:0] credits_i,
    input logic [Vcs-1:0] taken_i,
    output logic [VcBits-1:0] vc_o
);

  localparam int Members = Next - First;
  localparam int IndexBits = (Members > 1) ? $clog2(Members) : 1;

  logic found;
  logic [IndexBits-1:0] index;    // among the VCs of the class
  logic [IndexBits-1:0] pointer;
  logic [IndexBits-1:0] order;

  rr_arbiter #(
      .Requests(Members),
      .IndexBits(IndexBits)
  ) u_order (
      .clk_i,
      .rst_ni,
      .request_i(free_i[First+:Members]),
      .advance_i(|taken_i[First+:Members]),
      .valid_o(found),
      .index_o(index),
      .pointer_o(pointer),
      .order_o(order)
  );

  assign vc_o = found ? VcBits'(First) + VcBits'(index) : '0;

  // Credits do not count, nor do VCs outside the class.
  logic unused_state;
  assign unused_state = ^{free_i, credits_i, taken_i, pointer, order};

endmodule
