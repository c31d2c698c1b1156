// The allocators, against the text's rules and orders of candidates kept as lists, under random sets
// of requests (docs/internals/microarchitecture.md, section 5.3).
//
// State space: the orders of all arbiters, and the diagonal. Parameter space: numbers of VCs that
// differ along a ring, between routers and at other ports; the codes; the rounds. Counted: inputs
// that request, and win or lose; grants of each output; grants of later rounds; offers that are not
// taken; grants on later diagonals; cycles that begin with each diagonal; cycles in which every output
// is granted.
module allocator_tb #(
    parameter int Ports = 4,
    parameter int Externals = 3,
    parameter int Rings = 0,
    parameter int Vcs = 2,
    parameter int RingVcs = Vcs,
    parameter int OtherVcs = 1,
    // The codes: of the allocator, 0 input-first, 1 output-first, 2 wavefront; of its arbiters,
    // 0 round-robin, 1 matrix, 2 fixed priority.
    parameter int Allocator = 0,
    parameter int Iterations = 1,
    parameter int Arbiters = 0,
    localparam int IndexBits = $clog2(Ports)
);

  localparam int Cycles = 1000;
  localparam int Least = 20;  // of anything that is counted
  localparam int Out = Ports * 12;  // where the orders of the outputs begin

  logic clk;
  logic rst_n;
  logic [Ports*8-1:0] request;
  logic [Ports*8*IndexBits-1:0] port;
  logic [Ports*3-1:0] nominee, in_pointer;
  logic [Ports-1:0] granted, grant_valid;
  logic [Ports*IndexBits-1:0] grant_in, out_pointer;
  logic [63:0] random;
  int order[0:2*Ports*12-1];  // 12 places for each arbiter, those of the inputs first
  int size[0:2*Ports-1];
  int want_vc[0:Ports-1];      // per input, the VC that is granted; -1: none
  int want_winner[0:Ports-1];  // per output, the input
  logic is_late[0:Ports-1];    // per output: not in the first round
  int diagonal;
  int wins[0:Ports-1];
  int losses[0:Ports-1];
  int grants[0:Ports-1];
  int starts[0:Ports-1];  // cycles by the first diagonal
  int full, late, untaken, behind;
  // What a round begins with, and what it picks: VCs of inputs, inputs of outputs.
  logic [Ports-1:0] in_open, out_open;
  int in_pick[0:Ports-1];
  int out_pick[0:Ports-1];

  allocator #(
      .Allocator(Allocator),
      .Iterations(Iterations),
      .Ports(Ports),
      .Externals(Externals),
      .Rings(Rings),
      .Vcs(Vcs),
      .RingVcs(RingVcs),
      .OtherVcs(OtherVcs),
      .Arbiters(Arbiters)
  ) dut (
      .clk_i(clk), .rst_ni(rst_n), .request_i(request), .port_i(port), .nominee_o(nominee),
      .granted_o(granted), .grant_valid_o(grant_valid), .grant_in_o(grant_in),
      .in_pointer_o(in_pointer), .out_pointer_o(out_pointer)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  // The final pick of `candidate` by an arbiter: behind all others, alone (matrix) or with all
  // before it; with fixed priority it stays.
  task automatic make_final(input int arbiter, input int candidate);
    int at, held, moves;
    at = 0;
    while (order[arbiter*12+at] != candidate) at = at + 1;
    moves = (Arbiters == 2) ? 0 : (Arbiters == 1) ? 1 : at + 1;
    for (int k = 0; k < moves; k++) begin
      if (Arbiters != 1) at = 0;
      held = order[arbiter*12+at];
      for (int j = at; j < size[arbiter] - 1; j++) order[arbiter*12+j] = order[arbiter*12+j+1];
      order[arbiter*12+size[arbiter]-1] = held;
    end
  endtask

  // In some cycles nothing is requested.
  task automatic draw_requests;
    logic quiet;
    random = traffic_pkg::next_random(random);
    quiet = random[12:10] == 3'd0;
    for (int i = 0; i < Ports; i++) begin
      for (int v = 0; v < 8; v++) begin
        random = traffic_pkg::next_random(random);
        request[i*8+v] = v < size[i] && random[9:8] != 2'd0 && !quiet;
        port[(i*8+v)*IndexBits+:IndexBits] = IndexBits'(32'(random[31:16]) % Ports);
      end
    end
  endtask

  // The first candidate in the order of an arbiter that is in the set, -1 if there is none.
  function automatic int first_of(input int arbiter, input logic [15:0] set);
    first_of = -1;
    for (int k = size[arbiter] - 1; k >= 0 && set != 0; k--)
      if (set[order[arbiter*12+k]]) first_of = order[arbiter*12+k];
  endfunction

  function automatic int port_of(input int i, input int v);
    port_of = int'(port[(i*8+v)*IndexBits+:IndexBits]);
  endfunction

  // The VCs of an input that request an output.
  function automatic logic [15:0] vcs_for(input int i, input int o);
    vcs_for = '0;
    for (int v = 0; v < 8; v++) vcs_for[v] = request[i*8+v] && port_of(i, v) == o;
  endfunction

  task automatic predict_input_first;
    logic [15:0] set;
    for (int i = 0; i < Ports; i++) begin
      set = '0;
      for (int o = 0; o < Ports; o++) if (out_open[o]) set = set | vcs_for(i, o);
      in_pick[i] = in_open[i] ? first_of(i, set) : -1;
    end
    for (int o = 0; o < Ports; o++) begin
      set = '0;
      for (int i = 0; i < Ports; i++)
        set[i] = in_pick[i] >= 0 && port_of(i, (in_pick[i] < 0) ? 0 : in_pick[i]) == o;
      out_pick[o] = first_of(Ports + o, set);
      if (out_pick[o] >= 0) want_winner[o] = out_pick[o];
      if (out_pick[o] >= 0) want_vc[out_pick[o]] = in_pick[out_pick[o]];
    end
  endtask

  task automatic predict_output_first;
    logic [15:0] set;
    for (int o = 0; o < Ports; o++) begin
      set = '0;
      for (int i = 0; i < Ports; i++) set[i] = in_open[i] && out_open[o] && vcs_for(i, o) != 0;
      out_pick[o] = first_of(Ports + o, set);
    end
    for (int i = 0; i < Ports; i++) begin
      set = '0;
      for (int o = 0; o < Ports; o++) if (out_pick[o] == i) set = set | vcs_for(i, o);
      in_pick[i] = first_of(i, set);
      if (in_pick[i] >= 0) want_vc[i] = in_pick[i];
      if (in_pick[i] >= 0) want_winner[port_of(i, in_pick[i])] = i;
    end
    for (int o = 0; o < Ports; o++)
      if (out_pick[o] >= 0 && want_winner[o] < 0) untaken = untaken + 1;
  endtask

  task automatic predict_wavefront;
    for (int k = 0; k < Ports; k++) begin
      for (int i = 0; i < Ports; i++) begin
        for (int o = 0; o < Ports; o++) begin
          if ((i + o) % Ports == (diagonal + k) % Ports && want_vc[i] < 0 && want_winner[o] < 0
              && vcs_for(i, o) != 0) begin
            want_vc[i] = first_of(i, vcs_for(i, o));
            want_winner[o] = i;
            if (k > 0) behind = behind + 1;
          end
        end
      end
    end
  endtask

  task automatic predict;
    for (int p = 0; p < Ports; p++) begin
      want_vc[p] = -1;
      want_winner[p] = -1;
      is_late[p] = 1'b0;
    end
    for (int r = 0; r < Iterations; r++) begin
      for (int p = 0; p < Ports; p++) begin
        in_open[p] = want_vc[p] < 0;
        out_open[p] = want_winner[p] < 0;
      end
      case (Allocator)
        0: predict_input_first();
        1: predict_output_first();
        default: predict_wavefront();
      endcase
      for (int o = 0; o < Ports; o++)
        is_late[o] = is_late[o] || (r > 0 && out_open[o] && want_winner[o] >= 0);
    end
  endtask

  task automatic compare(input int cycle);
    int pointer;
    for (int p = 0; p < Ports; p++) begin
      pointer = (Allocator == 2) ? diagonal : order[Out+p*12];
      if (int'(in_pointer[p*3+:3]) !== order[p*12]
          || int'(out_pointer[p*IndexBits+:IndexBits]) !== pointer)
        $fatal(1, "cycle %0d, port %0d: pointers %0d, %0d, expected %0d, %0d", cycle, p,
               in_pointer[p*3+:3], out_pointer[p*IndexBits+:IndexBits], order[p*12], pointer);
      if (granted[p] !== (want_vc[p] >= 0)
          || (want_vc[p] >= 0 && int'(nominee[p*3+:3]) !== want_vc[p]))
        $fatal(1, "cycle %0d: input %0d is granted (%b) VC %0d, expected %0d", cycle, p, granted[p],
               nominee[p*3+:3], want_vc[p]);
      if (grant_valid[p] !== (want_winner[p] >= 0)
          || (want_winner[p] >= 0 && int'(grant_in[p*IndexBits+:IndexBits]) !== want_winner[p]))
        $fatal(1, "cycle %0d: output %0d is granted (%b) to %0d, expected %0d", cycle, p,
               grant_valid[p], grant_in[p*IndexBits+:IndexBits], want_winner[p]);
    end
  endtask

  task automatic finish_cycle;
    starts[diagonal] = starts[diagonal] + 1;
    for (int o = 0; o < Ports; o++) begin
      if (want_winner[o] >= 0) begin
        grants[o] = grants[o] + 1;
        if (is_late[o]) late = late + 1;
        else begin
          make_final(Ports + o, want_winner[o]);
          make_final(want_winner[o], want_vc[want_winner[o]]);
        end
      end
    end
    for (int i = 0; i < Ports; i++) begin
      if (want_vc[i] >= 0) wins[i] = wins[i] + 1;
      else if (request[i*8+:8] != 0) losses[i] = losses[i] + 1;
    end
    if (Allocator == 2 && grant_valid != '0) diagonal = (diagonal + 1) % Ports;
    if (grant_valid === {Ports{1'b1}}) full = full + 1;
  endtask

  initial begin
    for (int p = 0; p < Ports; p++) begin
      size[p] = (p >= Externals) ? OtherVcs : (((Rings >> (p / 2)) & 1) != 0) ? RingVcs : Vcs;
      size[Ports+p] = Ports;
      wins[p] = 0;
      losses[p] = 0;
      grants[p] = 0;
      starts[p] = 0;
      for (int k = 0; k < 12; k++) begin
        order[p*12+k] = k;
        order[Out+p*12+k] = k;
      end
    end
    full = 0;
    late = 0;
    untaken = 0;
    behind = 0;
    diagonal = 0;
    random = 64'd88172645463325252;
    request = '0;
    port = '0;
    rst_n = 1'b0;
    @(negedge clk);
    @(negedge clk);
    rst_n = 1'b1;
    for (int c = 0; c < Cycles; c++) begin
      draw_requests();
      #1;
      predict();
      compare(c);
      finish_cycle();
      @(negedge clk);
    end
    for (int p = 0; p < Ports; p++) begin
      // With fixed priority no input goes before input 0, but in a wavefront.
      if (wins[p] < Least || (losses[p] < Least / 4 && (Arbiters != 2 || Allocator == 2 || p > 0))
          || grants[p] < Least)
        $fatal(1, "port %0d: %0d won, %0d lost, %0d granted", p, wins[p], losses[p], grants[p]);
    end
    for (int p = 0; p < Ports; p++) begin
      if (Allocator == 2 && starts[p] < Least)
        $fatal(1, "only %0d cycles begin with diagonal %0d", starts[p], p);
    end
    if (full < Least / 5) $fatal(1, "only %0d cycles with every output granted", full);
    if (Iterations > 1 && late < Least) $fatal(1, "only %0d grants of later rounds", late);
    if (Allocator == 1 && untaken < Least) $fatal(1, "only %0d offers that were not taken", untaken);
    if (Allocator == 2 && behind < Least) $fatal(1, "only %0d grants on later diagonals", behind);
    $display("allocator %0d, rounds %0d: %0d ports, arbiters %0d, %0d cycles\nPASS", Allocator,
             Iterations, Ports, Arbiters, Cycles);
    $finish;
  end

endmodule
