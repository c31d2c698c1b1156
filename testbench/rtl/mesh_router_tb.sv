// Random traffic through one router, every input at once, with random stalls at every output.
//
// Rationale: the lockstep test compares the router with the model, so an error of their common text
// stays unseen there. Here the scoreboard knows only what a network must do (each flit once, in
// order, at the right port), and router_rules the text. Plusargs: +seed=<n> +cycles=<n>. The last
// line is PASS and what the stimulus did, or the simulation ends with $fatal.
module mesh_router_tb #(
    parameter int LocalPorts = 4,
    parameter int Vcs = 1,
    parameter int LocalVcs = 1,
    parameter int Depth = 4
);

  localparam int N = 4 + LocalPorts;
  localparam int P = N * 8;
  localparam int PhaseCycles = 64;    // rates change this often
  localparam int DrainCycles = 8000;  // more than any backlog needs

  logic clk;
  logic rst_n;
  logic [63:0] seed;
  int cycles;

  // ---- channels ---------------------------------------------------------------------------------
  logic [N-1:0] in_valid, in_head, in_tail, in_credit_valid;
  logic [N*3-1:0] in_vc, in_credit_vc;
  logic [N*64-1:0] in_data;
  logic [N-1:0] out_valid, out_head, out_tail, out_credit_valid;
  logic [N*3-1:0] out_vc, out_credit_vc;
  logic [N*64-1:0] out_data;

  logic [P*7-1:0] obs_count, obs_credits;
  logic [P-1:0] obs_front_head, obs_front_tail, obs_active, obs_owned;
  logic [P*64-1:0] obs_front_data;
  logic [P*4-1:0] obs_out_port;
  logic [P*3-1:0] obs_out_vc;
  logic [N*3-1:0] obs_in_pointer, obs_grant_vc;
  logic [N*4-1:0] obs_out_pointer, obs_grant_in;
  logic [N-1:0] obs_grant_valid;

  mesh_router #(
      .LocalPorts(LocalPorts),
      .Vcs(Vcs),
      .LocalVcs(LocalVcs),
      .Depth(Depth)
  ) dut (
      .clk_i(clk), .rst_ni(rst_n), .x_i(traffic_pkg::RouterX), .y_i(traffic_pkg::RouterY),
      .in_valid_i(in_valid), .in_vc_i(in_vc), .in_head_i(in_head), .in_tail_i(in_tail),
      .in_data_i(in_data), .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc),
      .out_valid_o(out_valid), .out_vc_o(out_vc), .out_head_o(out_head), .out_tail_o(out_tail),
      .out_data_o(out_data), .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(out_credit_vc),
      .obs_count_o(obs_count), .obs_front_head_o(obs_front_head),
      .obs_front_tail_o(obs_front_tail), .obs_front_data_o(obs_front_data),
      .obs_active_o(obs_active), .obs_out_port_o(obs_out_port), .obs_out_vc_o(obs_out_vc),
      .obs_credits_o(obs_credits), .obs_owned_o(obs_owned), .obs_in_pointer_o(obs_in_pointer),
      .obs_out_pointer_o(obs_out_pointer), .obs_grant_valid_o(obs_grant_valid),
      .obs_grant_in_o(obs_grant_in), .obs_grant_vc_o(obs_grant_vc)
  );

  // ---- stimulus ---------------------------------------------------------------------------------
  logic begin_packets;
  logic [N*9-1:0] source_rate, sink_rate;
  int source_flits[0:N-1];
  int source_open[0:N-1];
  int source_interleaved[0:N-1];
  int source_last_credits[0:N-1];
  logic [N*8*32-1:0] source_packets;
  int sink_held[0:N-1];
  int sink_filled[0:N-1];
  logic [N*8*32-1:0] sink_flits;

  generate
    for (genvar p = 0; p < N; p++) begin
      traffic_source #(
          .Port(p),
          .Vcs((p < 4) ? Vcs : LocalVcs),
          .Depth(Depth)
      ) source (
          .clk_i(clk), .rst_ni(rst_n), .seed_i(seed), .begin_i(begin_packets),
          .rate_i(source_rate[p*9+:9]),
          .valid_o(in_valid[p]), .vc_o(in_vc[p*3+:3]), .head_o(in_head[p]), .tail_o(in_tail[p]),
          .data_o(in_data[p*64+:64]), .credit_valid_i(in_credit_valid[p]),
          .credit_vc_i(in_credit_vc[p*3+:3]),
          .flits_o(source_flits[p]), .packets_o(source_packets[p*256+:256]),
          .open_o(source_open[p]), .interleaved_o(source_interleaved[p]),
          .last_credits_o(source_last_credits[p])
      );

      traffic_sink #(
          .Port(p),
          .Vcs((p < 4) ? Vcs : LocalVcs),
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
  int out_flits;
  logic [N*8*32-1:0] out_packets;
  logic [N*N-1:0] turns;
  int no_vc, no_credit, lost_switch, passed_over, through;

  router_scoreboard #(
      .LocalPorts(LocalPorts),
      .Vcs(Vcs),
      .LocalVcs(LocalVcs)
  ) scoreboard (
      .clk_i(clk), .rst_ni(rst_n), .seed_i(seed), .out_valid_i(out_valid), .out_vc_i(out_vc),
      .out_head_i(out_head), .out_tail_i(out_tail), .out_data_i(out_data),
      .in_credit_valid_i(in_credit_valid), .in_credit_vc_i(in_credit_vc),
      .flits_o(out_flits), .packets_o(out_packets), .turns_o(turns)
  );

  router_rules #(
      .LocalPorts(LocalPorts),
      .Vcs(Vcs),
      .LocalVcs(LocalVcs),
      .Depth(Depth)
  ) rules (
      .clk_i(clk), .rst_ni(rst_n), .in_valid_i(in_valid), .in_vc_i(in_vc),
      .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(out_credit_vc), .out_vc_i(out_vc),
      .obs_count_i(obs_count), .obs_front_head_i(obs_front_head),
      .obs_front_tail_i(obs_front_tail), .obs_front_data_i(obs_front_data),
      .obs_active_i(obs_active), .obs_out_port_i(obs_out_port), .obs_out_vc_i(obs_out_vc),
      .obs_credits_i(obs_credits), .obs_owned_i(obs_owned), .obs_in_pointer_i(obs_in_pointer),
      .obs_out_pointer_i(obs_out_pointer), .obs_grant_valid_i(obs_grant_valid),
      .obs_grant_in_i(obs_grant_in), .obs_grant_vc_i(obs_grant_vc),
      .no_vc_o(no_vc), .no_credit_o(no_credit), .lost_switch_o(lost_switch),
      .passed_over_o(passed_over), .through_o(through)
  );

  // ---- the run ----------------------------------------------------------------------------------
  logic [63:0] random;
  logic [7:0] used;  // VCs, at any output
  int in_flits, interleaved, last_credits, filled, open, held, total_packets;

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

  task automatic sum_up;
    in_flits = 0; interleaved = 0; last_credits = 0; filled = 0; open = 0; held = 0;
    total_packets = 0;
    for (int p = 0; p < N; p++) begin
      in_flits = in_flits + source_flits[p];
      interleaved = interleaved + source_interleaved[p];
      last_credits = last_credits + source_last_credits[p];
      filled = filled + sink_filled[p];
      open = open + source_open[p];
      held = held + sink_held[p];
      for (int v = 0; v < 8; v++)
        total_packets = total_packets + int'(source_packets[(p*8+v)*32+:32]);
    end
  endtask

  // A count of the stimulus that must not be small.
  task automatic require(input string what, input int got, input int at_least);
    $display("  %0d %s", got, what);
    if (got < at_least) $fatal(1, "only %0d %s, expected at least %0d", got, what, at_least);
  endtask

  task automatic check_end;
    if (open != 0 || held != 0 || obs_count != '0 || obs_active != '0 || obs_owned != '0)
      $fatal(1, "not empty: %0d packets under way, %0d flits held, counts %h", open, held,
             obs_count);
    for (int k = 0; k < P; k++) begin
      if (int'(obs_credits[k*7+:7]) != ((k % 8 < ((k < 32) ? Vcs : LocalVcs)) ? Depth : 0))
        $fatal(1, "output %0d VC %0d: %0d credits", k / 8, k % 8, obs_credits[k*7+:7]);
    end
    if (out_flits != in_flits || out_packets !== source_packets)
      $fatal(1, "%0d flits in, %0d out", in_flits, out_flits);
  endtask

  task automatic check_stimulus;
    require("flits", in_flits, cycles / 2);
    require("packets", total_packets, cycles / 8);
    require("front flits waited for a VC", no_vc, (Vcs > 2 && LocalVcs > 2) ? 0 : cycles / 4);
    require("front flits waited for a credit", no_credit, cycles / 16);
    require("front flits lost the switch", lost_switch, cycles / 32);
    require("heads passed over a free VC", passed_over, (Vcs > 1 && Depth <= 2) ? 1 : 0);
    require("flits came as another left", through, (Depth > 1) ? cycles / 16 : 0);
    require("flits between another packet's", interleaved, (Vcs > 1) ? cycles / 16 : 0);
    require("flits took a sender's last credit", last_credits, cycles / 16);
    require("flits filled a receiver's buffer", filled, cycles / 64);
    used = '0;
    for (int o = 0; o < N; o++) begin
      if (sink_flits[o*256+:32] == 0) $fatal(1, "output %0d VC 0 never used", o);
      for (int v = 0; v < 8; v++) used[v] = used[v] || sink_flits[(o*8+v)*32+:32] != 0;
      // Which inputs reach a local output is fixed; each of the others is reached from everywhere.
      for (int i = 0; i < N; i++) begin
        if (turns[i*N+o] != (o < 4 || o == ((i < 4) ? 4 + i % LocalPorts : i)))
          $fatal(1, "flits from input %0d to output %0d: %b", i, o, turns[i*N+o]);
      end
    end
    if (used != 8'((1 << ((Vcs > LocalVcs) ? Vcs : LocalVcs)) - 1))
      $fatal(1, "VCs in use over all outputs: %b", used);
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 64'd1;
    if (!$value$plusargs("cycles=%d", cycles)) cycles = 2000;
    $display("mesh_router: L %0d V %0d VL %0d D %0d, seed %0d, %0d cycles", LocalPorts, Vcs,
             LocalVcs, Depth, seed, cycles);
    random = traffic_pkg::hash(seed) | 64'd1;
    begin_packets = 1'b1;
    source_rate = '0;
    sink_rate = '0;
    reset();
    run(150);
    reset();  // in the midst of traffic: every register must go back
    run(cycles);

    begin_packets = 1'b0;
    source_rate = {N{9'd256}};
    sink_rate = {N{9'd256}};
    sum_up();
    for (int c = 0; c < DrainCycles && (c < 2 || open != 0 || obs_count != '0 || held != 0); c++)
    begin
      @(negedge clk);
      sum_up();
    end
    for (int c = 0; c < 4; c++) @(negedge clk);  // the last credits
    sum_up();
    check_end();
    check_stimulus();
    $display("PASS");
    $finish;
  end

endmodule
