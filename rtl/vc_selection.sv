// The VC selection, chosen by its code (docs/internals/microarchitecture.md, section 5.2): which of
// several free data VCs of a class a head takes.
//
// Each kind is a module of its own. It has the pins of this module, and all parameters but
// VcSelection. A new one needs a branch below. Its code comes from interface/router.toml. The
// selected VC must not depend on taken_i, which depends on it.
module vc_selection #(
    /// The kind: 0 is lowest_vc, 1 is rotating_vc, 2 is most_credits_vc.
    parameter int VcSelection = 0,
    /// Virtual channels of the port; First .. Next-1 are those of the class.
    parameter int Vcs = 1,
    parameter int First = 0,
    parameter int Next = Vcs,
    /// Sizes that all modules share.
    localparam int VcBits = noc_pkg::VcBits,
    localparam int CountBits = noc_pkg::CountBits
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Per VC: a head of the class can take it. 0 outside the class.
    input logic [Vcs-1:0] free_i,
    /// Per VC: its credits.
    input logic [Vcs*CountBits-1:0] credits_i,
    /// Per VC: a head takes it in this cycle. Of the class, only the selected VC can be taken.
    input logic [Vcs-1:0] taken_i,
    /// The selected VC; 0 if none is free.
    output logic [VcBits-1:0] vc_o
);

  generate
    case (VcSelection)
      0: begin : g_lowest
        lowest_vc #(
            .Vcs(Vcs),
            .First(First),
            .Next(Next)
        ) u_lowest (
            .clk_i, .rst_ni, .free_i, .credits_i, .taken_i, .vc_o
        );
      end
      1: begin : g_rotating
        rotating_vc #(
            .Vcs(Vcs),
            .First(First),
            .Next(Next)
        ) u_rotating (
            .clk_i, .rst_ni, .free_i, .credits_i, .taken_i, .vc_o
        );
      end
      2: begin : g_most_credits
        most_credits_vc #(
            .Vcs(Vcs),
            .First(First),
            .Next(Next)
        ) u_most_credits (
            .clk_i, .rst_ni, .free_i, .credits_i, .taken_i, .vc_o
        );
      end
      default: begin : g_refused
        parameter_check #(.VcSelection(VcSelection)) u_check ();
      end
    endcase
  endgenerate

  // ---- assertions ------------------------------------------------------------------------------
  localparam logic [Vcs-1:0] Members = Vcs'((1 << Next) - (1 << First));
  logic [Vcs-1:0] offered;
  assign offered = (free_i != 0) ? Vcs'(1 << vc_o) : '0;

  invariant selected_vc_is_free (.clk_i, .rst_ni, .holds_i((offered & ~free_i) == 0));
  invariant heads_take_the_selected_vc (
      .clk_i, .rst_ni, .holds_i((taken_i & Members & ~offered) == 0)
  );

endmodule
