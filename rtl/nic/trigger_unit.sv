// The trigger unit: holds sends until their counter or their dependencies let them go, and fires at
// most one in a cycle, the oldest that can fire (docs/internals/nic/registers.md, Triggered sends;
// docs/internals/nic/lists.md, Held by a list).
//
// In a cycle the core's go comes first, then the firing, then what the list unit holds. A send that
// the core holds may fire in the same cycle, one of a list in the next one at the earliest.
module trigger_unit #(
    /// Send places, and receive places, 2..64.
    parameter int Places = 64
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low: no send is held.
    input logic rst_ni,
    /// The core holds the send in this place until the counter is at least the threshold.
    input logic hold_valid_i,
    input logic [nic_pkg::PlaceBits-1:0] hold_place_i,
    input logic [nic_pkg::CounterBits-1:0] hold_counter_i,
    input logic [nic_pkg::WordBits-1:0] hold_threshold_i,
    /// The counters at the start of the cycle, or as the core writes them in this cycle.
    input logic [nic_pkg::Counters*nic_pkg::WordBits-1:0] counters_i,
    /// The transfer that the list unit issues in this cycle, of whichever direction.
    input logic issue_valid_i,
    input logic [nic_pkg::ListBits-1:0] issue_list_i,
    input logic [nic_pkg::ReferenceBits-1:0] issue_reference_i,
    input logic [nic_pkg::PlaceBits-1:0] issue_place_i,
    input logic issue_refused_i,
    /// That is a send or a join which is held here.
    input logic issue_hold_i,
    input logic issue_join_i,
    input logic [nic_pkg::AddressBits-1:0] issue_destination_i,
    input logic [nic_pkg::TagBits-1:0] issue_tag_i,
    /// Its dependencies, as of the start of the cycle.
    input logic [nic_pkg::Dependencies*nic_pkg::DependencyBits-1:0] issue_dependencies_i,
    /// Whether a send of issue_list_i with that destination and tag stays held in this cycle.
    output logic same_held_o,
    /// By place: its transfer is complete in this cycle. Joins that fire need not be among them.
    input logic [Places-1:0] send_done_i,
    input logic [Places-1:0] receive_done_i,
    /// The send in this place fires in this cycle.
    output logic fire_valid_o,
    output logic [nic_pkg::PlaceBits-1:0] fire_place_o,
    /// It is a join, which is thereby complete.
    output logic fire_join_o,
    /// By place: its send is held at the start of the cycle.
    output logic [Places-1:0] held_o
);

  localparam int PlaceBits = nic_pkg::PlaceBits;
  localparam int CounterBits = nic_pkg::CounterBits;
  localparam int WordBits = nic_pkg::WordBits;
  localparam int ListBits = nic_pkg::ListBits;
  localparam int DependencyBits = nic_pkg::DependencyBits;
  localparam int KeyBits = nic_pkg::AddressBits + nic_pkg::TagBits;

  // ---- parameters ------------------------------------------------------------------------------
  nic_parameter_check #(.Places(Places)) u_parameters ();

  // ---- registers of the places -----------------------------------------------------------------
  logic [Places-1:0] held_q;
  logic [Places-1:0] by_list_q;
  logic [Places-1:0] join_q;
  logic [Places-1:0] behind_q;  // it fires behind the send in behind_place_q
  logic [Places-1:0] last_q;  // no held send fires behind it
  logic [ListBits-1:0] list_q[0:Places-1];
  logic [KeyBits-1:0] key_q[0:Places-1];  // {counter, threshold}, or {destination, tag}
  logic [PlaceBits-1:0] behind_place_q[0:Places-1];
  logic [Places*PlaceBits-1:0] rank;

  // ---- what can fire ---------------------------------------------------------------------------
  logic [Places-1:0] can_fire;
  logic [Places-1:0] fires;  // one-hot; not the one that the core holds in this cycle
  logic [Places-1:0] done;
  logic oldest_valid, new_fires, hold_stays, list_holds;
  logic [PlaceBits-1:0] oldest_place;
  logic [KeyBits-1:0] list_key;

  assign held_o = held_q;
  assign list_key = {issue_destination_i, issue_tag_i};
  assign list_holds = issue_valid_i && issue_hold_i;

  oldest #(
      .Places(Places)
  ) u_oldest (
      .candidate_i(can_fire),
      .rank_i(rank),
      .valid_o(oldest_valid),
      .place_o(oldest_place)
  );

  // The core's new send is younger than all others.
  assign new_fires = hold_valid_i && !oldest_valid
      && counters_i[32'(hold_counter_i)*WordBits+:WordBits] >= hold_threshold_i;
  assign hold_stays = hold_valid_i && !new_fires;
  assign fire_valid_o = oldest_valid || new_fires;
  assign fire_place_o = oldest_valid ? oldest_place : (new_fires ? hold_place_i : '0);
  assign fire_join_o = oldest_valid && join_q[32'(oldest_place)];
  assign done = send_done_i | (fires & join_q);

  // ---- order -----------------------------------------------------------------------------------
  age_order #(
      .Places(Places), .Inserts(2), .Removals(1)
  ) u_order (
      .clk_i, .rst_ni,
      .insert_valid_i({list_holds, hold_stays}),
      .insert_place_i({issue_place_i, hold_place_i}),
      .remove_valid_i(oldest_valid),
      .remove_place_i(oldest_place),
      .rank_o(rank)
  );

  // Sends of a list with one destination and tag form a chain. A new one fires behind its last.
  logic [Places-1:0] same;
  logic [Places-1:0] same_last;
  assign same_last = same & last_q;
  assign same_held_o = |same;

  function automatic logic [PlaceBits-1:0] number_of(input logic [Places-1:0] one_hot);
    number_of = '0;
    for (int p = 0; p < Places; p++) begin
      if (one_hot[p]) number_of = number_of | PlaceBits'(p);
    end
  endfunction

  generate
    for (genvar p = 0; p < Places; p++) begin : g_place
      logic [WordBits-1:0] counter;
      logic [nic_pkg::Dependencies-1:0] met;
      logic core_loads, list_loads;

      assign fires[p] = oldest_valid && oldest_place == PlaceBits'(p);
      assign core_loads = hold_stays && hold_place_i == PlaceBits'(p);
      assign list_loads = list_holds && issue_place_i == PlaceBits'(p);
      assign counter = counters_i[32'(key_q[p][WordBits+:CounterBits])*WordBits+:WordBits];
      assign can_fire[p] = held_q[p]
          && (by_list_q[p] ? (&met && !behind_q[p]) : counter >= key_q[p][WordBits-1:0]);
      assign same[p] = held_q[p] && !fires[p] && by_list_q[p] && !join_q[p]
          && list_q[p] == issue_list_i && key_q[p] == list_key;

      for (genvar d = 0; d < nic_pkg::Dependencies; d++) begin : g_dependency
        dependency #(
            .Places(Places)
        ) u_dependency (
            .clk_i, .rst_ni,
            .load_i(list_loads),
            .new_i(issue_dependencies_i[d*DependencyBits+:DependencyBits]),
            .list_i(list_loads ? issue_list_i : list_q[p]),
            .issue_valid_i, .issue_list_i, .issue_reference_i, .issue_place_i, .issue_refused_i,
            .send_done_i(done), .receive_done_i,
            .met_o(met[d])
        );
      end

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          held_q[p] <= 1'b0;
          by_list_q[p] <= 1'b0;
          join_q[p] <= 1'b0;
          behind_q[p] <= 1'b0;
          last_q[p] <= 1'b0;
        end else if (core_loads || list_loads) begin
          held_q[p] <= 1'b1;
          by_list_q[p] <= list_loads;
          join_q[p] <= list_loads && issue_join_i;
          behind_q[p] <= list_loads && !issue_join_i && same_held_o;
          last_q[p] <= 1'b1;
        end else begin
          if (fires[p]) held_q[p] <= 1'b0;
          if (oldest_valid && oldest_place == behind_place_q[p]) behind_q[p] <= 1'b0;
          if (list_holds && !issue_join_i && same[p]) last_q[p] <= 1'b0;
        end
      end

      always_ff @(posedge clk_i) begin
        if (list_loads) begin
          list_q[p] <= issue_list_i;
          key_q[p] <= list_key;
          behind_place_q[p] <= number_of(same_last);
        end else if (core_loads) begin
          list_q[p] <= '0;
          key_q[p] <= KeyBits'({hold_counter_i, hold_threshold_i});
          behind_place_q[p] <= '0;
        end
      end
    end
  endgenerate

  // ---- assertions ------------------------------------------------------------------------------
  invariant held_place_is_free (
      .clk_i, .rst_ni, .holds_i(!hold_valid_i || !held_q[32'(hold_place_i)])
  );
  invariant list_place_is_free (
      .clk_i, .rst_ni, .holds_i(!list_holds || !held_q[32'(issue_place_i)])
  );
  invariant held_sends_are_incomplete (
      .clk_i, .rst_ni, .holds_i((send_done_i & held_q & ~fires) == '0)
  );

endmodule
