// A whole small router, in one dimension with one local port: no flit is dropped, duplicated or
// reordered, packets do not mix, every flit leaves by its output, and every counter is right.
//
// The neighbours keep their side of section 3: whole packets, within their credits, no more credits
// than flits. One flit is marked, any one: it must leave exactly once, when the places of all flits
// before it on its VC have been given back, and its own is. One packet is marked, any one: on the
// VC where its head left, its flits and nothing else follow until the tail. As the router's
// decisions do not depend on marks, what holds for a marked flit holds for each.
module router_proof #(
    parameter int Vcs = 1,
    parameter int Depth = 1,
    parameter int Stages = 1,
    parameter int Arbiters = 0,
    parameter int Allocator = 0,
    localparam int N = 3,
    localparam int K = N * 8  // VC places
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [N-1:0] in_valid_i,
    input logic [N*3-1:0] in_vc_i,
    input logic [N-1:0] in_head_i,
    input logic [N-1:0] in_tail_i,
    input logic [N*2-1:0] in_dest_i,
    input logic [N-1:0] out_credit_valid_i,
    input logic [N*3-1:0] out_credit_vc_i,
    // Where marks may come: never changes. Mark the flit there, the packet that begins there.
    input logic [1:0] chosen_port_i,
    input logic [2:0] chosen_vc_i,
    input logic mark_flit_i,
    input logic mark_packet_i
);

  localparam logic [1:0] Here = 2'd1;
  localparam int MarkBit = 12;
  localparam int PacketBit = 13;

  logic [N*14-1:0] in_data;
  logic [N-1:0] in_credit_valid;
  logic [N*3-1:0] in_credit_vc;
  logic [N-1:0] out_valid, out_head, out_tail;
  logic [N*3-1:0] out_vc;
  logic [N*14-1:0] out_data;
  logic [N*noc_pkg::ObsBits-1:0] obs;
  logic [K*7-1:0] obs_count;
  logic [K-1:0] obs_active;
  logic [K*4-1:0] obs_out_port;
  logic [K*3-1:0] obs_out_vc;
  logic [K*7-1:0] obs_credits;
  logic [K-1:0] obs_owned;
  logic [N-1:0] obs_grant_valid;
  logic [N*4-1:0] obs_grant_in;

  all_port_router #(
      .Dims(1), .LocalPorts(1), .Vcs(Vcs), .LocalVcs(Vcs), .Stages(Stages), .Depth(Depth),
      .Arbiters(Arbiters), .Allocator(Allocator)
  ) dut (
      .clk_i, .rst_ni, .address_i({4'd0, Here}), .last_i(6'd0),
      .in_valid_i, .in_vc_i, .in_head_i, .in_tail_i, .in_data_i(in_data),
      .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc),
      .out_valid_o(out_valid), .out_vc_o(out_vc), .out_head_o(out_head), .out_tail_o(out_tail),
      .out_data_o(out_data), .out_credit_valid_i, .out_credit_vc_i,
      .obs_o(obs)
  );

  generate
    for (genvar p = 0; p < N; p++) begin : g_seen
      logic [noc_pkg::ObsBits-1:0] seen;
      assign seen = obs[p*noc_pkg::ObsBits+:noc_pkg::ObsBits];
      assign obs_count[p*56+:56] = seen[noc_pkg::ObsCountLsb+:56];
      assign obs_active[p*8+:8] = seen[noc_pkg::ObsActiveLsb+:8];
      assign obs_out_port[p*32+:32] = seen[noc_pkg::ObsOutPortLsb+:32];
      assign obs_out_vc[p*24+:24] = seen[noc_pkg::ObsOutVcLsb+:24];
      assign obs_credits[p*56+:56] = seen[noc_pkg::ObsCreditsLsb+:56];
      assign obs_owned[p*8+:8] = seen[noc_pkg::ObsOwnedLsb+:8];
      assign obs_grant_valid[p] = seen[noc_pkg::ObsGrantValidLsb];
      assign obs_grant_in[p*4+:4] = seen[noc_pkg::ObsGrantInLsb+:4];
    end
  endgenerate

  logic started_q;
  logic [1:0] port_q;
  logic [2:0] vc_q;
  initial started_q = 1'b0;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      port_q <= chosen_port_i;
      vc_q <= chosen_vc_i;
    end
  end

  always_comb begin
    assume (rst_ni == started_q);
    assume (32'(chosen_port_i) < N && 32'(chosen_vc_i) < Vcs);
  end

  // ---- what the neighbours send ------------------------------------------------------------------
  logic [K*7-1:0] used_q;   // places that the sender knows to be taken
  logic [K-1:0] sending_q;  // a packet has begun
  logic [1:0] dest_q;       // of the packet on the chosen VC
  logic packet_q;           // it is the marked one
  logic packet_done_q;

  generate
    for (genvar p = 0; p < N; p++) begin : g_input
      logic [2:0] vc;
      logic chosen;
      assign vc = in_vc_i[p*3+:3];
      assign chosen = in_valid_i[p] && port_q == 2'(p) && vc == vc_q;
      assign in_data[p*14+:14] = {
          chosen && (in_head_i[p] ? mark_packet_i && !packet_done_q : packet_q),
          chosen && mark_flit_i, 10'd0, in_dest_i[p*2+:2]};

      always_comb begin
        if (started_q) assert (!out_valid[p] || 32'(out_vc[p*3+:3]) < Vcs);
        if (started_q && in_valid_i[p]) begin
          assume (32'(vc) < Vcs);
          assume (used_q[{5'(p), vc}*7+:7] < 7'(Depth));
          assume (in_head_i[p] == !sending_q[{2'(p), vc}]);
        end
        if (started_q && out_credit_valid_i[p]) begin
          assume (32'(out_credit_vc_i[p*3+:3]) < Vcs);
          assume (held_q[{5'(p), out_credit_vc_i[p*3+:3]}*7+:7] != 0);
        end
      end

      for (genvar v = 0; v < Vcs; v++) begin : g_vc
        logic sent, freed;
        assign sent = in_valid_i[p] && vc == 3'(v);
        assign freed = in_credit_valid[p] && in_credit_vc[p*3+:3] == 3'(v);
        always_ff @(posedge clk_i) begin
          if (!rst_ni) begin
            used_q[(p*8+v)*7+:7] <= '0;
            sending_q[p*8+v] <= 1'b0;
          end else begin
            used_q[(p*8+v)*7+:7] <= used_q[(p*8+v)*7+:7] + 7'(sent) - 7'(freed);
            if (sent) sending_q[p*8+v] <= !in_tail_i[p];
          end
        end
        // Occupancy, and the credit that is on its way, are what the sender thinks.
        always_comb begin
          if (started_q) begin
            assert (used_q[(p*8+v)*7+:7]
                    == obs_count[(p*8+v)*7+:7] + 7'(Stages > 1 && freed));
          end
        end
      end
      for (genvar v = Vcs; v < 8; v++) begin : g_no_vc
        assign used_q[(p*8+v)*7+:7] = '0;
        assign sending_q[p*8+v] = 1'b0;
      end
    end
  endgenerate

  // ---- the marked flit ---------------------------------------------------------------------------
  logic marked, marked_q, mark_done_q;  // it arrives; it is in the router; it was marked
  logic mark_head_q, mark_tail_q;
  logic [6:0] ahead_q;                  // flits on its VC whose places come back before its own
  logic chosen_sent, chosen_freed;
  logic [N-1:0] out_marked;

  assign chosen_sent = in_valid_i[port_q] && in_vc_i[port_q*3+:3] == vc_q;
  assign chosen_freed = in_credit_valid[port_q] && in_credit_vc[port_q*3+:3] == vc_q;
  assign marked = chosen_sent && mark_flit_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      marked_q <= 1'b0;
      mark_done_q <= 1'b0;
      mark_head_q <= 1'b0;
      mark_tail_q <= 1'b0;
      ahead_q <= '0;
      dest_q <= '0;
      mark_dest_q <= '0;
      packet_q <= 1'b0;
      packet_done_q <= 1'b0;
    end else begin
      if (chosen_sent && in_head_i[port_q]) begin
        dest_q <= in_dest_i[port_q*2+:2];
        packet_q <= mark_packet_i && !packet_done_q;
        packet_done_q <= packet_done_q || mark_packet_i;
      end
      if (marked) begin
        marked_q <= 1'b1;
        mark_done_q <= 1'b1;
        mark_head_q <= in_head_i[port_q];
        mark_tail_q <= in_tail_i[port_q];
        mark_dest_q <= in_head_i[port_q] ? in_dest_i[port_q*2+:2] : dest_q;
        ahead_q <= used_q[{3'(port_q), vc_q}*7+:7] - 7'(chosen_freed);
      end else if (marked_q && chosen_freed) begin
        if (ahead_q == 0) marked_q <= 1'b0;
        else ahead_q <= ahead_q - 1'b1;
      end
    end
  end

  logic [1:0] mark_dest_q;
  logic [N-1:0] right_output;
  assign right_output = (mark_dest_q > Here) ? 3'b001 : (mark_dest_q < Here) ? 3'b010 : 3'b100;

  generate
    for (genvar o = 0; o < N; o++) begin : g_marked
      assign out_marked[o] = out_valid[o] && out_data[o*14+MarkBit];
    end
  endgenerate

  always_comb begin
    assume (!(marked && mark_done_q));
    if (started_q) begin
      assert (out_marked == ((marked_q && ahead_q == 0 && chosen_freed) ? right_output : 3'b000));
      assert (out_marked == 0 || (|(out_marked & out_head) == mark_head_q
                                  && |(out_marked & out_tail) == mark_tail_q));
`ifdef WITNESS
      assert (!(out_marked[0] && mark_tail_q && !mark_head_q && packet_done_q));
`endif
    end
  end

  // ---- what the neighbours receive ---------------------------------------------------------------
  logic [K*7-1:0] held_q;       // flits whose places have not been given back
  logic [K-1:0] open_q;         // a packet has begun
  logic [K-1:0] open_marked_q;  // it is the marked one

  generate
    for (genvar o = 0; o < N; o++) begin : g_output
      for (genvar w = 0; w < Vcs; w++) begin : g_vc
        logic sent, freed;
        logic [K-1:0] owners;
        assign sent = out_valid[o] && out_vc[o*3+:3] == 3'(w);
        assign freed = out_credit_valid_i[o] && out_credit_vc_i[o*3+:3] == 3'(w);
        for (genvar k = 0; k < K; k++) begin : g_owner
          assign owners[k] = obs_active[k] && obs_out_port[k*4+:4] == 4'(o)
              && obs_out_vc[k*3+:3] == 3'(w);
        end
        always_ff @(posedge clk_i) begin
          if (!rst_ni) begin
            held_q[(o*8+w)*7+:7] <= '0;
            open_q[o*8+w] <= 1'b0;
            open_marked_q[o*8+w] <= 1'b0;
          end else begin
            held_q[(o*8+w)*7+:7] <= held_q[(o*8+w)*7+:7] + 7'(sent) - 7'(freed);
            if (sent) open_q[o*8+w] <= !out_tail[o];
            if (sent && out_head[o]) open_marked_q[o*8+w] <= out_data[o*14+PacketBit];
          end
        end
        always_comb begin
          if (started_q) begin
            // Packets do not mix.
            if (sent) begin
              assert (out_head[o] == !open_q[o*8+w]);
              assert (out_head[o] || out_data[o*14+PacketBit] == open_marked_q[o*8+w]);
            end
            // credits + in flight + occupancy = depth
            assert (obs_credits[(o*8+w)*7+:7] + held_q[(o*8+w)*7+:7] + 7'(Stages > 1 && sent)
                    == 7'(Depth));
            // A VC is owned if and only if exactly one packet has it.
            assert (obs_owned[o*8+w] == (owners != 0) && (owners & (owners - 1'b1)) == 0);
          end
        end
      end
      for (genvar w = Vcs; w < 8; w++) begin : g_no_vc
        assign held_q[(o*8+w)*7+:7] = '0;
        assign open_q[o*8+w] = 1'b0;
        assign open_marked_q[o*8+w] = 1'b0;
      end
    end
  endgenerate

  // ---- grants ------------------------------------------------------------------------------------
  generate
    for (genvar i = 0; i < N; i++) begin : g_winner
      logic [N-1:0] wins;
      for (genvar o = 0; o < N; o++) begin : g_output
        assign wins[o] = obs_grant_valid[o] && obs_grant_in[o*4+:4] == 4'(i);
      end
      always_comb if (started_q) assert ((wins & (wins - 1'b1)) == 0);
    end
  endgenerate

endmodule
