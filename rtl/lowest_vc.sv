// Selects the lowest free VC. Pins and parameters are those of module vc_selection.
//
// The order never changes, so there is no register.
module lowest_vc #(
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

  // The loop runs downwards, so the lowest VC remains.
  function automatic logic [VcBits-1:0] lowest(input logic [Vcs-1:0] candidates);
    lowest = '0;
    for (int w = Next - 1; w >= First; w--) begin
      if (candidates[w]) lowest = VcBits'(w);
    end
  endfunction

  assign vc_o = lowest(free_i);

  // Neither credits nor what was taken before count.
  logic unused_state;
  assign unused_state = ^{clk_i, rst_ni, credits_i, taken_i};

endmodule
