// Every rule of docs/microarchitecture.md, section 5, checked in every cycle on what an observer of
// the router sees (section 8): which grants the registers must lead to, and which registers the
// grants and arrivals must lead to. The router's structure plays no part here; the steps are those
// of the text, in its order. Contents of the FIFOs are the scoreboard's business.
module router_rules #(
    /// The router's parameters.
    parameter int LocalPorts = 4,
    parameter int Vcs = 1,
    parameter int LocalVcs = 1,
    parameter int Depth = 4,
    /// Derived: ports, VC places.
    localparam int N = 4 + LocalPorts,
    localparam int P = N * 8
) (
    /// Clock, and synchronous reset.
    input logic clk_i,
    input logic rst_ni,
    /// Arrivals.
    input logic [N-1:0] in_valid_i,
    input logic [N*3-1:0] in_vc_i,
    input logic [N-1:0] out_credit_valid_i,
    input logic [N*3-1:0] out_credit_vc_i,
    /// The output VCs that the router's flits take.
    input logic [N*3-1:0] out_vc_i,
    /// The router's observation outputs.
    input logic [P*7-1:0] obs_count_i,
    input logic [P-1:0] obs_front_head_i,
    input logic [P-1:0] obs_front_tail_i,
    input logic [P*64-1:0] obs_front_data_i,
    input logic [P-1:0] obs_active_i,
    input logic [P*4-1:0] obs_out_port_i,
    input logic [P*3-1:0] obs_out_vc_i,
    input logic [P*7-1:0] obs_credits_i,
    input logic [P-1:0] obs_owned_i,
    input logic [N*3-1:0] obs_in_pointer_i,
    input logic [N*4-1:0] obs_out_pointer_i,
    input logic [N-1:0] obs_grant_valid_i,
    input logic [N*4-1:0] obs_grant_in_i,
    input logic [N*3-1:0] obs_grant_vc_i,
    /// Since reset: blocked front flits by cause, heads that passed over a free VC without a
    /// credit, and flits that entered a FIFO in the cycle in which another left it.
    output int no_vc_o,
    output int no_credit_o,
    output int lost_switch_o,
    output int passed_over_o,
    output int through_o
);

  // The registers, as they must be in this cycle.
  int count[0:P-1];
  logic active[0:P-1];
  int out_port[0:P-1];
  int out_vc[0:P-1];
  int credits[0:P-1];
  logic owned[0:P-1];
  int in_pointer[0:N-1];
  int out_pointer[0:N-1];
  logic known;  // reset has been seen

  // Of this cycle.
  logic request[0:P-1];    // per input VC
  int request_port[0:P-1];
  int request_vc[0:P-1];
  int nominee[0:N-1];      // per input port, its VC or -1
  int winner[0:N-1];       // per output port, the input port or -1
  int place;
  int target;
  int free;
  logic unowned;

  initial known = 1'b0;

  function automatic int vcs_of(input int port);
    vcs_of = (port < 4) ? Vcs : LocalVcs;
  endfunction

  task automatic check(input string what, input int where, input int got, input int want);
    if (got !== want)
      $fatal(1, "%s, port %0d VC %0d: %0d, expected %0d", what, where / 8, where % 8, got, want);
  endtask

  // The registers that the router shows, against those that the rules lead to.
  task automatic check_registers;
    for (int k = 0; k < P; k++) begin
      check("count", k, 32'(obs_count_i[k*7+:7]), count[k]);
      check("active", k, 32'(obs_active_i[k]), 32'(active[k]));
      check("out_port", k, 32'(obs_out_port_i[k*4+:4]), out_port[k]);
      check("out_vc", k, 32'(obs_out_vc_i[k*3+:3]), out_vc[k]);
      check("credits", k, 32'(obs_credits_i[k*7+:7]), credits[k]);
      check("owned", k, 32'(obs_owned_i[k]), 32'(owned[k]));
      if (count[k] == 0)
        check("front of nothing", k,
              32'(|{obs_front_head_i[k], obs_front_tail_i[k], obs_front_data_i[k*64+:64]}), 0);
    end
    for (int p = 0; p < N; p++) begin
      check("in_pointer", p * 8, 32'(obs_in_pointer_i[p*3+:3]), in_pointer[p]);
      check("out_pointer", p * 8, 32'(obs_out_pointer_i[p*4+:4]), out_pointer[p]);
    end
  endtask

  // 5.1 and 5.2: what the front flit of input VC `k` asks for.
  task automatic find_request(input int k);
    request[k] = 1'b0;
    if (count[k] > 0 && active[k]) begin
      request_port[k] = out_port[k];
      request_vc[k] = out_vc[k];
      request[k] = credits[out_port[k]*8+out_vc[k]] > 0;
      if (!request[k]) no_credit_o = no_credit_o + 1;
    end else if (count[k] > 0) begin
      request_port[k] = traffic_pkg::expected_output(
          obs_front_data_i[k*64+:8], obs_front_data_i[k*64+8+:8], k / 8, LocalPorts);
      free = -1;
      unowned = 1'b0;
      for (int w = 0; w < vcs_of(request_port[k]); w++) begin
        target = request_port[k] * 8 + w;
        if (!owned[target] && credits[target] > 0 && free < 0) begin
          free = w;
          if (unowned) passed_over_o = passed_over_o + 1;
        end
        if (!owned[target]) unowned = 1'b1;
      end
      request[k] = free >= 0;
      request_vc[k] = free;
      if (!unowned) no_vc_o = no_vc_o + 1;
      else if (free < 0) no_credit_o = no_credit_o + 1;
    end
  endtask

  // 5.3: the input stage, then the output stage.
  task automatic allocate;
    for (int i = 0; i < N; i++) begin
      nominee[i] = -1;
      for (int k = 0; k < vcs_of(i); k++) begin
        place = (in_pointer[i] + k) % vcs_of(i);
        if (nominee[i] < 0 && request[i*8+place]) nominee[i] = place;
      end
    end
    for (int o = 0; o < N; o++) begin
      winner[o] = -1;
      for (int k = 0; k < N; k++) begin
        place = (out_pointer[o] + k) % N;
        if (winner[o] < 0 && nominee[place] >= 0) begin
          if (request_port[place*8+nominee[place]] == o) winner[o] = place;
        end
      end
    end
  endtask

  // 5.5: what the edge makes of output `o`'s grant.
  task automatic commit(input int o);
    place = winner[o] * 8 + nominee[winner[o]];
    target = o * 8 + request_vc[place];
    count[place] = count[place] - 1;
    credits[target] = credits[target] - 1;
    if (obs_front_head_i[place]) begin
      out_port[place] = o;
      out_vc[place] = request_vc[place];
    end
    active[place] = !obs_front_tail_i[place];
    owned[target] = !obs_front_tail_i[place];
    in_pointer[winner[o]] = (nominee[winner[o]] + 1) % vcs_of(winner[o]);
    out_pointer[o] = (winner[o] + 1) % N;
  endtask

  always @(posedge clk_i) begin
    if (known) begin
      check_registers();
      for (int k = 0; k < P; k++) begin
        find_request(k);
        if (request[k]) lost_switch_o = lost_switch_o + 1;  // taken back below if it is granted
      end
      allocate();
      for (int o = 0; o < N; o++) begin
        check("grant_valid", o * 8, 32'(obs_grant_valid_i[o]), (winner[o] >= 0) ? 1 : 0);
        check("grant_in", o * 8, 32'(obs_grant_in_i[o*4+:4]), (winner[o] >= 0) ? winner[o] : 0);
        if (winner[o] >= 0) begin
          check("grant_vc", o * 8, 32'(obs_grant_vc_i[o*3+:3]), nominee[winner[o]]);
          check("output VC", o * 8, 32'(out_vc_i[o*3+:3]),
                request_vc[winner[o]*8+nominee[winner[o]]]);
          lost_switch_o = lost_switch_o - 1;
        end else begin
          check("grant_vc", o * 8, 32'(obs_grant_vc_i[o*3+:3]), 0);
        end
      end
      for (int o = 0; o < N; o++) begin
        if (winner[o] >= 0) begin
          if (in_valid_i[winner[o]]
              && 32'(in_vc_i[winner[o]*3+:3]) == nominee[winner[o]]) through_o = through_o + 1;
          commit(o);
        end
      end
      for (int p = 0; p < N; p++) begin
        place = p * 8 + 32'(in_vc_i[p*3+:3]);
        if (in_valid_i[p]) count[place] = count[place] + 1;
        place = p * 8 + 32'(out_credit_vc_i[p*3+:3]);
        if (out_credit_valid_i[p]) credits[place] = credits[place] + 1;
      end
    end
    if (!rst_ni) begin
      known = 1'b1;
      no_vc_o = 0;
      no_credit_o = 0;
      lost_switch_o = 0;
      passed_over_o = 0;
      through_o = 0;
      for (int k = 0; k < P; k++) begin
        count[k] = 0;
        active[k] = 1'b0;
        out_port[k] = 0;
        out_vc[k] = 0;
        credits[k] = (k % 8 < vcs_of(k / 8)) ? Depth : 0;
        owned[k] = 1'b0;
      end
      for (int p = 0; p < N; p++) begin
        in_pointer[p] = 0;
        out_pointer[p] = 0;
      end
    end
  end

endmodule
