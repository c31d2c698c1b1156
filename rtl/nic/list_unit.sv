// The list unit: starts lists, fetches their descriptors and issues them, and ends them
// (docs/internals/nic/lists.md).
//
// In a cycle the core's access comes first, then the trigger unit, then this unit. Places, the
// judgement of descriptors and the completion queue are outside. The memory answers in the cycle of
// the address.
module list_unit #(
    /// Send places, and receive places, 2..64.
    parameter int Places = 64
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low: no list is known, none plays.
    input logic rst_ni,

    /// Bytes of node memory.
    input logic [nic_pkg::WordBits-1:0] memory_bytes_i,
    /// The core writes LIST_SET or LIST_GO: which, the value, and LIST_OFFSET and LIST_COUNTS.
    input logic set_valid_i,
    input logic go_valid_i,
    input logic [nic_pkg::HandleBits-1:0] handle_i,
    input logic [nic_pkg::WordBits-1:0] offset_i,
    input logic [nic_pkg::WordBits-1:0] counts_i,
    /// The core takes the completion of a list.
    input logic taken_i,
    /// That write is refused, with BAD_LIST or LIST_OVERFLOW.
    output logic bad_list_o,
    output logic overflow_o,
    /// LIST_SPACE and LIST_PLAYS.
    output logic [nic_pkg::ListBits:0] space_o,
    output logic [nic_pkg::HandlePlaces-1:0] plays_o,

    /// A call waits whose OPERATION is START, with 0 in bits 31:16 of its PARAMETER_0: bits 15:0,
    /// and its ticket.
    input logic call_valid_i,
    input logic [nic_pkg::HandleBits-1:0] call_handle_i,
    input logic [nic_pkg::TicketBits-1:0] call_ticket_i,
    /// It is a start: the core does not see it.
    output logic call_hidden_o,
    /// It is taken in this cycle.
    output logic call_take_o,

    /// By place: it is free in the unit's turn.
    input logic [Places-1:0] send_free_i,
    input logic [Places-1:0] receive_free_i,
    /// A fetch begins, and occupies a place.
    output logic fetch_valid_o,
    output logic fetch_receive_o,
    output logic [nic_pkg::PlaceBits-1:0] fetch_place_o,
    /// The memory port.
    output logic memory_read_o,
    output logic [nic_pkg::WordBits-1:0] memory_address_o,
    input logic [nic_pkg::DataBits-1:0] memory_data_i,

    /// A descriptor is to be judged, as by a go register; that of a send which will be held only for
    /// what its bytes do not decide. It is refused.
    output logic judge_valid_o,
    output logic judge_held_o,
    output logic [nic_pkg::DescriptorBits-1:0] descriptor_o,
    input logic judge_refused_i,
    /// Whether the trigger unit holds a send of this list with the same destination and tag.
    input logic same_held_i,
    /// A transfer is issued. It is refused (perhaps as BAD_LIST), or posted, or enters the start-up
    /// unit, or is held by the trigger unit, which gets its dependencies.
    output logic issue_valid_o,
    output logic [nic_pkg::ListBits-1:0] issue_list_o,
    output logic [nic_pkg::ReferenceBits-1:0] issue_reference_o,
    output logic [nic_pkg::PlaceBits-1:0] issue_place_o,
    output logic issue_refused_o,
    output logic issue_bad_list_o,
    output logic issue_post_o,
    output logic issue_start_o,
    output logic issue_hold_o,
    output logic issue_join_o,
    output logic [nic_pkg::Dependencies*nic_pkg::DependencyBits-1:0] issue_dependencies_o,
    /// A receive is put back: issue_place_o is free again, as when it is refused.
    output logic put_back_o,

    /// By place: its transfer is complete in this cycle, and has failed.
    input logic [Places-1:0] send_done_i,
    input logic [Places-1:0] receive_done_i,
    input logic [Places-1:0] send_failed_i,
    input logic [Places-1:0] receive_failed_i,
    /// The join in this place fires, and is complete.
    input logic fire_join_i,
    input logic [nic_pkg::PlaceBits-1:0] fire_place_i,

    /// By list place: its list ends. Whether it has failed, whether the core started it, its handle,
    /// and the ticket of the call that started it.
    output logic [nic_pkg::Lists-1:0] end_valid_o,
    output logic [nic_pkg::Lists-1:0] end_failed_o,
    output logic [nic_pkg::Lists-1:0] end_by_core_o,
    output logic [nic_pkg::Lists*nic_pkg::HandleBits-1:0] end_handle_o,
    output logic [nic_pkg::Lists*nic_pkg::TicketBits-1:0] end_ticket_o
);

  localparam int PlaceBits = nic_pkg::PlaceBits;
  localparam int WordBits = nic_pkg::WordBits;
  localparam int DataBits = nic_pkg::DataBits;
  localparam int Lists = nic_pkg::Lists;
  localparam int ListBits = nic_pkg::ListBits;
  localparam int HandleBits = nic_pkg::HandleBits;
  localparam int HandlePlaces = nic_pkg::HandlePlaces;
  localparam int IndexBits = nic_pkg::HandleIndexBits;
  localparam int TicketBits = nic_pkg::TicketBits;
  localparam int NumberBits = nic_pkg::NumberBits;
  localparam int ReferenceBits = nic_pkg::ReferenceBits;
  localparam int DependencyBits = nic_pkg::DependencyBits;
  localparam int Dependencies = nic_pkg::Dependencies;
  localparam int Sides = 2 * Lists;
  localparam int SideBits = ListBits + 1;  // {list, is the side of the sends}
  localparam int RoomPerList = 14;

  // ---- parameters ------------------------------------------------------------------------------
  nic_parameter_check #(.Places(Places)) u_parameters ();

  // ---- handle places ---------------------------------------------------------------------------
  logic [HandleBits-1:0] known_handle_q[0:HandlePlaces-1];
  logic [WordBits-1:0] known_offset_q[0:HandlePlaces-1];
  logic [NumberBits-1:0] known_receives_q[0:HandlePlaces-1];
  logic [NumberBits-1:0] known_sends_q[0:HandlePlaces-1];
  logic [HandlePlaces-1:0] known_q;  // the place keeps a list
  logic [HandlePlaces-1:0] plays_q;

  logic [IndexBits-1:0] core_index, call_index;
  logic core_known, call_known_q, call_known, call_plays;
  logic set_valid, sets_call;
  logic [WordBits:0] set_end;
  logic [2:0] core_lists_q;  // that the core started and whose completions it has not taken
  logic core_start, call_start;

  assign core_index = handle_i[IndexBits-1:0];
  assign call_index = call_handle_i[IndexBits-1:0];
  assign core_known = known_q[core_index] && known_handle_q[core_index] == handle_i;
  assign set_end = {1'b0, offset_i} + {12'd0, counts_i[31:16], 5'd0}
      + {12'd0, counts_i[15:0], 5'd0};
  assign set_valid = set_valid_i && !plays_q[core_index] && (counts_i == '0
      || (offset_i[2:0] == '0 && !counts_i[31] && !counts_i[15]
          && set_end <= {1'b0, memory_bytes_i}));
  assign bad_list_o = (set_valid_i && !set_valid)
      || (go_valid_i && (!core_known || plays_q[core_index]));
  assign overflow_o = go_valid_i && !bad_list_o && (&playing_q || core_lists_q == 3'd4);
  assign core_start = go_valid_i && !bad_list_o && !overflow_o;
  assign plays_o = plays_q;

  // What the core has written in this cycle counts for the call's start.
  assign sets_call = set_valid && core_index == call_index;
  assign call_known_q = known_q[call_index] && known_handle_q[call_index] == call_handle_i;
  assign call_known = sets_call ? handle_i == call_handle_i && counts_i != '0 : call_known_q;
  assign call_plays = plays_q[call_index] || (core_start && core_index == call_index);
  assign call_hidden_o = call_valid_i && call_known_q && !plays_q[call_index];
  assign call_start = call_valid_i && call_known && !call_plays && free_for_call != '0;
  assign call_take_o = call_start;

  // ---- list places -----------------------------------------------------------------------------
  logic [Lists-1:0] playing_q;
  logic [Lists-1:0] by_core_q;
  logic [Lists-1:0] failed_q;
  logic [Lists-1:0] waiting_q;  // a receive was put back
  logic [Lists*HandleBits-1:0] handle_q;
  logic [Lists*TicketBits-1:0] ticket_q;
  logic [NumberBits-1:0] receives_q[0:Lists-1];
  logic [NumberBits-1:0] sends_q[0:Lists-1];
  logic [NumberBits-1:0] receives_issued_q[0:Lists-1];
  logic [NumberBits-1:0] sends_issued_q[0:Lists-1];
  logic [WordBits-1:0] next_receive_q[0:Lists-1];  // offsets of the next descriptors
  logic [WordBits-1:0] next_send_q[0:Lists-1];

  logic [Lists-1:0] core_takes, call_takes;  // list places, one-hot
  logic [Lists-1:0] free_for_call;
  assign core_takes = core_start ? (~playing_q & (playing_q + 1'b1)) : '0;
  assign free_for_call = ~playing_q & ~core_takes;
  assign call_takes = call_start ? (free_for_call & (~free_for_call + 1'b1)) : '0;
  assign space_o = 3'd4 - ({2'd0, playing_q[0]} + {2'd0, playing_q[1]} + {2'd0, playing_q[2]}
      + {2'd0, playing_q[3]});
  assign end_failed_o = failed_q;
  assign end_by_core_o = by_core_q;
  assign end_handle_o = handle_q;
  assign end_ticket_o = ticket_q;

  // ---- transfers in places ---------------------------------------------------------------------
  logic [Places-1:0] send_busy_q, receive_busy_q;
  logic [Places*ListBits-1:0] send_list_q, receive_list_q;
  logic [Places*NumberBits-1:0] send_number_q, receive_number_q;
  logic [Places-1:0] send_ends;

  // By place: it is occupied by a transfer of this list.
  function automatic logic [Places-1:0] places_of(input logic [Places-1:0] busy,
                                                  input logic [Places*ListBits-1:0] lists,
                                                  input logic [ListBits-1:0] list);
    for (int p = 0; p < Places; p++) begin
      places_of[p] = busy[p] && lists[p*ListBits+:ListBits] == list;
    end
  endfunction

  function automatic logic has_room(input logic [Places-1:0] mine, input logic [Places-1:0] free);
    logic [PlaceBits:0] count;
    count = '0;
    for (int p = 0; p < Places; p++) count = count + {6'd0, mine[p]};
    has_room = 32'(count) < RoomPerList && free != '0;
  endfunction

  function automatic logic [PlaceBits-1:0] lowest_of(input logic [Places-1:0] places);
    lowest_of = '0;
    for (int p = Places - 1; p >= 0; p--) begin
      if (places[p]) lowest_of = PlaceBits'(p);
    end
  endfunction

  // ---- fetching --------------------------------------------------------------------------------
  logic fetching_q;
  logic [1:0] beat_q;
  logic [SideBits-1:0] side_q, last_side_q, chosen;
  logic [PlaceBits-1:0] place_q;
  logic [WordBits-1:0] address_q, next_address;
  logic [3*DataBits-1:0] fetched_q;
  logic [Sides-1:0] can_fetch;
  logic done;  // all of the descriptor is here
  logic is_receive;
  logic [ListBits-1:0] list;

  // The first side that can be fetched behind `last`, in a circle.
  function automatic logic [SideBits-1:0] next_side(input logic [Sides-1:0] sides,
                                                    input logic [SideBits-1:0] last);
    logic [SideBits-1:0] side;
    next_side = last;
    for (int k = Sides; k > 0; k--) begin
      side = last + SideBits'(k);
      if (sides[side]) next_side = side;
    end
  endfunction

  assign chosen = next_side(can_fetch, last_side_q);
  assign fetch_valid_o = !fetching_q && can_fetch != '0;
  assign fetch_receive_o = !chosen[0];
  assign fetch_place_o = lowest_of(chosen[0] ? send_free_i : receive_free_i);
  assign next_address = chosen[0] ? next_send_q[chosen[SideBits-1:1]]
                                  : next_receive_q[chosen[SideBits-1:1]];
  assign memory_read_o = fetching_q || fetch_valid_o;
  assign memory_address_o = fetching_q ? address_q : next_address;
  assign done = fetching_q && beat_q == 2'd3;
  assign is_receive = !side_q[0];
  assign list = side_q[SideBits-1:1];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fetching_q <= 1'b0;
      beat_q <= '0;
      side_q <= '0;
      last_side_q <= '1;
      place_q <= '0;
    end else if (fetch_valid_o) begin
      fetching_q <= 1'b1;
      beat_q <= 2'd1;
      side_q <= chosen;
      last_side_q <= chosen;
      place_q <= fetch_place_o;
    end else if (fetching_q) begin
      fetching_q <= !done;
      beat_q <= beat_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (memory_read_o) begin
      address_q <= memory_address_o + 32'd8;
      fetched_q <= {memory_data_i, fetched_q[3*DataBits-1:DataBits]};
    end
  end

  // ---- issuing ---------------------------------------------------------------------------------
  logic [NumberBits-1:0] number;
  logic [ReferenceBits-1:0] reference;
  logic [Dependencies*ReferenceBits-1:0] words;  // the dependencies as the descriptor has them
  logic [Dependencies-1:0] bad, met;
  logic all_met, unmet_receive, is_join;

  assign descriptor_o = {memory_data_i, fetched_q};
  assign words = {descriptor_o[4*WordBits+16+:16], descriptor_o[7*WordBits+16+:16],
                  descriptor_o[7*WordBits+:16]};
  assign number = is_receive ? receives_issued_q[list] : sends_issued_q[list];
  assign reference = {is_receive, number};
  assign is_join = !is_receive && descriptor_o[3*WordBits+31];
  assign all_met = &met;
  assign unmet_receive = is_receive && !all_met;

  generate
    for (genvar d = 0; d < Dependencies; d++) begin : g_dependency
      logic [ReferenceBits-1:0] word;
      logic of_receive, none, issued;
      logic [NumberBits-1:0] wanted;
      logic [Places-1:0] found;

      assign word = words[d*ReferenceBits+:ReferenceBits];
      assign none = word == '1;
      assign of_receive = word[ReferenceBits-1];
      assign wanted = word[NumberBits-1:0];
      assign bad[d] = !none && (word == reference
          || wanted >= (of_receive ? receives_q[list] : sends_q[list]));
      assign issued = wanted < (of_receive ? receives_issued_q[list] : sends_issued_q[list]);
      assign found = of_receive ? transfer_in(receive_busy_q, receive_list_q, receive_number_q,
                                              list, wanted)
                                : transfer_in(send_busy_q, send_list_q, send_number_q, list, wanted);
      assign met[d] = none || (issued && found == '0);
      assign issue_dependencies_o[d*DependencyBits+:DependencyBits] =
          met[d] ? {nic_pkg::Met, {ReferenceBits{1'b0}}}
          : issued ? {nic_pkg::OnPlace, of_receive, 9'd0, lowest_of(found)}
          : {nic_pkg::OnIssue, word};
    end
  endgenerate

  // By place: it is occupied by this transfer of this list.
  function automatic logic [Places-1:0] transfer_in(input logic [Places-1:0] busy,
                                                    input logic [Places*ListBits-1:0] lists,
                                                    input logic [Places*NumberBits-1:0] numbers,
                                                    input logic [ListBits-1:0] of_list,
                                                    input logic [NumberBits-1:0] wanted);
    for (int p = 0; p < Places; p++) begin
      transfer_in[p] = busy[p] && lists[p*ListBits+:ListBits] == of_list
          && numbers[p*NumberBits+:NumberBits] == wanted;
    end
  endfunction

  assign judge_valid_o = done && bad == '0 && !is_join && !unmet_receive;
  assign judge_held_o = !is_receive && (!all_met || same_held_i);
  assign put_back_o = done && bad == '0 && unmet_receive;
  assign issue_valid_o = done && !put_back_o;
  assign issue_list_o = list;
  assign issue_reference_o = reference;
  assign issue_place_o = place_q;
  assign issue_bad_list_o = issue_valid_o && bad != '0;
  assign issue_refused_o = issue_bad_list_o || (judge_valid_o && judge_refused_i);
  assign issue_post_o = issue_valid_o && !issue_refused_o && is_receive;
  assign issue_join_o = is_join;
  assign issue_hold_o = issue_valid_o && !issue_refused_o && !is_receive
      && (is_join || judge_held_o);
  assign issue_start_o = issue_valid_o && !issue_refused_o && !is_receive && !issue_hold_o;

  // ---- registers of the handle places ----------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (set_valid) begin
      known_handle_q[core_index] <= handle_i;
      known_offset_q[core_index] <= offset_i;
      known_receives_q[core_index] <= counts_i[16+:NumberBits];
      known_sends_q[core_index] <= counts_i[0+:NumberBits];
    end
  end

  function automatic logic [HandlePlaces-1:0] ended(input logic [Lists-1:0] lists,
                                                    input logic [Lists*HandleBits-1:0] handles);
    ended = '0;
    for (int l = 0; l < Lists; l++) begin
      if (lists[l]) ended[handles[l*HandleBits+:IndexBits]] = 1'b1;
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q <= '0;
      plays_q <= '0;
      core_lists_q <= '0;
    end else begin
      if (set_valid) known_q[core_index] <= counts_i != '0;
      plays_q <= (plays_q & ~ended(end_valid_o, handle_q))
          | (HandlePlaces'(core_start) << core_index) | (HandlePlaces'(call_start) << call_index);
      core_lists_q <= core_lists_q + {2'd0, core_start} - {2'd0, taken_i};
    end
  end

  // ---- registers of the list places ------------------------------------------------------------
  logic [WordBits-1:0] core_offset, call_offset;
  logic [NumberBits-1:0] core_receives, core_sends, call_receives, call_sends;
  assign core_offset = known_offset_q[core_index];
  assign core_receives = known_receives_q[core_index];
  assign core_sends = known_sends_q[core_index];
  assign call_offset = sets_call ? offset_i : known_offset_q[call_index];
  assign call_receives = sets_call ? counts_i[16+:NumberBits] : known_receives_q[call_index];
  assign call_sends = sets_call ? counts_i[0+:NumberBits] : known_sends_q[call_index];

  generate
    for (genvar l = 0; l < Lists; l++) begin : g_list
      logic [Places-1:0] my_sends, my_receives;
      logic [Dependencies-1:0] awaited_met;
      logic starts, issues, puts_back, waits;
      logic [WordBits-1:0] start_offset;
      logic [NumberBits-1:0] start_receives;

      assign my_sends = places_of(send_busy_q, send_list_q, ListBits'(l));
      assign my_receives = places_of(receive_busy_q, receive_list_q, ListBits'(l));
      assign starts = core_takes[l] || call_takes[l];
      assign start_offset = core_takes[l] ? core_offset : call_offset;
      assign start_receives = core_takes[l] ? core_receives : call_receives;
      assign issues = issue_valid_o && list == ListBits'(l);
      assign puts_back = put_back_o && list == ListBits'(l);
      assign waits = waiting_q[l] && !(&awaited_met);
      assign can_fetch[2*l] = playing_q[l] && receives_issued_q[l] != receives_q[l] && !waits
          && has_room(my_receives, receive_free_i);
      assign can_fetch[2*l+1] = playing_q[l] && sends_issued_q[l] != sends_q[l]
          && has_room(my_sends, send_free_i);
      assign end_valid_o[l] = playing_q[l] && receives_issued_q[l] == receives_q[l]
          && sends_issued_q[l] == sends_q[l] && my_sends == '0 && my_receives == '0;

      for (genvar d = 0; d < Dependencies; d++) begin : g_awaited
        dependency #(
            .Places(Places)
        ) u_awaited (
            .clk_i, .rst_ni,
            .load_i(puts_back),
            .new_i(issue_dependencies_o[d*DependencyBits+:DependencyBits]),
            .list_i(ListBits'(l)),
            .issue_valid_i(issue_valid_o),
            .issue_list_i(issue_list_o),
            .issue_reference_i(issue_reference_o),
            .issue_place_i(issue_place_o),
            .issue_refused_i(issue_refused_o),
            .send_done_i(send_ends),
            .receive_done_i(receive_done_i),
            .met_o(awaited_met[d])
        );
      end

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          playing_q[l] <= 1'b0;
          waiting_q[l] <= 1'b0;
          failed_q[l] <= 1'b0;
        end else begin
          if (starts) playing_q[l] <= 1'b1;
          else if (end_valid_o[l]) playing_q[l] <= 1'b0;
          if (puts_back) waiting_q[l] <= 1'b1;
          else if (fetch_valid_o && chosen == SideBits'(2 * l)) waiting_q[l] <= 1'b0;
          if (starts) failed_q[l] <= 1'b0;
          else if ((issues && issue_refused_o) || (my_sends & send_failed_i) != '0
              || (my_receives & receive_failed_i) != '0) begin
            failed_q[l] <= 1'b1;
          end
        end
      end

      always_ff @(posedge clk_i) begin
        if (starts) begin
          by_core_q[l] <= core_takes[l];
          handle_q[l*HandleBits+:HandleBits] <= core_takes[l] ? handle_i : call_handle_i;
          ticket_q[l*TicketBits+:TicketBits] <= call_ticket_i;
          receives_q[l] <= start_receives;
          sends_q[l] <= core_takes[l] ? core_sends : call_sends;
          receives_issued_q[l] <= '0;
          sends_issued_q[l] <= '0;
          next_receive_q[l] <= start_offset;
          next_send_q[l] <= start_offset + {12'd0, start_receives, 5'd0};
        end else if (issues) begin
          if (is_receive) begin
            receives_issued_q[l] <= receives_issued_q[l] + 1'b1;
            next_receive_q[l] <= next_receive_q[l] + 32'd32;
          end else begin
            sends_issued_q[l] <= sends_issued_q[l] + 1'b1;
            next_send_q[l] <= next_send_q[l] + 32'd32;
          end
        end
      end
    end
  endgenerate

  // ---- registers of the places -----------------------------------------------------------------
  assign send_ends = send_done_i | (fire_join_i ? Places'(1) << fire_place_i : '0);

  generate
    for (genvar p = 0; p < Places; p++) begin : g_place
      logic enters, is_sent;
      assign is_sent = issue_valid_o && !issue_refused_o && place_q == PlaceBits'(p);
      assign enters = is_sent && !is_receive;

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          send_busy_q[p] <= 1'b0;
          receive_busy_q[p] <= 1'b0;
        end else begin
          if (enters) send_busy_q[p] <= 1'b1;
          else if (send_ends[p]) send_busy_q[p] <= 1'b0;
          if (is_sent && is_receive) receive_busy_q[p] <= 1'b1;
          else if (receive_done_i[p]) receive_busy_q[p] <= 1'b0;
        end
      end

      always_ff @(posedge clk_i) begin
        if (enters) begin
          send_list_q[p*ListBits+:ListBits] <= list;
          send_number_q[p*NumberBits+:NumberBits] <= number;
        end
        if (is_sent && is_receive) begin
          receive_list_q[p*ListBits+:ListBits] <= list;
          receive_number_q[p*NumberBits+:NumberBits] <= number;
        end
      end
    end
  endgenerate

  // ---- assertions ------------------------------------------------------------------------------
  invariant one_access_of_the_core (.clk_i, .rst_ni, .holds_i(!(set_valid_i && go_valid_i)));
  invariant only_lists_that_the_core_started_are_taken (
      .clk_i, .rst_ni, .holds_i(!taken_i || core_lists_q != '0)
  );
  invariant lists_start_in_free_places (
      .clk_i, .rst_ni, .holds_i(((core_takes | call_takes) & playing_q) == '0)
  );

endmodule
