// The allocators, against the text's two stages and orders of candidates kept as lists, under random
// sets of requests (docs/internals/microarchitecture.md, section 5.3).
//
// State space: the orders of all arbiters. Parameter space: numbers of VCs that differ along a ring,
// between routers and at other ports; the codes. Counted: nominees of each input that win and that
// lose, grants of each output, and cycles in which every output is granted.
module allocator_tb #(
    parameter int Ports = 4,
    parameter int Externals = 3,
    parameter int Rings = 0,
    parameter int Vcs = 2,
    parameter int RingVcs = Vcs,
    parameter int OtherVcs = 1,
    // The codes: of the allocator, 0 separable; of its arbiters, 0 round-robin, 1 matrix,
    // 2 fixed priority.
    parameter int Allocator = 0,
    parameter int Arbiters = 0,
    localparam int IndexBits = $clog2(Ports)
);

  localparam int Cycles = 5000;
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
  int want_nominee[0:Ports-1];  // -1: none
  int want_winner[0:Ports-1];
  int wins[0:Ports-1];
  int losses[0:Ports-1];
  int grants[0:Ports-1];
  int full, target;

  allocator #(
      .Allocator(Allocator),
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

  task automatic draw_requests;
    for (int i = 0; i < Ports; i++) begin
      for (int v = 0; v < 8; v++) begin
        random = traffic_pkg::next_random(random);
        request[i*8+v] = v < size[i] && random[9:8] != 2'd0;
        port[(i*8+v)*IndexBits+:IndexBits] = IndexBits'(32'(random[31:16]) % Ports);
      end
    end
  endtask

  task automatic predict;
    for (int i = 0; i < Ports; i++) begin
      want_nominee[i] = -1;
      for (int k = size[i] - 1; k >= 0; k--)
        if (request[i*8+order[i*12+k]]) want_nominee[i] = order[i*12+k];
    end
    for (int o = 0; o < Ports; o++) begin
      want_winner[o] = -1;
      for (int k = Ports - 1; k >= 0; k--) begin
        target = order[Out+o*12+k];
        if (want_nominee[target] >= 0
            && 32'(port[(target*8+want_nominee[target])*IndexBits+:IndexBits]) == o)
          want_winner[o] = target;
      end
    end
  endtask

  task automatic compare(input int cycle);
    for (int p = 0; p < Ports; p++) begin
      if (int'(in_pointer[p*3+:3]) !== order[p*12]
          || int'(out_pointer[p*IndexBits+:IndexBits]) !== order[Out+p*12])
        $fatal(1, "cycle %0d, port %0d: pointers %0d, %0d, expected %0d, %0d", cycle, p,
               in_pointer[p*3+:3], out_pointer[p*IndexBits+:IndexBits], order[p*12],
               order[Out+p*12]);
      if (int'(nominee[p*3+:3]) !== ((want_nominee[p] < 0) ? 0 : want_nominee[p]))
        $fatal(1, "cycle %0d: input %0d nominates %0d, expected %0d", cycle, p, nominee[p*3+:3],
               want_nominee[p]);
      if (grant_valid[p] !== (want_winner[p] >= 0)
          || int'(grant_in[p*IndexBits+:IndexBits])
             !== ((want_winner[p] < 0) ? 0 : want_winner[p]))
        $fatal(1, "cycle %0d: output %0d is granted (%b) to %0d, expected %0d", cycle, p,
               grant_valid[p], grant_in[p*IndexBits+:IndexBits], want_winner[p]);
    end
  endtask

  task automatic finish_cycle;
    logic [Ports-1:0] won;
    won = '0;
    for (int o = 0; o < Ports; o++) begin
      if (want_winner[o] >= 0) begin
        won[want_winner[o]] = 1'b1;
        grants[o] = grants[o] + 1;
        make_final(Ports + o, want_winner[o]);
        make_final(want_winner[o], want_nominee[want_winner[o]]);
      end
    end
    if (granted !== won) $fatal(1, "granted %b, expected %b", granted, won);
    for (int i = 0; i < Ports; i++) begin
      if (won[i]) wins[i] = wins[i] + 1;
      else if (want_nominee[i] >= 0) losses[i] = losses[i] + 1;
    end
    if (grant_valid === {Ports{1'b1}}) full = full + 1;
  endtask

  initial begin
    for (int p = 0; p < Ports; p++) begin
      size[p] = (p >= Externals) ? OtherVcs : (((Rings >> (p / 2)) & 1) != 0) ? RingVcs : Vcs;
      size[Ports+p] = Ports;
      wins[p] = 0;
      losses[p] = 0;
      grants[p] = 0;
      for (int k = 0; k < 12; k++) begin
        order[p*12+k] = k;
        order[Out+p*12+k] = k;
      end
    end
    full = 0;
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
      // With fixed priority the nominee of input 0 never loses.
      if (wins[p] < 100 || (losses[p] < 100 && (Arbiters != 2 || p > 0)) || grants[p] < 100)
        $fatal(1, "port %0d: %0d won, %0d lost, %0d granted", p, wins[p], losses[p], grants[p]);
    end
    if (full < 20) $fatal(1, "only %0d cycles with every output granted", full);
    $display("allocator %0d: %0d ports, arbiters %0d, %0d cycles\nPASS", Allocator, Ports, Arbiters,
             Cycles);
    $finish;
  end

endmodule
