// The combine unit: combines the messages of combining receives with their operands, in a fixed
// order (docs/internals/nic/combining.md).
//
// What engines report in a cycle, and receives that are posted in it, count from the next cycle on.
// The memory takes the addresses in the cycle that starts a flit, and answers in the next one.
//
// "Flit i of every older receive that it depends on is done" is not compared for all pairs in each
// cycle: a bit for each pair says whether the next flit of the one waits for the other. The bits of
// a receive are made when a flit of it starts, and cleared as others proceed.
module combine_unit #(
    /// Receive places, 2..64.
    parameter int Places = 64,
    /// Flits that are started in a cycle, 1..8.
    parameter int Lanes = 2,
    /// Engines that report what arrives, one message and flit in a cycle each, 1..8.
    parameter int Engines = 2
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low: no receive.
    input logic rst_ni,
    /// Receives that are posted, by the core (bit 0) and after it by the list unit (bit 1): places,
    /// offsets in node memory, room in bytes, codes.
    input logic [1:0] post_valid_i,
    input logic [2*nic_pkg::PlaceBits-1:0] post_place_i,
    input logic [2*nic_pkg::WordBits-1:0] post_target_i,
    input logic [2*nic_pkg::WordBits-1:0] post_operand_i,
    input logic [2*nic_pkg::WordBits-1:0] post_stage_i,
    input logic [2*nic_pkg::LengthBits-1:0] post_room_i,
    input logic [2*nic_pkg::OperatorBits-1:0] post_operator_i,
    input logic [2*nic_pkg::TypeBits-1:0] post_type_i,
    input logic [1:0] post_message_left_i,
    /// By engine: the header of a receive's message has come, with its length, which is not 0.
    input logic [Engines-1:0] begin_valid_i,
    input logic [Engines*nic_pkg::PlaceBits-1:0] begin_place_i,
    input logic [Engines*nic_pkg::LengthBits-1:0] begin_bytes_i,
    /// By engine: the next flit of a receive is written to its staging area.
    input logic [Engines-1:0] stage_valid_i,
    input logic [Engines*nic_pkg::PlaceBits-1:0] stage_place_i,
    /// By engine: a receive is given up. It ends without a word, and delays nobody.
    input logic [Engines-1:0] drop_valid_i,
    input logic [Engines*nic_pkg::PlaceBits-1:0] drop_place_i,
    /// Flits that may start in this cycle.
    input logic [3:0] budget_i,
    /// By lane: reads of an operand and of a staged message, 8 bytes each.
    output logic [Lanes-1:0] read_valid_o,
    output logic [Lanes*nic_pkg::WordBits-1:0] read_operand_o,
    output logic [Lanes*nic_pkg::WordBits-1:0] read_message_o,
    /// The bytes that were read in the last cycle.
    input logic [Lanes*nic_pkg::DataBits-1:0] operand_i,
    input logic [Lanes*nic_pkg::DataBits-1:0] message_i,
    /// By lane: writes. Only the low 4 bytes are written where half is 1.
    output logic [Lanes-1:0] write_valid_o,
    output logic [Lanes*nic_pkg::WordBits-1:0] write_address_o,
    output logic [Lanes*nic_pkg::DataBits-1:0] write_data_o,
    output logic [Lanes-1:0] write_half_o,
    /// By lane: that is the last flit of the receive in this place, which is free from then on.
    output logic [Lanes-1:0] complete_valid_o,
    output logic [Lanes*nic_pkg::PlaceBits-1:0] complete_place_o
);

  localparam int PlaceBits = nic_pkg::PlaceBits;
  localparam int WordBits = nic_pkg::WordBits;
  localparam int LengthBits = nic_pkg::LengthBits;
  localparam int DataBits = nic_pkg::DataBits;
  localparam int OperatorBits = nic_pkg::OperatorBits;
  localparam int TypeBits = nic_pkg::TypeBits;
  localparam int CountBits = nic_pkg::FlitCountBits;
  localparam int Latency = 3;
  localparam int Removals = Lanes + Engines;

  // ---- parameters ------------------------------------------------------------------------------
  nic_parameter_check #(.Places(Places), .Lanes(Lanes), .Engines(Engines)) u_parameters ();

  // ---- registers of the places -----------------------------------------------------------------
  logic [Places-1:0] busy_q;
  logic [Places-1:0] before_q[0:Places-1];  // older receives that it depends on
  logic [Places-1:0] waits_q[0:Places-1];  // those that its next flit waits for
  logic [Latency-1:0] recent_q[0:Places-1];  // a flit was started 1, 2, 3 cycles ago
  logic [Places*CountBits-1:0] started_q;
  logic [CountBits-1:0] staged_q[0:Places-1];
  logic [CountBits-1:0] flits_q[0:Places-1];  // of the message; until it is known, of the room
  logic [Places-1:0] half_q;  // the last flit has 4 bytes
  logic [Places*WordBits-1:0] target_q;
  logic [Places*WordBits-1:0] operand_q;
  logic [WordBits-1:0] stage_q[0:Places-1];
  logic [OperatorBits-1:0] operator_q[0:Places-1];
  logic [TypeBits-1:0] type_q[0:Places-1];
  logic [Places-1:0] message_left_q;

  function automatic logic [CountBits-1:0] flits_of(input logic [LengthBits-1:0] bytes);
    flits_of = bytes[LengthBits-1:3] + {21'd0, |bytes[2:0]};
  endfunction

  // ---- which flits start -----------------------------------------------------------------------
  logic [Places-1:0] can_start;
  logic [Places*PlaceBits-1:0] rank;
  logic [Lanes-1:0] starts;  // by lane
  logic [Lanes*PlaceBits-1:0] start_place;
  logic [Lanes*CountBits-1:0] start_flit;
  logic [Places-1:0] place_starts;
  logic [Places-1:0] leaves;  // dropped or complete in this cycle
  logic [Places-1:0] dropped;

  // A receive can be given up in the cycle in which it is posted. Then it has no age.
  logic [1:0] post_stays;
  logic [Engines-1:0] drop_ages;
  generate
    for (genvar k = 0; k < 2; k++) begin : g_post
      assign post_stays[k] = post_valid_i[k]
          && !dropped[32'(post_place_i[k*PlaceBits+:PlaceBits])];
    end
    for (genvar e = 0; e < Engines; e++) begin : g_drop
      assign drop_ages[e] = drop_valid_i[e] && busy_q[32'(drop_place_i[e*PlaceBits+:PlaceBits])];
    end
  endgenerate

  age_order #(
      .Places(Places), .Inserts(2), .Removals(Removals)
  ) u_order (
      .clk_i, .rst_ni,
      .insert_valid_i(post_stays),
      .insert_place_i(post_place_i),
      .remove_valid_i({drop_ages, complete_valid_o}),
      .remove_place_i({drop_place_i, complete_place_o}),
      .rank_o(rank)
  );

  // ---- lanes -----------------------------------------------------------------------------------
  // The flits that were started 1, 2 and 3 cycles ago, and are written in the last of these.
  logic [Lanes-1:0] flight_valid_q[1:Latency];
  logic [Lanes-1:0] flight_half_q[1:Latency];
  logic [Lanes-1:0] flight_last_q[1:Latency];
  logic [Lanes*PlaceBits-1:0] flight_place_q[1:Latency];
  logic [Lanes*CountBits-1:0] flight_flit_q[1:Latency];
  logic [Lanes*WordBits-1:0] flight_address_q[1:Latency];
  logic [Lanes*WordBits-1:0] start_address;
  logic [Lanes-1:0] start_last, start_half;
  logic [Lanes*OperatorBits-1:0] operator_1q;  // those of the flits started one cycle ago
  logic [Lanes*TypeBits-1:0] type_1q;
  logic [Lanes-1:0] message_left_1q;

  function automatic logic [Lanes-1:0] kept(input logic [Lanes-1:0] valid,
                                            input logic [Lanes*PlaceBits-1:0] places,
                                            input logic [Places-1:0] given_up);
    for (int k = 0; k < Lanes; k++) begin
      kept[k] = valid[k] && !given_up[32'(places[k*PlaceBits+:PlaceBits])];
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int s = 1; s <= Latency; s++) flight_valid_q[s] <= '0;
    end else begin
      flight_valid_q[1] <= kept(starts, start_place, dropped);
      for (int s = 2; s <= Latency; s++) begin
        flight_valid_q[s] <= kept(flight_valid_q[s-1], flight_place_q[s-1], dropped);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    flight_half_q[1] <= start_half;
    flight_last_q[1] <= start_last;
    flight_place_q[1] <= start_place;
    flight_flit_q[1] <= start_flit;
    flight_address_q[1] <= start_address;
    for (int s = 2; s <= Latency; s++) begin
      flight_half_q[s] <= flight_half_q[s-1];
      flight_last_q[s] <= flight_last_q[s-1];
      flight_place_q[s] <= flight_place_q[s-1];
      flight_flit_q[s] <= flight_flit_q[s-1];
      flight_address_q[s] <= flight_address_q[s-1];
    end
  end

  assign read_valid_o = starts;
  assign write_valid_o = flight_valid_q[Latency];
  assign write_address_o = flight_address_q[Latency];
  assign write_half_o = flight_half_q[Latency];
  assign complete_valid_o = flight_valid_q[Latency] & flight_last_q[Latency];
  assign complete_place_o = flight_place_q[Latency];

  generate
    for (genvar k = 0; k < Lanes; k++) begin : g_lane
      logic [Places-1:0] candidates;
      logic found;
      logic [PlaceBits-1:0] place;
      logic [CountBits-1:0] flit;
      logic [WordBits-1:0] ahead;  // bytes of the flits before it

      if (k == 0) begin : g_first
        assign candidates = can_start;
      end else begin : g_other
        for (genvar p = 0; p < Places; p++) begin : g_place
          assign candidates[p] = g_lane[k-1].candidates[p] && g_lane[k-1].place != PlaceBits'(p);
        end
      end
      oldest #(
          .Places(Places)
      ) u_oldest (
          .candidate_i(candidates),
          .rank_i(rank),
          .valid_o(found),
          .place_o(place)
      );
      assign starts[k] = found && 4'(k) < budget_i;
      assign flit = started_q[32'(place)*CountBits+:CountBits];
      assign ahead = {7'd0, flit, 3'd0};
      assign start_place[k*PlaceBits+:PlaceBits] = place;
      assign start_flit[k*CountBits+:CountBits] = flit;
      assign start_last[k] = flit + 1'b1 == flits_q[32'(place)];
      assign start_half[k] = start_last[k] && half_q[32'(place)];
      assign start_address[k*WordBits+:WordBits] = target_q[32'(place)*WordBits+:WordBits] + ahead;
      assign read_operand_o[k*WordBits+:WordBits] = operand_q[32'(place)*WordBits+:WordBits] + ahead;
      assign read_message_o[k*WordBits+:WordBits] = stage_q[32'(place)] + ahead;

      always_ff @(posedge clk_i) begin
        operator_1q[k*OperatorBits+:OperatorBits] <= operator_q[32'(place)];
        type_1q[k*TypeBits+:TypeBits] <= type_q[32'(place)];
        message_left_1q[k] <= message_left_q[32'(place)];
      end

      combine_alu u_alu (
          .clk_i,
          .operator_i(operator_1q[k*OperatorBits+:OperatorBits]),
          .type_i(type_1q[k*TypeBits+:TypeBits]),
          .left_i(message_left_1q[k] ? message_i[k*DataBits+:DataBits]
                                     : operand_i[k*DataBits+:DataBits]),
          .right_i(message_left_1q[k] ? operand_i[k*DataBits+:DataBits]
                                      : message_i[k*DataBits+:DataBits]),
          .result_o(write_data_o[k*DataBits+:DataBits])
      );
    end
  endgenerate

  // ---- places ----------------------------------------------------------------------------------
  // By place: the flits that are done and the ends, as they are in the next cycle.
  logic [Places*CountBits-1:0] done_next, flits_next;
  // By place: the flit that becomes done with this cycle.
  logic [Places-1:0] becomes_done;
  logic [Places*CountBits-1:0] done_flit;
  logic [Places-1:0] begins;
  // By post: the places on which it depends, if they are occupied.
  logic [2*Places-1:0] depends;
  logic second_depends;  // the second post on the first

  function automatic logic [Places-1:0] shared(input logic [WordBits-1:0] target,
                                               input logic [WordBits-1:0] operand,
                                               input logic [Places*WordBits-1:0] targets,
                                               input logic [Places*WordBits-1:0] operands);
    for (int j = 0; j < Places; j++) begin
      shared[j] = target == targets[j*WordBits+:WordBits]
          || target == operands[j*WordBits+:WordBits] || operand == targets[j*WordBits+:WordBits];
    end
  endfunction
  generate
    for (genvar k = 0; k < 2; k++) begin : g_depends
      assign depends[k*Places+:Places] = shared(post_target_i[k*WordBits+:WordBits],
          post_operand_i[k*WordBits+:WordBits], target_q, operand_q) & busy_q & ~leaves;
    end
  endgenerate
  assign second_depends = post_stays[0]
      && (post_target_i[WordBits+:WordBits] == post_target_i[WordBits-1:0]
          || post_target_i[WordBits+:WordBits] == post_operand_i[WordBits-1:0]
          || post_operand_i[WordBits+:WordBits] == post_target_i[WordBits-1:0]);

  // By place: flit `flit` of it is neither done nor beyond its end.
  function automatic logic [Places-1:0] not_passed(input logic [CountBits-1:0] flit,
                                                   input logic [Places*CountBits-1:0] dones,
                                                   input logic [Places*CountBits-1:0] ends);
    for (int j = 0; j < Places; j++) begin
      not_passed[j] = dones[j*CountBits+:CountBits] <= flit && ends[j*CountBits+:CountBits] > flit;
    end
  endfunction

  // By place: flit `flit` of it becomes done. A receive waits for the flit behind those that are done,
  // so the header that tells the end of the message has come before, or it has no flit.
  function automatic logic [Places-1:0] passed(input logic [CountBits-1:0] flit,
                                               input logic [Places-1:0] done,
                                               input logic [Places*CountBits-1:0] done_flits);
    for (int j = 0; j < Places; j++) begin
      passed[j] = done[j] && done_flits[j*CountBits+:CountBits] == flit;
    end
  endfunction

  generate
    for (genvar p = 0; p < Places; p++) begin : g_place
      logic posts, stages, starts_here;
      logic [1:0] posts_by;
      logic [LengthBits-1:0] begin_bytes, room;
      logic [Engines-1:0] begins_by, stages_by, drops_by;
      logic [Lanes-1:0] starts_by, completes_by;
      logic [Places-1:0] first_post, before_next, waits_next;
      logic [CountBits-1:0] started, next_flit;

      for (genvar k = 0; k < 2; k++) begin : g_post
        assign posts_by[k] = post_valid_i[k]
            && post_place_i[k*PlaceBits+:PlaceBits] == PlaceBits'(p);
      end
      assign posts = |posts_by;
      assign room = post_room_i[(posts_by[1]?LengthBits:0)+:LengthBits];
      for (genvar e = 0; e < Engines; e++) begin : g_engine
        assign begins_by[e] = begin_valid_i[e]
            && begin_place_i[e*PlaceBits+:PlaceBits] == PlaceBits'(p);
        assign stages_by[e] = stage_valid_i[e]
            && stage_place_i[e*PlaceBits+:PlaceBits] == PlaceBits'(p);
        assign drops_by[e] = drop_valid_i[e]
            && drop_place_i[e*PlaceBits+:PlaceBits] == PlaceBits'(p);
      end
      for (genvar k = 0; k < Lanes; k++) begin : g_lane
        assign starts_by[k] = starts[k] && start_place[k*PlaceBits+:PlaceBits] == PlaceBits'(p);
        assign completes_by[k] = complete_valid_o[k]
            && complete_place_o[k*PlaceBits+:PlaceBits] == PlaceBits'(p);
      end
      assign begins[p] = |begins_by;
      assign stages = |stages_by;
      assign dropped[p] = |drops_by;
      assign leaves[p] = dropped[p] || |completes_by;
      assign starts_here = |starts_by;
      assign place_starts[p] = starts_here;
      assign begin_bytes = bytes_of(begins_by, begin_bytes_i);
      assign started = started_q[p*CountBits+:CountBits];
      assign can_start[p] = busy_q[p] && staged_q[p] > started && waits_q[p] == '0;

      // A flit is done in the fourth cycle after its start: what is not recent is done.
      assign becomes_done[p] = recent_q[p][Latency-1];
      assign done_flit[p*CountBits+:CountBits] = started - in_flight(recent_q[p]);
      assign done_next[p*CountBits+:CountBits] =
          posts ? '0 : done_flit[p*CountBits+:CountBits] + {21'd0, becomes_done[p]};
      assign flits_next[p*CountBits+:CountBits] =
          begins[p] ? flits_of(begin_bytes) : posts ? flits_of(room) : flits_q[p];
      assign next_flit = started + 1'b1;

      assign first_post = Places'(second_depends) << post_place_i[PlaceBits-1:0];
      assign before_next = posts_by[1] ? depends[Places+:Places] | first_post
          : posts_by[0] ? depends[Places-1:0] : before_q[p] & busy_q & ~leaves;
      assign waits_next = before_next & (starts_here || posts
          ? not_passed(posts ? '0 : next_flit, done_next, flits_next)
          : waits_q[p] & ~passed(started, becomes_done, done_flit));

      always_ff @(posedge clk_i) begin
        if (!rst_ni) busy_q[p] <= 1'b0;
        else if (leaves[p]) busy_q[p] <= 1'b0;
        else if (posts) busy_q[p] <= 1'b1;
      end

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          before_q[p] <= '0;
          waits_q[p] <= '0;
        end else begin
          before_q[p] <= before_next;
          waits_q[p] <= waits_next;
        end
      end

      always_ff @(posedge clk_i) begin
        flits_q[p] <= flits_next[p*CountBits+:CountBits];
        if (begins[p]) half_q[p] <= begin_bytes[2];
        else if (posts) half_q[p] <= room[2];
        if (posts) begin
          target_q[p*WordBits+:WordBits] <= post_target_i[(posts_by[1]?WordBits:0)+:WordBits];
          operand_q[p*WordBits+:WordBits] <= post_operand_i[(posts_by[1]?WordBits:0)+:WordBits];
          stage_q[p] <= post_stage_i[(posts_by[1]?WordBits:0)+:WordBits];
          operator_q[p] <= post_operator_i[(posts_by[1]?OperatorBits:0)+:OperatorBits];
          type_q[p] <= post_type_i[(posts_by[1]?TypeBits:0)+:TypeBits];
          message_left_q[p] <= post_message_left_i[posts_by[1]];
          started_q[p*CountBits+:CountBits] <= '0;
          staged_q[p] <= '0;
          recent_q[p] <= '0;
        end else begin
          recent_q[p] <= {recent_q[p][Latency-2:0], starts_here};
          if (starts_here) started_q[p*CountBits+:CountBits] <= next_flit;
          if (stages) staged_q[p] <= staged_q[p] + 1'b1;
        end
      end
    end
  endgenerate

  function automatic logic [CountBits-1:0] in_flight(input logic [Latency-1:0] recent);
    in_flight = {21'd0, recent[0]} + {21'd0, recent[1]} + {21'd0, recent[2]};
  endfunction

  function automatic logic [LengthBits-1:0] bytes_of(input logic [Engines-1:0] chosen,
                                                     input logic [Engines*LengthBits-1:0] bytes);
    bytes_of = '0;
    for (int e = 0; e < Engines; e++) begin
      if (chosen[e]) bytes_of = bytes_of | bytes[e*LengthBits+:LengthBits];
    end
  endfunction

  // ---- assertions ------------------------------------------------------------------------------
  invariant core_posts_to_a_free_place (
      .clk_i, .rst_ni, .holds_i(!post_valid_i[0] || !busy_q[32'(post_place_i[PlaceBits-1:0])])
  );
  invariant list_unit_posts_to_a_free_place (
      .clk_i, .rst_ni,
      .holds_i(!post_valid_i[1] || !busy_q[32'(post_place_i[PlaceBits+:PlaceBits])])
  );
  invariant only_staged_flits_start (
      .clk_i, .rst_ni, .holds_i((place_starts & ~can_start) == '0)
  );

endmodule
