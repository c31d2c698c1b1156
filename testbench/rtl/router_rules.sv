// Every rule of docs/internals/microarchitecture.md, section 5, checked in every cycle on what an observer of
// the router sees (section 8): which grants the registers must lead to, which registers the grants
// and arrivals must lead to, and when flits and credits must be on the channels. The router's
// structure plays no part here; the steps are those of the text, in its order. Contents of the
// FIFOs are the scoreboard's business.
module router_rules #(
    /// The router's parameters.
    parameter int OnePort = 0,
    `include "router_parameters.svh"
    ,
    /// Derived: ports that lead out, ports of the switches, VC places.
    localparam int Pins = 2 * Dims + LocalPorts,
    localparam int N = (OnePort != 0) ? 3 * Dims : Pins,
    localparam int P = N * 8
) (
    /// Clock, and synchronous reset.
    input logic clk_i,
    input logic rst_ni,
    /// Coordinates of the router, greatest ones of the network.
    input logic [23:0] address_i,
    input logic [23:0] last_i,
    /// The channels, except for what the flits carry.
    input logic [Pins-1:0] in_valid_i,
    input logic [Pins*3-1:0] in_vc_i,
    input logic [Pins-1:0] in_credit_valid_i,
    input logic [Pins*3-1:0] in_credit_vc_i,
    input logic [Pins-1:0] out_valid_i,
    input logic [Pins*3-1:0] out_vc_i,
    input logic [Pins-1:0] out_credit_valid_i,
    input logic [Pins*3-1:0] out_credit_vc_i,
    /// The router's observation output.
    input logic [N*noc_pkg::ObsBits-1:0] obs_i,
    /// Since reset: blocked front flits by cause (of those that requested: the switch, or a VC),
    /// heads that passed over a free VC without a credit, heads that took another VC than the lowest
    /// that was free, heads of control packets that found a VC
    /// where data packets had all of theirs, and flits that entered a FIFO in the cycle in which
    /// another left it.
    output int no_vc_o,
    output int no_credit_o,
    output int lost_switch_o,
    output int lost_vc_o,
    output int passed_over_o,
    output int higher_o,
    output int apart_o,
    output int through_o
);

  localparam int Externals = 2 * Dims;
  localparam int RingClasses = (Vcs >= TorusClasses) ? TorusClasses : 1;
  localparam int MostExternalVcs
      = Vcs + traffic_pkg::control_vcs(ControlVc, Torus != 0, Vcs, TorusClasses);
  localparam int MostLocalVcs = LocalVcs + ((ControlVc != 0) ? 1 : 0);
  localparam int MostVcs = (MostExternalVcs > MostLocalVcs) ? MostExternalVcs : MostLocalVcs;
  localparam int Sa = 0;  // the two allocations: of the switch, and of VCs
  localparam int Va = 1;

  // What the router shows, field by field, port-major.
  logic [P*7-1:0] obs_count;
  logic [P-1:0] obs_front_head;
  logic [P-1:0] obs_front_tail;
  logic [P*64-1:0] obs_front_data;
  logic [P-1:0] obs_routed;
  logic [P-1:0] obs_active;
  logic [P*4-1:0] obs_out_port;
  logic [P*3-1:0] obs_out_vc;
  logic [P*7-1:0] obs_credits;
  logic [P-1:0] obs_owned;
  logic [N*3-1:0] obs_in_pointer;
  logic [N*4-1:0] obs_out_pointer;
  logic [N*3-1:0] obs_va_in_pointer;
  logic [N*4-1:0] obs_va_out_pointer;
  logic [N-1:0] obs_grant_valid;
  logic [N*4-1:0] obs_grant_in;
  logic [N*3-1:0] obs_grant_vc;
  logic [N*3-1:0] obs_grant_out_vc;
  logic [N-1:0] obs_va_grant_valid;
  logic [N*4-1:0] obs_va_grant_in;
  logic [N*3-1:0] obs_va_grant_vc;
  logic [N*3-1:0] obs_va_grant_out_vc;
  generate
    for (genvar p = 0; p < N; p++) begin : g_port
      logic [noc_pkg::ObsBits-1:0] seen;
      assign seen = obs_i[p*noc_pkg::ObsBits+:noc_pkg::ObsBits];
      assign obs_count[p*56+:56] = seen[noc_pkg::ObsCountLsb+:56];
      assign obs_routed[p*8+:8] = seen[noc_pkg::ObsRoutedLsb+:8];
      assign obs_active[p*8+:8] = seen[noc_pkg::ObsActiveLsb+:8];
      assign obs_out_port[p*32+:32] = seen[noc_pkg::ObsOutPortLsb+:32];
      assign obs_out_vc[p*24+:24] = seen[noc_pkg::ObsOutVcLsb+:24];
      assign obs_credits[p*56+:56] = seen[noc_pkg::ObsCreditsLsb+:56];
      assign obs_owned[p*8+:8] = seen[noc_pkg::ObsOwnedLsb+:8];
      assign obs_in_pointer[p*3+:3] = seen[noc_pkg::ObsInPointerLsb+:3];
      assign obs_out_pointer[p*4+:4] = seen[noc_pkg::ObsOutPointerLsb+:4];
      assign obs_va_in_pointer[p*3+:3] = seen[noc_pkg::ObsVaInPointerLsb+:3];
      assign obs_va_out_pointer[p*4+:4] = seen[noc_pkg::ObsVaOutPointerLsb+:4];
      assign obs_grant_valid[p] = seen[noc_pkg::ObsGrantValidLsb];
      assign obs_grant_in[p*4+:4] = seen[noc_pkg::ObsGrantInLsb+:4];
      assign obs_grant_vc[p*3+:3] = seen[noc_pkg::ObsGrantVcLsb+:3];
      assign obs_grant_out_vc[p*3+:3] = seen[noc_pkg::ObsGrantOutVcLsb+:3];
      assign obs_va_grant_valid[p] = seen[noc_pkg::ObsVaGrantValidLsb];
      assign obs_va_grant_in[p*4+:4] = seen[noc_pkg::ObsVaGrantInLsb+:4];
      assign obs_va_grant_vc[p*3+:3] = seen[noc_pkg::ObsVaGrantVcLsb+:3];
      assign obs_va_grant_out_vc[p*3+:3] = seen[noc_pkg::ObsVaGrantOutVcLsb+:3];
      for (genvar v = 0; v < 8; v++) begin : g_front
        assign {obs_front_head[p*8+v], obs_front_tail[p*8+v], obs_front_data[(p*8+v)*64+:64]}
            = seen[noc_pkg::ObsFrontLsb+v*66+:66];
      end
    end
  endgenerate

  // The registers, as they must be in this cycle.
  int count[0:P-1];
  logic routed[0:P-1];
  int out_class[0:P-1];
  logic active[0:P-1];
  int out_port[0:P-1];
  int out_vc[0:P-1];
  int credits[0:P-1];
  logic owned[0:P-1];
  int vc_pointer[0:N*4-1];  // per output port and class
  // The orders of the arbiters, candidate by candidate. Arbiter (allocation, side, port) is number
  // (allocation*2 + side)*N + port, side 0 for the input stage, and has 12 places.
  int order[0:4*N*12-1];
  // Flits sent to outputs, and credits sent by inputs, `age` cycles ago: VC or -1, at age*N + port.
  int flit_sent[0:6*N-1];
  int credit_sent[0:6*N-1];
  logic known;  // reset has been seen

  // What is known of this cycle.
  logic request[0:2*P-1];  // per allocation and input VC
  int target_port[0:P-1];
  int target_vc[0:P-1];
  logic routing[0:P-1];
  int route_class[0:P-1];
  logic passes_lower[0:P-1];  // its free VC is not the lowest that is free
  int nominee[0:2*N-1];    // per allocation and input port, its VC or -1
  int winner[0:2*N-1];     // per allocation and output port, the input port or -1
  int place, target, free, first, next, start, direction, got_vc;
  logic unowned;

  initial known = 1'b0;

  // ---- the router's shape ----------------------------------------------------------------------
  // VCs for data of an input, an output; those for control packets behind them are as many at both.
  function automatic int in_data_vcs(input int port);
    in_data_vcs = (port < Externals || (OnePort != 0 && port > Externals)) ? Vcs : LocalVcs;
  endfunction

  function automatic int out_data_vcs(input int port);
    out_data_vcs = (port < Externals || (OnePort != 0 && port < N - 1)) ? Vcs : LocalVcs;
  endfunction

  function automatic logic is_ring(input int port);
    is_ring = port < Externals && ((Torus >> (port / 2)) & 1) != 0;
  endfunction

  function automatic int in_vcs(input int port);
    in_vcs = in_data_vcs(port)
        + traffic_pkg::control_vcs(ControlVc, is_ring(port), Vcs, TorusClasses);
  endfunction

  function automatic int out_vcs(input int port);
    out_vcs = out_data_vcs(port)
        + traffic_pkg::control_vcs(ControlVc, is_ring(port), Vcs, TorusClasses);
  endfunction

  function automatic int switch_of(input int port);
    switch_of = (OnePort == 0) ? 0 : (port < Externals) ? port / 2 : port - Externals;
  endfunction

  // Candidates of an output arbiter, and the input port that number c stands for.
  function automatic int candidates_of(input int side, input int port);
    candidates_of = (side == 0) ? in_vcs(port) : (OnePort != 0) ? 3 : N;
  endfunction

  function automatic int port_at(input int switch_number, input int c);
    port_at = (OnePort == 0) ? c : (c < 2) ? 2 * switch_number + c : Externals + switch_number;
  endfunction

  // The pin where output `port`'s flits leave, input `port`'s flits come, or -1 inside the router.
  function automatic int out_pin(input int port);
    out_pin = (OnePort == 0 || port < Externals) ? port : (port == N - 1) ? Externals : -1;
  endfunction

  function automatic int in_pin(input int port);
    in_pin = (OnePort == 0 || port < Externals) ? port : (port == Externals) ? Externals : -1;
  endfunction

  // ---- checks ----------------------------------------------------------------------------------
  // A macro: Icarus takes long over a call with a string.
`define CHECK(what, where, got, want) \
    if ((got) !== (want)) \
      $fatal(1, "%s, port %0d VC %0d: %0d, expected %0d", what, (where) / 8, (where) % 8, got, want)

  // The registers of VC place `k` that the router shows, against those that the rules lead to.
  task automatic check_vc(input int k);
    `CHECK("count", k, 32'(obs_count[k*7+:7]), count[k]);
    `CHECK("routed", k, 32'(obs_routed[k]), 32'(routed[k]));
    `CHECK("active", k, 32'(obs_active[k]), 32'(active[k]));
    `CHECK("out_port", k, 32'(obs_out_port[k*4+:4]), out_port[k]);
    `CHECK("out_vc", k, 32'(obs_out_vc[k*3+:3]), out_vc[k]);
    `CHECK("credits", k, 32'(obs_credits[k*7+:7]), credits[k]);
    `CHECK("owned", k, 32'(obs_owned[k]), 32'(owned[k]));
    if (count[k] == 0)
      `CHECK("front of nothing", k,
            32'(|{obs_front_head[k], obs_front_tail[k], obs_front_data[k*64+:64]}), 0);
  endtask

  task automatic check_registers;
    for (int k = 0; k < P; k++) begin
      if (k % 8 >= MostVcs) begin
        if (|{obs_count[k*7+:7], obs_routed[k], obs_active[k], obs_out_port[k*4+:4],
              obs_out_vc[k*3+:3], obs_credits[k*7+:7], obs_owned[k], obs_front_head[k],
              obs_front_tail[k], obs_front_data[k*64+:64]} !== 1'b0)
          $fatal(1, "port %0d: something on VC %0d, which is not there", k / 8, k % 8);
      end else check_vc(k);
    end
    for (int p = 0; p < N; p++) begin
      `CHECK("in_pointer", p * 8, 32'(obs_in_pointer[p*3+:3]), order[p*12]);
      `CHECK("out_pointer", p * 8, 32'(obs_out_pointer[p*4+:4]), order[(N+p)*12]);
      `CHECK("va_in_pointer", p * 8, 32'(obs_va_in_pointer[p*3+:3]), order[(2*N+p)*12]);
      `CHECK("va_out_pointer", p * 8, 32'(obs_va_out_pointer[p*4+:4]), order[(3*N+p)*12]);
    end
  endtask

  // What the allocations grant, against what the router says that they do.
  task automatic check_grants;
    for (int o = 0; o < N; o++) begin
      first = winner[o];
      `CHECK("grant_valid", o * 8, 32'(obs_grant_valid[o]), (first >= 0) ? 1 : 0);
      `CHECK("grant_in", o * 8, 32'(obs_grant_in[o*4+:4]), (first >= 0) ? first : 0);
      got_vc = (first >= 0) ? nominee[first] : 0;
      `CHECK("grant_vc", o * 8, 32'(obs_grant_vc[o*3+:3]), got_vc);
      `CHECK("grant_out_vc", o * 8, 32'(obs_grant_out_vc[o*3+:3]),
            (first >= 0) ? target_vc[first*8+got_vc] : 0);
      first = winner[N+o];
      `CHECK("va_grant_valid", o * 8, 32'(obs_va_grant_valid[o]), (first >= 0) ? 1 : 0);
      `CHECK("va_grant_in", o * 8, 32'(obs_va_grant_in[o*4+:4]), (first >= 0) ? first : 0);
      got_vc = (first >= 0) ? nominee[N+first] : 0;
      `CHECK("va_grant_vc", o * 8, 32'(obs_va_grant_vc[o*3+:3]), got_vc);
      `CHECK("va_grant_out_vc", o * 8, 32'(obs_va_grant_out_vc[o*3+:3]),
            (first >= 0) ? target_vc[first*8+got_vc] : 0);
    end
  endtask

  // Flits and credits leave the router so many cycles after the grant, and at no other time.
  task automatic check_channels;
    for (int p = 0; p < N; p++) begin
      place = out_pin(p);
      if (place >= 0) begin
        first = flit_sent[((Stages>1?1:0)+(p<Externals?LinkRegisters:0))*N+p];
        `CHECK("flit on the channel", p * 8, 32'(out_valid_i[place]), (first >= 0) ? 1 : 0);
        `CHECK("VC on the channel", p * 8, 32'(out_vc_i[place*3+:3]), (first >= 0) ? first : 0);
      end
      place = in_pin(p);
      if (place >= 0) begin
        first = credit_sent[((Stages>1?1:0)+(p<Externals?LinkRegisters:0))*N+p];
        `CHECK("credit on the channel", p * 8, 32'(in_credit_valid_i[place]), (first >= 0) ? 1 : 0);
        `CHECK("VC of the credit", p * 8, 32'(in_credit_vc_i[place*3+:3]),
              (first >= 0) ? first : 0);
      end
    end
  endtask

  // ---- 5.1: route computation ------------------------------------------------------------------
  // Sets target_port and route_class of input VC `k` from its front flit.
  task automatic find_route(input int k);
    int d;
    target_port[k] = -1;
    route_class[k] = 0;
    for (int turn = 0; turn < Dims; turn++) begin
      d = traffic_pkg::dimension_at(Routing, Dims, turn);
      if (target_port[k] < 0 && (OnePort == 0 || d == switch_of(k / 8))) begin
        direction = traffic_pkg::way(
            32'(address_i[d*8+:8]), 32'(obs_front_data[k*64+d*8+:8]), 32'(last_i[d*8+:8]),
            1'((Torus >> d) & 1));
        if (direction != 0) begin
          target_port[k] = 2 * d + direction - 1;
          if (((Torus >> d) & 1) != 0)
            route_class[k] = traffic_pkg::vc_class(
                direction, 32'(address_i[d*8+:8]), 32'(obs_front_data[k*64+d*8+:8]),
                32'(obs_front_data[k*64+24+d*8+:8]), RingClasses);
        end
      end
    end
    if (target_port[k] < 0) begin
      if (OnePort != 0) target_port[k] = Externals + switch_of(k / 8);
      else target_port[k] = (k < Externals * 8) ? Externals + (k / 8) % LocalPorts : k / 8;
    end
  endtask

  // ---- 5.2, 5.3: what the front flit of input VC `k` asks for ----------------------------------
  // Sets `first` and `next` to the data VCs of its class, from first up to, but without, next.
  task automatic find_data_vcs(input int k);
    first = 0;
    next = out_data_vcs(target_port[k]);
    if (is_ring(target_port[k])) begin
      first = route_class[k] * Vcs / RingClasses;
      next = (route_class[k] + 1) * Vcs / RingClasses;
    end
  endtask

  function automatic logic all_owned(input int port, input int from, input int up_to);
    all_owned = 1'b1;
    for (int w = from; w < up_to; w++) all_owned = all_owned && owned[port*8+w];
  endfunction

  // A VC of `port` is free from `from` up to, but without, `up_to`.
  function automatic logic lower_is_free(input int port, input int from, input int up_to);
    lower_is_free = 1'b0;
    for (int w = from; w < up_to; w++)
      lower_is_free = lower_is_free || (!owned[port*8+w] && credits[port*8+w] > 0);
  endfunction

  // The VC selection: lowest (0) takes the first free one upwards; rotating (1) does so from the
  // pointer on, and around; most-credits (2) goes on as long as it finds one with more.
  task automatic find_free_vc(input int k);
    free = -1;
    unowned = 1'b0;
    find_data_vcs(k);
    start = (VcSelection == 1) ? vc_pointer[target_port[k]*4+route_class[k]] : first;
    if (k % 8 >= in_data_vcs(k / 8)) begin
      first = out_data_vcs(target_port[k]) + route_class[k];  // the one for control packets
      next = first + 1;
      start = first;
    end
    if (VcSelection == 1) `CHECK("vc_pointer in the class", k, start >= first && start < next, 1'b1);
    for (int turn = 0; turn < next - first; turn++) begin
      target = target_port[k] * 8
          + ((start + turn < next) ? start + turn : start + turn - next + first);
      if (!owned[target] && credits[target] > 0) begin
        if (free < 0) begin
          if (unowned) passed_over_o = passed_over_o + 1;
          free = target % 8;
        end else if (VcSelection == 2 && credits[target] > credits[target-target%8+free]) begin
          free = target % 8;
        end
      end
      if (!owned[target]) unowned = 1'b1;
    end
    passes_lower[k] = lower_is_free(target_port[k], first, free);
    if (k % 8 >= in_data_vcs(k / 8) && free >= 0) begin
      find_data_vcs(k);
      if (all_owned(target_port[k], first, next)) apart_o = apart_o + 1;
    end
    if (!unowned) no_vc_o = no_vc_o + 1;
    else if (free < 0) no_credit_o = no_credit_o + 1;
  endtask

  task automatic find_request(input int k);
    request[k] = 1'b0;
    request[P+k] = 1'b0;
    routing[k] = 1'b0;
    if (count[k] > 0 && active[k]) begin
      target_port[k] = out_port[k];
      target_vc[k] = out_vc[k];
      request[k] = credits[out_port[k]*8+out_vc[k]] > 0;
      if (!request[k]) no_credit_o = no_credit_o + 1;
    end else if (count[k] > 0) begin
      `CHECK("head at the front", k, 32'(obs_front_head[k]), 1);
      if (Stages >= 3 && !routed[k]) begin
        routing[k] = 1'b1;
        find_route(k);
      end else begin
        if (Stages >= 3) begin
          target_port[k] = out_port[k];
          route_class[k] = out_class[k];
        end else begin
          find_route(k);
        end
        find_free_vc(k);
        target_vc[k] = free;
        request[((Stages==4)?P:0)+k] = free >= 0;
      end
    end
  endtask

  // The input stage, then the output stage, of allocation `a`.
  task automatic allocate(input int a);
    for (int i = 0; i < N; i++) begin
      nominee[a*N+i] = -1;
      for (int k = 0; k < in_vcs(i); k++) begin
        place = order[((a*2)*N+i)*12+k];
        if (nominee[a*N+i] < 0 && request[a*P+i*8+place]) nominee[a*N+i] = place;
      end
    end
    for (int o = 0; o < N; o++) begin
      winner[a*N+o] = -1;
      for (int k = 0; k < candidates_of(1, o); k++) begin
        place = port_at(switch_of(o), order[((a*2+1)*N+o)*12+k]);
        if (winner[a*N+o] < 0 && nominee[a*N+place] >= 0) begin
          if (target_port[place*8+nominee[a*N+place]] == o) winner[a*N+o] = place;
        end
      end
    end
  endtask

  // ---- 5.6: the edge ---------------------------------------------------------------------------
  // The final pick of candidate `k` by the arbiter at `base` with `m` candidates. Round-robin: all
  // up to k move behind the others. Matrix: k alone does. Fixed priority: the order stays.
  task automatic make_last(input int base, input int m, input int k);
    for (int turn = 0; Arbiters != 2 && turn < m && order[base+m-1] != k; turn++) begin
      if (Arbiters == 0 || order[base] == k) begin
        first = order[base];
        for (int j = 0; j < m - 1; j++) order[base+j] = order[base+j+1];
        order[base+m-1] = first;
      end else begin
        first = 0;
        for (int j = 0; j < m - 1; j++) begin
          if (order[base+j] == k) first = 1;
          if (first == 1) order[base+j] = order[base+j+1];
        end
        order[base+m-1] = k;
      end
    end
  endtask

  task automatic make_picks_final(input int a, input int o);
    first = winner[a*N+o];
    make_last((a * 2 * N + first) * 12, in_vcs(first), nominee[a*N+first]);
    place = 0;
    for (int c = 0; c < candidates_of(1, o); c++) begin
      if (port_at(switch_of(o), c) == winner[a*N+o]) place = c;
    end
    make_last(((a * 2 + 1) * N + o) * 12, candidates_of(1, o), place);
  endtask

  // The head of input VC `k` takes VC `w` of output `o`: behind it the next head of the class looks.
  task automatic take_vc(input int k, input int o, input int w);
    if (w < out_data_vcs(o)) begin
      find_data_vcs(k);
      if (passes_lower[k]) higher_o = higher_o + 1;
      vc_pointer[o*4+route_class[k]] = (w + 1 < next) ? w + 1 : first;
    end
  endtask

  task automatic commit_switch(input int o);
    place = winner[o] * 8 + nominee[winner[o]];
    target = o * 8 + target_vc[place];
    count[place] = count[place] - 1;
    credits[target] = credits[target] - 1;
    if (obs_front_head[place] && Stages <= 3) begin
      out_port[place] = o;
      out_vc[place] = target_vc[place];
      routed[place] = 1'b0;
      take_vc(place, o, target_vc[place]);
    end
    active[place] = !obs_front_tail[place];
    owned[target] = !obs_front_tail[place];
    flit_sent[o] = target_vc[place];
    credit_sent[winner[o]] = nominee[winner[o]];
    make_picks_final(Sa, o);
  endtask

  task automatic commit_vc(input int o);
    place = winner[N+o] * 8 + nominee[N+winner[N+o]];
    active[place] = 1'b1;
    routed[place] = 1'b0;
    out_vc[place] = target_vc[place];
    owned[o*8+target_vc[place]] = 1'b1;
    take_vc(place, o, target_vc[place]);
    make_picks_final(Va, o);
  endtask

  // Flits and credits that reach the switches, from outside or by an internal channel.
  task automatic arrive(input int p);
    got_vc = -1;
    target = in_pin(p);
    if (target < 0) got_vc = flit_sent[(Stages>1?1:0)*N+p-1];
    else if (in_valid_i[target]) got_vc = 32'(in_vc_i[target*3+:3]);
    if (got_vc >= 0) begin
      count[p*8+got_vc] = count[p*8+got_vc] + 1;
      if (credit_sent[p] == got_vc) through_o = through_o + 1;
    end
    got_vc = -1;
    target = out_pin(p);
    if (target < 0) got_vc = credit_sent[(Stages>1?1:0)*N+p+1];
    else if (out_credit_valid_i[target]) got_vc = 32'(out_credit_vc_i[target*3+:3]);
    if (got_vc >= 0) credits[p*8+got_vc] = credits[p*8+got_vc] + 1;
  endtask

  // ---- every cycle -----------------------------------------------------------------------------
  always @(posedge clk_i) begin
    if (known) begin
      check_registers();
      for (int k = 0; k < P; k++) begin
        if (k % 8 < MostVcs) find_request(k);
        // Taken back below if it is granted.
        if (request[k]) lost_switch_o = lost_switch_o + 1;
        if (request[P+k]) lost_vc_o = lost_vc_o + 1;
      end
      allocate(Sa);
      allocate(Va);
      check_grants();
      for (int age = 5; age > 0; age--) begin
        for (int p = 0; p < N; p++) begin
          flit_sent[age*N+p] = flit_sent[(age-1)*N+p];
          credit_sent[age*N+p] = credit_sent[(age-1)*N+p];
        end
      end
      for (int p = 0; p < N; p++) begin
        flit_sent[p] = -1;
        credit_sent[p] = -1;
      end
      for (int k = 0; k < P; k++) begin
        if (routing[k]) begin
          routed[k] = 1'b1;
          out_port[k] = target_port[k];
          out_class[k] = route_class[k];
        end
      end
      for (int o = 0; o < N; o++) begin
        if (winner[o] >= 0) begin
          commit_switch(o);
          lost_switch_o = lost_switch_o - 1;
        end
        if (winner[N+o] >= 0) begin
          commit_vc(o);
          lost_vc_o = lost_vc_o - 1;
        end
      end
      check_channels();
      for (int p = 0; p < N; p++) arrive(p);
    end
    if (!rst_ni) begin
      known = 1'b1;
      no_vc_o = 0;
      no_credit_o = 0;
      lost_switch_o = 0;
      lost_vc_o = 0;
      passed_over_o = 0;
      higher_o = 0;
      apart_o = 0;
      through_o = 0;
      for (int k = 0; k < P; k++) begin
        count[k] = 0;
        routed[k] = 1'b0;
        out_class[k] = 0;
        active[k] = 1'b0;
        out_port[k] = 0;
        out_vc[k] = 0;
        credits[k] = (k % 8 < out_vcs(k / 8)) ? Depth : 0;
        owned[k] = 1'b0;
      end
      for (int k = 0; k < 4 * N * 12; k++) order[k] = k % 12;
      for (int o = 0; o < N; o++) begin
        for (int c = 0; c < 4; c++) vc_pointer[o*4+c] = is_ring(o) ? c * Vcs / RingClasses : 0;
      end
      for (int k = 0; k < P; k++) begin
        request[k] = 1'b0;
        request[P+k] = 1'b0;
        routing[k] = 1'b0;
      end
      for (int k = 0; k < 6 * N; k++) begin
        flit_sent[k] = -1;
        credit_sent[k] = -1;
      end
    end
  end

endmodule
