// The output side of a port, with all kinds of VC selection: what each class offers is a VC of the
// class that is free and has a credit, and the one that the text names. With rotating, the pointer
// stays within its class, moves behind a VC that a head takes, and only then. With most credits, no
// free VC of the class has more, and no lower one has as many.
//
// Two classes, and one VC for control packets each. Heads take VCs by grants of SA, or before them by
// grants of VA; the text's pointers stand beside the port.
module vc_selection_proof #(
    parameter int VcSelection = 0,
    parameter int DataVcs = 5,
    parameter int Depth = 2,
    // 1: heads get their VCs from VA.
    parameter int Va = 0,
    localparam int Classes = 2,
    localparam int Vcs = DataVcs + Classes
) (
    input logic clk_i,
    input logic rst_ni,
    input logic grant_valid_i,
    input logic [2:0] grant_vc_i,
    input logic grant_tail_i,
    input logic va_grant_valid_i,
    input logic [2:0] va_grant_vc_i,
    input logic credit_valid_i,
    input logic [2:0] credit_vc_i
);

  logic [3:0] free_valid, control_free_valid;
  logic [11:0] free_vc, control_free_vc;
  logic [7:0] has_credit, owned;
  logic [55:0] credits;

  output_port #(
      .Vcs(Vcs), .DataVcs(DataVcs), .Classes(Classes), .Depth(Depth), .VcSelection(VcSelection)
  ) dut (
      .clk_i, .rst_ni, .grant_valid_i, .grant_vc_i, .grant_tail_i, .va_grant_valid_i,
      .va_grant_vc_i, .credit_valid_i, .credit_vc_i, .free_valid_o(free_valid),
      .free_vc_o(free_vc), .control_free_valid_o(control_free_valid),
      .control_free_vc_o(control_free_vc), .has_credit_o(has_credit), .credits_o(credits),
      .owned_o(owned)
  );

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // ---- what the switch does ----------------------------------------------------------------------
  // A head takes an offered VC; other flits, and heads after VA, have one.
  logic [7:0] offered;
  logic head;  // it takes its VC by SA
  always_comb begin
    offered = '0;
    for (int c = 0; c < Classes; c++) begin
      if (free_valid[c]) offered[free_vc[c*3+:3]] = 1'b1;
      if (control_free_valid[c]) offered[control_free_vc[c*3+:3]] = 1'b1;
    end
  end
  assign head = Va == 0 && grant_valid_i && !owned[grant_vc_i];

  always_comb begin
    assume (rst_ni == started_q);
    if (started_q) begin
      if (grant_valid_i) begin
        assume (32'(grant_vc_i) < Vcs && has_credit[grant_vc_i]);
        assume (owned[grant_vc_i] || (Va == 0 && offered[grant_vc_i]));
      end
      assume (!va_grant_valid_i || (Va != 0 && 32'(va_grant_vc_i) < Vcs && offered[va_grant_vc_i]));
      if (credit_valid_i)
        assume (32'(credit_vc_i) < Vcs && credits[credit_vc_i*7+:7] < 7'(Depth));
    end
  end

  // ---- claims ------------------------------------------------------------------------------------
  generate
    for (genvar c = 0; c < Classes; c++) begin : g_class
      localparam int First = c * DataVcs / Classes;
      localparam int Next = (c + 1) * DataVcs / Classes;
      logic [2:0] pointer_q;  // by the text
      logic [2:0] vc;
      logic [7:0] free;
      logic taken;
      logic [2:0] taken_vc;
      assign vc = free_vc[c*3+:3];
      assign taken = head || va_grant_valid_i;
      assign taken_vc = va_grant_valid_i ? va_grant_vc_i : grant_vc_i;
      for (genvar w = 0; w < 8; w++) begin : g_free
        assign free[w] = w >= First && w < Next && !owned[w] && has_credit[w];
      end

      always_ff @(posedge clk_i) begin
        if (!rst_ni) pointer_q <= 3'(First);
        else if (taken && 32'(taken_vc) >= First && 32'(taken_vc) < Next)
          pointer_q <= (32'(taken_vc) == Next - 1) ? 3'(First) : taken_vc + 3'd1;
      end

      // Places of a VC behind the pointer, upwards and around.
      function automatic logic [3:0] place_of(input logic [2:0] w);
        place_of = (w >= pointer_q) ? {1'b0, w} - {1'b0, pointer_q}
            : {1'b0, w} + 4'(Next - First) - {1'b0, pointer_q};
      endfunction

      always_comb begin
        if (started_q) begin
          assert (32'(pointer_q) >= First && 32'(pointer_q) < Next);
          assert (free_valid[c] == (free != 0));
          assert (free == 0 || free[vc]);
          for (int w = First; w < Next; w++) begin
            if (free[w] && 3'(w) != vc) begin
              if (VcSelection == 0) assert (3'(w) > vc);
              if (VcSelection == 1) assert (place_of(3'(w)) > place_of(vc));
              if (VcSelection == 2)
                assert (credits[w*7+:7] < credits[vc*7+:7]
                        || (credits[w*7+:7] == credits[vc*7+:7] && 3'(w) > vc));
            end
          end
`ifdef WITNESS
          // The lower VC of class 0 is never passed over for the other one.
          assert (!(c == 0 && free[First] && 32'(vc) != First));
`endif
        end
      end
    end
  endgenerate

endmodule
