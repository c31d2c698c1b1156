// The output side of a port: credits and owners of its virtual channels, and the output stage of
// switch allocation, which grants the channel to at most one input per cycle.
module output_port #(
    /// Ports of the router.
    parameter int Ports = 8,
    /// Virtual channels of this port.
    parameter int Vcs = 1,
    /// Buffer depth per VC at the receiver, flits.
    parameter int Depth = 4
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Per input port: its nominee requests this output.
    input logic [Ports-1:0] request_i,
    /// Per input port: the VC that its nominee requests.
    input logic [Ports*noc_pkg::VcBits-1:0] request_vc_i,
    /// The granted flit is a head, a tail.
    input logic head_i,
    input logic tail_i,
    /// A credit comes back, for this VC.
    input logic credit_valid_i,
    input logic [noc_pkg::VcBits-1:0] credit_vc_i,
    /// Somebody is granted: the input port, the VC of this output that its flit takes.
    output logic grant_valid_o,
    output logic [noc_pkg::PortBits-1:0] grant_in_o,
    output logic [noc_pkg::VcBits-1:0] grant_vc_o,
    /// There is a VC that a head can take, and the lowest one.
    output logic free_valid_o,
    output logic [noc_pkg::VcBits-1:0] free_vc_o,
    /// State, per VC place; places without a VC are 0.
    output logic [noc_pkg::MaxVcs-1:0] has_credit_o,
    output logic [noc_pkg::MaxVcs*noc_pkg::CountBits-1:0] credits_o,
    output logic [noc_pkg::MaxVcs-1:0] owned_o,
    /// The arbiter's pointer.
    output logic [noc_pkg::PortBits-1:0] pointer_o
);

  logic [Vcs-1:0] owned_q;
  logic [Vcs-1:0] free;
  logic [Vcs-1:0] grant_on;

  // ---- credits and owners ----------------------------------------------------------------------
  generate
    for (genvar w = 0; w < noc_pkg::MaxVcs; w++) begin
      if (w < Vcs) begin
        assign grant_on[w] = grant_valid_o && grant_vc_o == noc_pkg::VcBits'(w);

        credit_counter #(
            .Depth(Depth)
        ) u_credits (
            .clk_i,
            .rst_ni,
            .spend_i(grant_on[w]),
            .gain_i(credit_valid_i && credit_vc_i == noc_pkg::VcBits'(w)),
            .count_o(credits_o[w*noc_pkg::CountBits+:noc_pkg::CountBits])
        );

        assign has_credit_o[w] = credits_o[w*noc_pkg::CountBits+:noc_pkg::CountBits] != 0;
        assign owned_o[w] = owned_q[w];
      end else begin
        assign credits_o[w*noc_pkg::CountBits+:noc_pkg::CountBits] = '0;
        assign has_credit_o[w] = 1'b0;
        assign owned_o[w] = 1'b0;
      end
    end
  endgenerate

  // A free VC without a credit is passed over: another may do. Downwards, so the lowest remains.
  function automatic logic [noc_pkg::VcBits-1:0] lowest(input logic [Vcs-1:0] candidates);
    lowest = '0;
    for (int w = Vcs - 1; w >= 0; w--) begin
      if (candidates[w]) lowest = noc_pkg::VcBits'(w);
    end
  endfunction

  assign free = ~owned_q & has_credit_o[Vcs-1:0];
  assign free_valid_o = |free;
  assign free_vc_o = lowest(free);

  // ---- output stage ----------------------------------------------------------------------------
  rr_arbiter #(
      .Requests(Ports),
      .IndexBits(noc_pkg::PortBits)
  ) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i,
      .advance_i(grant_valid_o),
      .valid_o(grant_valid_o),
      .index_o(grant_in_o),
      .pointer_o
  );

  assign grant_vc_o
      = grant_valid_o ? request_vc_i[grant_in_o*noc_pkg::VcBits+:noc_pkg::VcBits] : '0;

  // ---- registers -------------------------------------------------------------------------------
  // A head takes its VC, the tail gives it back.
  always_ff @(posedge clk_i) begin
    for (int w = 0; w < Vcs; w++) begin
      if (!rst_ni) owned_q[w] <= 1'b0;
      else if (grant_on[w]) owned_q[w] <= !tail_i;
    end
  end

  // ---- assertions ------------------------------------------------------------------------------
  invariant credits_come_on_existing_vcs (
      .clk_i, .rst_ni, .holds_i(!credit_valid_i || 32'(credit_vc_i) < Vcs)
  );
  invariant heads_take_free_vcs_and_the_rest_owned_ones (
      .clk_i, .rst_ni, .holds_i(!grant_valid_o || head_i != owned_o[grant_vc_o])
  );

endmodule
