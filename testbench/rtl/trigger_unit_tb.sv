// The trigger unit against a queue of held sends: counters, the order of go, sends that fire in the
// cycle of their go; and of lists, joins that wait for each other, and sends of one tag.
module trigger_unit_tb #(
    parameter int Places = 8
);

  localparam int Cycles = 20000;

  logic clk;
  logic rst_n;
  logic hold;
  logic [5:0] hold_place, issue_place, fire_place, want_place;
  logic [4:0] hold_counter;
  logic [31:0] hold_threshold;
  logic [32*32-1:0] counters;
  logic issue, join_i, same_held, fires, fires_join;
  logic [15:0] reference, tag;
  logic [53:0] dependencies;
  logic [Places-1:0] done, held;
  logic [63:0] random;

  // The queue, oldest first: {is of a list, is a join, tag, waits for this place or for none}.
  int length, want, fired, fired_join, fired_behind;
  logic [5:0] places[0:63];
  logic [31:0] thresholds[0:63];
  logic [4:0] counter_of[0:63];
  logic listed[0:63], joins[0:63];
  logic [15:0] tags[0:63];
  logic waits[0:63];
  logic [5:0] awaited[0:63];
  logic [Places-1:0] occupied;  // held, or a send under way
  logic [Places-1:0] freed;  // by a join that fires
  logic [Places-1:0] held_want;

  trigger_unit #(
      .Places(Places)
  ) dut (
      .clk_i(clk), .rst_ni(rst_n),
      .hold_valid_i(hold), .hold_place_i(hold_place), .hold_counter_i(hold_counter),
      .hold_threshold_i(hold_threshold), .counters_i(counters),
      .issue_valid_i(issue), .issue_list_i(2'd2), .issue_reference_i(reference),
      .issue_place_i(issue_place), .issue_refused_i(1'b0), .issue_hold_i(issue),
      .issue_join_i(join_i), .issue_destination_i(24'd5), .issue_tag_i(tag),
      .issue_dependencies_i(dependencies), .same_held_o(same_held),
      .send_done_i(done), .receive_done_i({Places{1'b0}}),
      .fire_valid_o(fires), .fire_place_o(fire_place), .fire_join_o(fires_join), .held_o(held)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  function automatic logic can_fire(input int k);
    can_fire = 1'b1;
    if (!listed[k]) can_fire = counters[32*counter_of[k]+:32] >= thresholds[k];
    else begin
      if (waits[k]) can_fire = 1'b0;
      for (int j = 0; j < k; j++) begin
        if (!joins[k] && listed[j] && !joins[j] && tags[j] == tags[k]) can_fire = 1'b0;
      end
    end
  endfunction

  task automatic remove(input int at);
    for (int k = at; k + 1 < length; k++) begin
      places[k] = places[k+1];
      thresholds[k] = thresholds[k+1];
      counter_of[k] = counter_of[k+1];
      listed[k] = listed[k+1];
      joins[k] = joins[k+1];
      tags[k] = tags[k+1];
      waits[k] = waits[k+1];
      awaited[k] = awaited[k+1];
    end
    length = length - 1;
  endtask

  task automatic add(input logic [5:0] place, input logic of_list);
    places[length] = place;
    thresholds[length] = hold_threshold;
    counter_of[length] = hold_counter;
    listed[length] = of_list;
    joins[length] = join_i;
    tags[length] = tag;
    waits[length] = of_list && dependencies[17:16] == 2'd1;
    awaited[length] = dependencies[5:0];
    length = length + 1;
    occupied[place] = 1'b1;
  endtask

  // The core's go, if a random place is free.
  task automatic choose_hold;
    random = traffic_pkg::next_random(random);
    hold_place = 6'(random[15:0] % Places);
    hold_counter = random[20:16];
    hold = random[24] && !occupied[hold_place];
    hold_threshold = counters[32*hold_counter+:32] + {30'd0, random[31:30]};
    if (hold) add(hold_place, 1'b0);
  endtask

  // A send or a join of the list, which waits for nothing or for a send that is under way.
  task automatic choose_issue;
    random = traffic_pkg::next_random(random);
    issue_place = 6'(random[15:0] % Places);
    join_i = random[16];
    tag = {15'd0, random[17]};
    issue = random[20] && !occupied[issue_place];
    dependencies = '0;
    if (random[21] && occupied[(issue_place+6'd1)%Places] && !done[(issue_place+6'd1)%Places]
        && !freed[(issue_place+6'd1)%Places])
      dependencies[17:0] = {2'd1, 10'd0, 6'((issue_place + 6'd1) % Places)};
    reference = reference + 16'd1;
    reference[15] = 1'b0;
    if (issue) add(issue_place, 1'b1);
  endtask

  initial begin
    length = 0;
    fired = 0;
    fired_join = 0;
    fired_behind = 0;
    occupied = '0;
    counters = '0;
    random = 64'd88172645463325252;
    hold = 1'b0;
    issue = 1'b0;
    join_i = 1'b0;
    tag = '0;
    reference = '0;
    dependencies = '0;
    done = '0;
    issue_place = '0;
    rst_n = 1'b0;
    @(negedge clk);
    @(negedge clk);
    rst_n = 1'b1;
    for (int c = 0; c < Cycles; c++) begin
      random = traffic_pkg::next_random(random);
      if (random[40]) counters[32*random[4:0]+:32] = counters[32*random[4:0]+:32] + 32'd1;
      held_want = '0;
      for (int k = 0; k < length; k++) held_want[places[k]] = 1'b1;
      issue = 1'b0;
      choose_hold();
      #1;
      if (held !== held_want) $fatal(1, "cycle %0d: held %b, expected %b", c, held, held_want);
      want = length;
      for (int k = length - 1; k >= 0; k--) begin
        if (can_fire(k)) want = k;
      end
      want_place = (want < length) ? places[want] : '0;
      if (fires !== (want < length) || fire_place !== want_place)
        $fatal(1, "cycle %0d: fires %b %0d, expected %b %0d", c, fires, fire_place, want < length,
               want_place);
      // Sends that are under way are complete some time: all but those that are held.
      done = '0;
      freed = '0;
      random = traffic_pkg::next_random(random);
      for (int p = 0; p < Places; p++) begin
        if (occupied[p] && !held_want[p] && !(hold && hold_place == 6'(p)) && random[p%32])
          done[p] = 1'b1;
      end
      if (want < length) begin
        fired = fired + 1;
        if (fires_join !== (listed[want] && joins[want])) $fatal(1, "cycle %0d: join", c);
        if (fires_join) begin
          fired_join = fired_join + 1;
          for (int k = 0; k < length; k++) begin
            if (waits[k] && awaited[k] == want_place) waits[k] = 1'b0;
          end
          freed[want_place] = 1'b1;
        end else if (want > 0) fired_behind = fired_behind + 1;
        remove(want);
      end
      for (int k = 0; k < length; k++) begin
        if (waits[k] && done[awaited[k]]) waits[k] = 1'b0;
      end
      choose_issue();
      #1;
      occupied = occupied & ~done & ~freed;
      @(negedge clk);
    end
    if (fired < Cycles / 50 || fired_join < Cycles / 200 || fired_behind < Cycles / 200)
      $fatal(1, "only %0d fired, %0d joins, %0d before older ones", fired, fired_join,
             fired_behind);
    $display("trigger_unit: %0d fired, %0d joins, %0d before older ones\nPASS", fired, fired_join,
             fired_behind);
    $finish;
  end

endmodule
