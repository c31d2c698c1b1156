// One dependency of a transfer of a list: what it still waits for (docs/internals/nic/lists.md).
//
// A transfer that was not issued when the dependency was loaded is awaited by its number, then by
// the place that it gets. So nothing has to be known of transfers that are complete.
module dependency #(
    /// Places of each direction, 2..64.
    parameter int Places = 64
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low: waits for nothing.
    input logic rst_ni,
    /// Take a new dependency.
    input logic load_i,
    /// The new one, {state, reference or place}, as of the start of the cycle.
    input logic [nic_pkg::DependencyBits-1:0] new_i,
    /// The list that it belongs to, also in the cycle of load_i.
    input logic [nic_pkg::ListBits-1:0] list_i,
    /// A transfer is issued in this cycle: its list, its reference, its place, and whether it is
    /// refused, so that it is complete at once.
    input logic issue_valid_i,
    input logic [nic_pkg::ListBits-1:0] issue_list_i,
    input logic [nic_pkg::ReferenceBits-1:0] issue_reference_i,
    input logic [nic_pkg::PlaceBits-1:0] issue_place_i,
    input logic issue_refused_i,
    /// By place: its transfer is complete in this cycle.
    input logic [Places-1:0] send_done_i,
    input logic [Places-1:0] receive_done_i,
    /// The dependency is met in this cycle.
    output logic met_o
);

  localparam int StateBits = nic_pkg::StateBits;
  localparam int ReferenceBits = nic_pkg::ReferenceBits;
  localparam int PlaceBits = nic_pkg::PlaceBits;

  logic [StateBits-1:0] state_q, state;
  logic [ReferenceBits-1:0] reference_q, reference;
  logic is_issued, is_done;

  // ---- datapath --------------------------------------------------------------------------------
  assign {state, reference} = load_i ? new_i : {state_q, reference_q};
  assign is_issued = state == nic_pkg::OnIssue && issue_valid_i && issue_list_i == list_i
      && issue_reference_i == reference;
  assign is_done = state == nic_pkg::OnPlace
      && (reference[ReferenceBits-1] ? receive_done_i[32'(reference[PlaceBits-1:0])]
                                     : send_done_i[32'(reference[PlaceBits-1:0])]);
  assign met_o = state_q == nic_pkg::Met;

  // ---- registers -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= nic_pkg::Met;
      reference_q <= '0;
    end else if (is_issued) begin
      state_q <= issue_refused_i ? nic_pkg::Met : nic_pkg::OnPlace;
      reference_q <= {reference[ReferenceBits-1], 9'd0, issue_place_i};
    end else begin
      state_q <= is_done ? nic_pkg::Met : state;
      reference_q <= reference;
    end
  end

endmodule
