// Random traffic through one router of either kind, every input at once, with random stalls at
// every output; before that, one packet at a time, for the latency of an empty router.
//
// Rationale: the lockstep test compares the router with the model, so an error of their common text
// stays unseen there. Here the scoreboard knows only what a network must do (each flit once, in
// order, at the right port, in time), and router_rules the text. Plusargs: +seed=<n> +cycles=<n>.
// The last line is PASS and what the stimulus did, or the simulation ends with $fatal.
module router_tb #(
    parameter int OnePort = 0,
    `include "router_parameters.svh"
);

  localparam int Externals = 2 * Dims;
  localparam int N = Externals + LocalPorts;
  localparam int S = (OnePort != 0) ? 3 * Dims : N;  // ports of the switches
  localparam int P = S * 8;
  localparam int PhaseCycles = 64;    // rates change this often
  localparam int DrainCycles = 8000;  // more than any backlog needs
  localparam int RingClasses = (Vcs >= TorusClasses) ? TorusClasses : 1;
  // VCs of channels, those for data and those for control packets.
  localparam int MeshVcs = Vcs + ((ControlVc != 0) ? 1 : 0);
  localparam int MostExternalVcs
      = Vcs + traffic_pkg::control_vcs(ControlVc, Torus != 0, Vcs, TorusClasses);
  localparam int MostLocalVcs = LocalVcs + ((ControlVc != 0) ? 1 : 0);
  localparam int MostVcs = (MostExternalVcs > MostLocalVcs) ? MostExternalVcs : MostLocalVcs;

  logic clk;
  logic rst_n;
  logic [63:0] seed;
  int cycles;
  logic [23:0] address, last;

  // ---- channels ---------------------------------------------------------------------------------
  logic [N-1:0] in_valid, in_head, in_tail, in_credit_valid;
  logic [N*3-1:0] in_vc, in_credit_vc;
  logic [N*64-1:0] in_data;
  logic [N-1:0] out_valid, out_head, out_tail, out_credit_valid;
  logic [N*3-1:0] out_vc, out_credit_vc;
  logic [N*64-1:0] out_data;

  // What the router shows, and the fields that must be as at first when all is over.
  logic [S*noc_pkg::ObsBits-1:0] obs;
  logic [P*7-1:0] obs_count;
  logic [P-1:0] obs_routed;
  logic [P-1:0] obs_active;
  logic [P*7-1:0] obs_credits;
  logic [P-1:0] obs_owned;

`define CONNECTED \
      .clk_i(clk), .rst_ni(rst_n), .address_i(address), .last_i(last), \
      .in_valid_i(in_valid), .in_vc_i(in_vc), .in_head_i(in_head), .in_tail_i(in_tail), \
      .in_data_i(in_data), .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc), \
      .out_valid_o(out_valid), .out_vc_o(out_vc), .out_head_o(out_head), .out_tail_o(out_tail), \
      .out_data_o(out_data), .out_credit_valid_i(out_credit_valid), \
      .out_credit_vc_i(out_credit_vc), .obs_o(obs)

  generate
    if (OnePort != 0) begin : g_one_port
      one_port_router #(
          `include "router_pass_through.svh"
      ) dut (`CONNECTED);
    end else begin : g_all_port
      all_port_router #(
          `include "router_pass_through.svh"
      ) dut (`CONNECTED);
    end
    for (genvar p = 0; p < S; p++) begin : g_seen
      logic [noc_pkg::ObsBits-1:0] seen;
      assign seen = obs[p*noc_pkg::ObsBits+:noc_pkg::ObsBits];
      assign obs_count[p*56+:56] = seen[noc_pkg::ObsCountLsb+:56];
      assign obs_routed[p*8+:8] = seen[noc_pkg::ObsRoutedLsb+:8];
      assign obs_active[p*8+:8] = seen[noc_pkg::ObsActiveLsb+:8];
      assign obs_credits[p*56+:56] = seen[noc_pkg::ObsCreditsLsb+:56];
      assign obs_owned[p*8+:8] = seen[noc_pkg::ObsOwnedLsb+:8];
    end
  endgenerate

  // ---- stimulus ---------------------------------------------------------------------------------
  logic [N-1:0] begin_packets;
  logic alone;
  logic [N*9-1:0] source_rate, sink_rate;
  int source_flits[0:N-1];
  int source_open[0:N-1];
  int source_owed[0:N-1];
  int source_interleaved[0:N-1];
  int source_last_credits[0:N-1];
  logic [N*8*32-1:0] source_packets;
  int sink_held[0:N-1];
  int sink_filled[0:N-1];
  logic [N*8*32-1:0] sink_flits;

  generate
    for (genvar p = 0; p < N; p++) begin : g_neighbour
      localparam int PortVcs = (p >= Externals) ? MostLocalVcs
          : (((Torus >> (p / 2)) & 1) != 0) ? MostExternalVcs : MeshVcs;

      traffic_source #(
          .Port(p),
          .Vcs(PortVcs),
          .Depth(Depth),
          .Torus(Torus)
      ) source (
          .clk_i(clk), .rst_ni(rst_n), .seed_i(seed), .begin_i(begin_packets[p]),
          .rate_i(source_rate[p*9+:9]),
          .valid_o(in_valid[p]), .vc_o(in_vc[p*3+:3]), .head_o(in_head[p]), .tail_o(in_tail[p]),
          .data_o(in_data[p*64+:64]), .credit_valid_i(in_credit_valid[p]),
          .credit_vc_i(in_credit_vc[p*3+:3]),
          .flits_o(source_flits[p]), .packets_o(source_packets[p*256+:256]),
          .open_o(source_open[p]), .owed_o(source_owed[p]),
          .interleaved_o(source_interleaved[p]), .last_credits_o(source_last_credits[p])
      );

      traffic_sink #(
          .Port(p),
          .Vcs(PortVcs),
          .Depth(Depth)
      ) sink (
          .clk_i(clk), .rst_ni(rst_n), .seed_i(seed), .rate_i(sink_rate[p*9+:9]),
          .valid_i(out_valid[p]), .vc_i(out_vc[p*3+:3]), .credit_valid_o(out_credit_valid[p]),
          .credit_vc_o(out_credit_vc[p*3+:3]), .held_o(sink_held[p]),
          .flits_o(sink_flits[p*256+:256]), .filled_o(sink_filled[p])
      );
    end
  endgenerate

  // ---- checks -----------------------------------------------------------------------------------
  int out_flits, timed, ties, control;
  logic [N*8*32-1:0] out_packets;
  logic [N*N-1:0] turns;
  logic [3*32-1:0] classes, control_classes;
  int no_vc, no_credit, lost_switch, lost_vc, passed_over, higher, apart, through;

  router_scoreboard #(
      .OnePort(OnePort),
      `include "router_pass_through.svh"
  ) scoreboard (
      .clk_i(clk), .rst_ni(rst_n), .seed_i(seed), .alone_i(alone), .in_valid_i(in_valid),
      .in_head_i(in_head), .out_valid_i(out_valid), .out_vc_i(out_vc),
      .out_head_i(out_head), .out_tail_i(out_tail), .out_data_i(out_data),
      .flits_o(out_flits), .packets_o(out_packets), .turns_o(turns), .timed_o(timed),
      .classes_o(classes), .control_classes_o(control_classes), .control_o(control), .ties_o(ties)
  );

  router_rules #(
      .OnePort(OnePort),
      `include "router_pass_through.svh"
  ) rules (
      .clk_i(clk), .rst_ni(rst_n), .address_i(address), .last_i(last), .in_valid_i(in_valid),
      .in_vc_i(in_vc), .in_credit_valid_i(in_credit_valid), .in_credit_vc_i(in_credit_vc),
      .out_valid_i(out_valid), .out_vc_i(out_vc), .out_credit_valid_i(out_credit_valid),
      .out_credit_vc_i(out_credit_vc),
      .obs_i(obs),
      .no_vc_o(no_vc), .no_credit_o(no_credit), .lost_switch_o(lost_switch), .lost_vc_o(lost_vc),
      .passed_over_o(passed_over), .higher_o(higher), .apart_o(apart), .through_o(through)
  );

  // ---- the run ----------------------------------------------------------------------------------
  logic [63:0] random;
  logic [7:0] used, unused;  // VCs: some output has had flits of them, or none has
  int in_flits, interleaved, last_credits, filled, under_way, total_packets, steps, possible, taken;

  initial clk = 1'b0;
  always #5 clk = ~clk;

  function automatic logic [8:0] rate(input logic [1:0] choice);
    case (choice)
      2'd0: rate = 9'd256;  // whenever possible
      2'd1: rate = 9'd160;
      2'd2: rate = 9'd64;
      default: rate = 9'd32;
    endcase
  endfunction

  // Everything here changes at the falling edge, where nothing samples it.
  // Runs `total` cycles with rates that change per phase and port.
  task automatic run(input int total);
    for (int c = 0; c < total; c++) begin
      if (c % PhaseCycles == 0) begin
        for (int p = 0; p < N; p++) begin
          random = traffic_pkg::next_random(random);
          source_rate[p*9+:9] = rate(random[11:10]);
          sink_rate[p*9+:9] = rate(random[21:20] & random[31:30]);  // 9/16 at full rate
        end
      end
      @(negedge clk);
    end
  endtask

  task automatic reset;
    rst_n = 1'b0;
    @(negedge clk);
    @(negedge clk);
    rst_n = 1'b1;
  endtask

  // `under_way`: packets, flits and credits that are not yet where they end.
  task automatic sum_up;
    in_flits = 0; interleaved = 0; last_credits = 0; filled = 0; under_way = 0;
    total_packets = 0;
    for (int p = 0; p < N; p++) begin
      in_flits = in_flits + source_flits[p];
      interleaved = interleaved + source_interleaved[p];
      last_credits = last_credits + source_last_credits[p];
      filled = filled + sink_filled[p];
      under_way = under_way + source_open[p] + source_owed[p] + sink_held[p];
      for (int v = 0; v < 8; v++)
        total_packets = total_packets + int'(source_packets[(p*8+v)*32+:32]);
    end
    under_way = under_way + ((out_flits == in_flits && obs_count == '0) ? 0 : 1);
  endtask

  // Lets nothing new begin, and everything end, as fast as it can.
  task automatic drain;
    begin_packets = '0;
    source_rate = {N{9'd256}};
    sink_rate = {N{9'd256}};
    sum_up();
    for (int c = 0; c < DrainCycles && (c < 2 || under_way != 0); c++) begin
      @(negedge clk);
      sum_up();
    end
    for (int c = 0; c < LinkRegisters + 3; c++) @(negedge clk);  // the last credits
    sum_up();
  endtask

  // Through an empty router, packets of each input, one after the other.
  task automatic run_alone;
    alone = 1'b1;
    for (int k = 0; k < 2 * N; k++) begin
      drain();
      begin_packets[k%N] = 1'b1;
      @(negedge clk);
    end
    drain();
    alone = 1'b0;
  endtask

  // A count of the stimulus that must not be small.
  task automatic require(input string what, input int got, input int at_least);
    $display("  %0d %s", got, what);
    if (got < at_least) $fatal(1, "only %0d %s, expected at least %0d", got, what, at_least);
  endtask

  function automatic int out_vcs(input int port);
    if (port >= Externals)
      out_vcs = (OnePort != 0 && port < S - 1) ? MeshVcs : MostLocalVcs;
    else out_vcs = (((Torus >> (port / 2)) & 1) != 0) ? MostExternalVcs : MeshVcs;
  endfunction

  task automatic check_end;
    if (under_way != 0 || obs_routed != '0 || obs_active != '0 || obs_owned != '0)
      $fatal(1, "not empty: %0d under way, %0d flits in, %0d out, counts %h", under_way, in_flits,
             out_flits, obs_count);
    for (int k = 0; k < P; k++) begin
      if (int'(obs_credits[k*7+:7]) != ((k % 8 < out_vcs(k / 8)) ? Depth : 0))
        $fatal(1, "output %0d VC %0d: %0d credits", k / 8, k % 8, obs_credits[k*7+:7]);
    end
    if (out_packets !== source_packets) $fatal(1, "packets in are not packets out");
  endtask

  // May flits from input i leave by output o?
  function automatic logic can_turn(input int i, input int o);
    if (o >= Externals && OnePort == 0)
      can_turn = o == ((i < Externals) ? Externals + i % LocalPorts : i);
    else if (OnePort != 0 && i < Externals)
      can_turn = o / 2 >= i / 2;  // a switch passes packets on, never back
    else can_turn = 1'b1;
  endfunction

  // No flit where none may go; nearly every turn that there is was taken.
  task automatic check_turns;
    possible = 0;
    taken = 0;
    for (int o = 0; o < N; o++) begin
      for (int i = 0; i < N; i++) begin
        if (turns[i*N+o] && !can_turn(i, o)) $fatal(1, "flits from input %0d to output %0d", i, o);
        if (can_turn(i, o)) possible = possible + 1;
        if (turns[i*N+o]) taken = taken + 1;
      end
    end
    require("turns between inputs and outputs", taken, possible * 2 / 3);
    used = '0;
    for (int k = 0; k < N * 8; k++)
      used[k%8] = used[k%8] || sink_flits[k*32+:32] != 0;
    // With fixed priority one input has its way, and rarely does a packet need a channel's last VC.
    unused = 8'((1 << MostVcs) - 1) & ~used;
    if (Arbiters == 2) unused = unused & ~8'(1 << (Vcs - 1));
    if (unused != 0) $fatal(1, "VCs in use over all outputs: %b", used);
  endtask

  task automatic check_stimulus;
    steps = cycles / 8;
    require("heads alone in the router", timed, 2 * N);
    require("flits", in_flits, steps);
    require("packets", total_packets, steps / 4);
    require("front flits waited for a VC", no_vc, (MostVcs > 2) ? 0 : steps / 4);
    require("front flits waited for a credit", no_credit, (Depth > 8) ? 0 : steps / 8);
    require("front flits lost the switch", lost_switch,
            (Stages == 4 && MostVcs == 1) ? 0 : steps / 16);
    require("heads lost the VC", lost_vc, (Stages == 4) ? 8 : 0);
    require("heads passed over a free VC", passed_over,
            (Vcs > RingClasses && Depth <= 2) ? 1 : 0);
    require("heads took a higher free VC than the lowest", higher,
            (VcSelection != 0 && Vcs > RingClasses) ? steps / 32 : 0);
    if (VcSelection == 0 && higher != 0) $fatal(1, "%0d heads passed by the lowest free VC", higher);
    require("flits came as another left", through, (Depth > 1) ? steps / 8 : 0);
    require("flits between another packet's", interleaved, (MostExternalVcs > 1) ? steps / 8 : 0);
    require("flits took a sender's last credit", last_credits, (Depth > 8) ? 0 : steps / 8);
    require("flits filled a receiver's buffer", filled, (Depth > 8) ? 0 : steps / 32);
    for (int c = 0; c < RingClasses; c++)
      require("heads of a class", int'(classes[c*32+:32]),
              (Torus != 0 && RingClasses > 1) ? 2 : 0);
    if (ControlVc != 0) begin
      require("packets for control", control, steps / 16);
      require("heads of them passed data packets that had all VCs", apart, steps / 32);
      for (int c = 0; c < RingClasses; c++)
        require("heads of them of a class", int'(control_classes[c*32+:32]),
                (Torus != 0 && RingClasses > 1) ? 1 : 0);
    end
    $display("  %0d heads half way round", ties);
    check_turns();
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 64'd1;
    if (!$value$plusargs("cycles=%d", cycles)) cycles = 400;
    address = traffic_pkg::address_of(seed, 3'(Torus));
    last = traffic_pkg::last_of(seed, 3'(Torus));
    $display("%s, n %0d L %0d V %0d VL %0d, control VCs %0d",
             (OnePort != 0) ? "one-port" : "all-port", Dims, LocalPorts, Vcs, LocalVcs, ControlVc);
    $display("D %0d P %0d R %0d, arbiters %0d, routing %0d, VC selection %0d", Depth, Stages,
             LinkRegisters, Arbiters, Routing, VcSelection);
    $display("torus %b, %0d classes", 3'(Torus), RingClasses);
    $display("seed %0d, %0d cycles, at %h of %h", seed, cycles, address, last);
    random = traffic_pkg::hash(seed) | 64'd1;
    alone = 1'b0;
    begin_packets = '1;
    source_rate = '0;
    sink_rate = '0;
    reset();
    run(150);
    reset();  // in the midst of traffic: every register must go back
    run_alone();
    begin_packets = '1;
    run(cycles);
    drain();
    check_end();
    check_stimulus();
    $display("PASS");
    $finish;
  end

endmodule
