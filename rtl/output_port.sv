// The output side of a port: the credits and owners of its virtual channels, and the VCs that heads
// can take.
module output_port #(
    /// Virtual channels of this port; the first DataVcs are for data, the others for control.
    parameter int Vcs = 1,
    parameter int DataVcs = Vcs,
    /// Classes that share the data VCs: 1, 2 or 3. If there are control VCs, each class has one.
    parameter int Classes = 1,
    /// Buffer depth per VC at the receiver, in flits.
    parameter int Depth = 4,
    /// The code of the VC selection (module vc_selection).
    parameter int VcSelection = 0,
    /// Sizes that all modules share.
    localparam int MaxVcs = noc_pkg::MaxVcs,
    localparam int ClassPlaces = noc_pkg::ClassPlaces,
    localparam int VcBits = noc_pkg::VcBits,
    localparam int CountBits = noc_pkg::CountBits
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// A flit is granted; the VC that it takes; and whether it is a tail.
    input logic grant_valid_i,
    input logic [VcBits-1:0] grant_vc_i,
    input logic grant_tail_i,
    /// A head is given a VC (four stages only), and which one.
    input logic va_grant_valid_i,
    input logic [VcBits-1:0] va_grant_vc_i,
    /// A credit comes back for a VC, and which one.
    input logic credit_valid_i,
    input logic [VcBits-1:0] credit_vc_i,
    /// Per class: whether there is a VC that the head of a data packet can take, and the one that
    /// it takes.
    output logic [ClassPlaces-1:0] free_valid_o,
    output logic [ClassPlaces*VcBits-1:0] free_vc_o,
    /// The same for heads of control packets.
    output logic [ClassPlaces-1:0] control_free_valid_o,
    output logic [ClassPlaces*VcBits-1:0] control_free_vc_o,
    /// State, per VC place; places without a VC are 0.
    output logic [MaxVcs-1:0] has_credit_o,
    output logic [MaxVcs*CountBits-1:0] credits_o,
    output logic [MaxVcs-1:0] owned_o
);

  logic [Vcs-1:0] taken;  // a head takes it

  // ---- credits and owners ----------------------------------------------------------------------
  generate
    for (genvar w = 0; w < Vcs; w++) begin : g_vc
      logic spent;
      logic given;
      logic owned_q;
      assign spent = grant_valid_i && grant_vc_i == VcBits'(w);
      assign given = va_grant_valid_i && va_grant_vc_i == VcBits'(w);
      // The first flit of a packet finds its VC without an owner, unless VA gave it before.
      assign taken[w] = given || (spent && !owned_q);

      credit_counter #(
          .Depth(Depth)
      ) u_credits (
          .clk_i,
          .rst_ni,
          .spend_i(spent),
          .gain_i(credit_valid_i && credit_vc_i == VcBits'(w)),
          .count_o(credits_o[w*CountBits+:CountBits])
      );

      // A head takes its VC, the tail gives it back.
      always_ff @(posedge clk_i) begin
        if (!rst_ni) owned_q <= 1'b0;
        else if (spent) owned_q <= !grant_tail_i;
        else if (given) owned_q <= 1'b1;
      end

      assign has_credit_o[w] = credits_o[w*CountBits+:CountBits] != 0;
      assign owned_o[w] = owned_q;
    end
    for (genvar w = Vcs; w < MaxVcs; w++) begin : g_no_vc
      assign credits_o[w*CountBits+:CountBits] = '0;
      assign has_credit_o[w] = 1'b0;
      assign owned_o[w] = 1'b0;
    end
  endgenerate

  // ---- free VCs --------------------------------------------------------------------------------
  generate
    for (genvar c = 0; c < ClassPlaces; c++) begin : g_class
      if (c < Classes) begin : g_data
        // Class c holds the data VCs First .. Next-1.
        localparam int First = c * DataVcs / Classes;
        localparam int Next = (c + 1) * DataVcs / Classes;
        localparam logic [Vcs-1:0] Members = Vcs'((1 << Next) - (1 << First));

        // A free VC without a credit is passed over: another one may have a credit.
        logic [Vcs-1:0] free;
        assign free = Members & ~owned_o[Vcs-1:0] & has_credit_o[Vcs-1:0];
        assign free_valid_o[c] = |free;

        vc_selection #(
            .VcSelection(VcSelection),
            .Vcs(Vcs),
            .First(First),
            .Next(Next)
        ) u_selection (
            .clk_i,
            .rst_ni,
            .free_i(free),
            .credits_i(credits_o[Vcs*CountBits-1:0]),
            .taken_i(taken),
            .vc_o(free_vc_o[c*VcBits+:VcBits])
        );
      end else begin : g_no_data
        assign free_valid_o[c] = 1'b0;
        assign free_vc_o[c*VcBits+:VcBits] = '0;
      end

      // The control VC of the same class follows the data VCs.
      if (c < Vcs - DataVcs) begin : g_control
        assign control_free_valid_o[c] = !owned_o[DataVcs+c] && has_credit_o[DataVcs+c];
        assign control_free_vc_o[c*VcBits+:VcBits] = VcBits'(DataVcs + c);
      end else begin : g_no_control
        assign control_free_valid_o[c] = 1'b0;
        assign control_free_vc_o[c*VcBits+:VcBits] = '0;
      end
    end
  endgenerate

  // ---- assertions ------------------------------------------------------------------------------
  invariant credits_come_on_existing_vcs (
      .clk_i, .rst_ni, .holds_i(!credit_valid_i || 32'(credit_vc_i) < Vcs)
  );
  invariant flits_take_existing_vcs (
      .clk_i, .rst_ni, .holds_i(!grant_valid_i || 32'(grant_vc_i) < Vcs)
  );
  invariant heads_are_given_free_vcs (
      .clk_i, .rst_ni, .holds_i(!va_grant_valid_i || !owned_o[va_grant_vc_i])
  );

endmodule
