// All kinds of VC selection, against the text's order of VCs, under random sets of free VCs and random
// credits, with selections that are taken and such that are not (docs/internals/microarchitecture.md,
// sections 5.2 and 5.6).
//
// State space: the pointer of rotating, over the VCs of the class. Parameter space: classes that begin
// at VC 0 and behind others, end at the last VC and before others, with one VC and with all. Counted:
// how often each VC of the class is taken, how often it is not the lowest, and ties of credits.
module vc_selection_tb #(
    parameter int Vcs = 4,
    parameter int First = 0,
    parameter int Next = Vcs,
    // The code of the selection: 0 lowest, 1 rotating, 2 most credits.
    parameter int VcSelection = 0
);

  localparam int Cycles = 5000;
  localparam int Members = Next - First;

  logic clk;
  logic rst_n;
  logic [Vcs-1:0] free, taken;
  logic [Vcs*7-1:0] credits;
  logic [2:0] vc;
  logic [63:0] random;
  int takes[0:7];
  int pointer, at, lowest, want, most, holders, higher, ties;

  vc_selection #(
      .VcSelection(VcSelection),
      .Vcs(Vcs),
      .First(First),
      .Next(Next)
  ) dut (
      .clk_i(clk), .rst_ni(rst_n), .free_i(free), .credits_i(credits), .taken_i(taken), .vc_o(vc)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  // Sets `want`, -1 if no VC is free.
  task automatic predict;
    want = -1;
    lowest = -1;
    most = 0;
    holders = 0;
    for (int w = First; w < Next; w++) begin
      if (free[w] && lowest < 0) lowest = w;
      if (free[w] && int'(credits[w*7+:7]) > most) most = int'(credits[w*7+:7]);
    end
    for (int turn = 0; turn < Members; turn++) begin
      case (VcSelection)
        0: at = First + turn;
        1: at = First + (pointer - First + turn) % Members;
        default: at = First + turn;
      endcase
      if (free[at] && int'(credits[at*7+:7]) == most) holders = holders + 1;
      if (want < 0 && free[at] && (VcSelection != 2 || int'(credits[at*7+:7]) == most)) want = at;
    end
  endtask

  initial begin
    for (int w = 0; w < 8; w++) takes[w] = 0;
    higher = 0;
    ties = 0;
    pointer = First;
    random = 64'd88172645463325252;
    free = '0;
    credits = '0;
    taken = '0;
    rst_n = 1'b0;
    @(negedge clk);
    @(negedge clk);
    rst_n = 1'b1;
    for (int c = 0; c < Cycles; c++) begin
      random = traffic_pkg::next_random(random);
      // All VCs of the class are free in a quarter of the cycles.
      free = '0;
      for (int w = First; w < Next; w++) free[w] = random[20+w] || random[1:0] == 2'd0;
      // A free VC has a credit. Few values, so that many are equal; in some cycles up to 64.
      for (int w = 0; w < Vcs; w++)
        credits[w*7+:7] = random[2] ? 7'(1 + (random[30+w*2+:2] & 2'd2)) : 7'(1 + random[32+w*3+:6]);
      // Heads take VCs of other classes at any time.
      for (int w = 0; w < Vcs; w++) taken[w] = (w < First || w >= Next) && random[8+w];
      #1;
      predict();
      if (int'(vc) !== ((want < 0) ? 0 : want))
        $fatal(1, "cycle %0d, free %b, credits %h, pointer %0d: VC %0d, expected %0d", c, free,
               credits, pointer, vc, want);
      if (want >= 0 && random[3]) begin
        taken[want] = 1'b1;
        takes[want] = takes[want] + 1;
        if (want > lowest) higher = higher + 1;
        if (holders > 1) ties = ties + 1;
        pointer = (want + 1 < Next) ? want + 1 : First;
      end
      @(negedge clk);
    end
    for (int w = First; w < Next; w++)
      if (takes[w] < 20) $fatal(1, "VC %0d taken only %0d times", w, takes[w]);
    if (Members > 1 && ties < 100) $fatal(1, "only %0d ties", ties);
    if (Members > 1 && (VcSelection == 0) != (higher == 0))
      $fatal(1, "%0d times another VC than the lowest", higher);
    $display("VC selection %0d: VCs %0d to %0d of %0d, %0d cycles\nPASS", VcSelection, First,
             Next - 1, Vcs, Cycles);
    $finish;
  end

endmodule
