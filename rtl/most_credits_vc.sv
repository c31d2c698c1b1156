// Selects the free VC with the most credits, of several the lowest. Pins and parameters are those of
// module vc_selection.
//
// One comparator for each pair of VCs, all of them beside each other; there is no register.
module most_credits_vc #(
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

  logic [Vcs-1:0] selected;  // one of the class, or none
  logic [Vcs*Vcs-1:0] more;  // [w*Vcs + u], for u < w of the class: w has more credits than u

  generate
    for (genvar w = 0; w < Vcs; w++) begin : g_vc
      logic [Vcs-1:0] loses;  // to u, if u is free
      for (genvar u = 0; u < Vcs; u++) begin : g_other
        if (u < w && u >= First && w < Next) begin : g_lower
          assign more[w*Vcs+u]
              = credits_i[w*CountBits+:CountBits] > credits_i[u*CountBits+:CountBits];
          assign loses[u] = !more[w*Vcs+u];
        end else if (u > w && w >= First && u < Next) begin : g_higher
          assign more[w*Vcs+u] = 1'b0;
          assign loses[u] = more[u*Vcs+w];
        end else begin : g_alone
          assign more[w*Vcs+u] = 1'b0;
          assign loses[u] = 1'b0;
        end
      end
      assign selected[w] = free_i[w] && (loses & free_i) == 0;
    end
  endgenerate

  function automatic logic [VcBits-1:0] number_of(input logic [Vcs-1:0] one_hot);
    number_of = '0;
    for (int w = First; w < Next; w++) begin
      if (one_hot[w]) number_of = number_of | VcBits'(w);
    end
  endfunction

  assign vc_o = number_of(selected);

  // What was taken before does not count, nor do credits outside the class.
  logic unused_state;
  assign unused_state = ^{clk_i, rst_ni, credits_i, taken_i, more};

endmodule
