// Separable allocation, input-first or output-first, in one round or several. Pins are those of
// module allocator, and so are the parameters but OutputFirst, which stands for its code.
//
// Each input port picks one of its VCs, and each output port picks an input port; a grant is a pair
// whose picks agree. Input-first, an input picks among all its requests, and outputs pick among
// what the inputs have picked. Output-first, an output picks among all inputs that request it, and
// inputs pick among the VCs that request one of the outputs that have picked them. So an input port
// wins at most once, and an output port gives at most one grant.
//
// A further round does the same with the requests between ports that have no grant yet. Its picks
// use the orders of the arbiters, but leave them as they are: only a grant of the first round is
// final. So whoever is picked first and loses, or gets nothing but later grants, keeps its turn.
module separable_allocator #(
    /// 1: the outputs pick first.
    parameter int OutputFirst = 0,
    /// Rounds, 1..4.
    parameter int Iterations = 1,
    parameter int Ports = 8,
    parameter int Externals = 4,
    parameter int Rings = 0,
    parameter int Vcs = 1,
    parameter int RingVcs = Vcs,
    parameter int OtherVcs = 1,
    parameter int Arbiters = 0,
    /// Derived, not to be set.
    localparam int IndexBits = $clog2(Ports),
    /// Sizes that all modules share.
    localparam int MaxVcs = noc_pkg::MaxVcs,
    localparam int VcBits = noc_pkg::VcBits
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [Ports*MaxVcs-1:0] request_i,
    input logic [Ports*MaxVcs*IndexBits-1:0] port_i,
    output logic [Ports*VcBits-1:0] nominee_o,
    output logic [Ports-1:0] granted_o,
    output logic [Ports-1:0] grant_valid_o,
    output logic [Ports*IndexBits-1:0] grant_in_o,
    output logic [Ports*VcBits-1:0] in_pointer_o,
    output logic [Ports*IndexBits-1:0] out_pointer_o
);

  localparam int OutOrderBits = noc_pkg::order_bits(Arbiters, Ports, IndexBits);
  localparam int InOrderBits = noc_pkg::order_bits(Arbiters, MaxVcs, VcBits);  // at most

  // The orders of the arbiters, for the picks of further rounds.
  logic [Ports*InOrderBits-1:0] in_order;
  logic [Ports*OutOrderBits-1:0] out_order;

  generate
    for (genvar r = 0; r < Iterations; r++) begin : g_round
      // Of this round: the requests that take part. Per input: the VC that it picks, and the output
      // that this VC requests. Per output: the input that it picks.
      logic [Ports*MaxVcs-1:0] request;
      logic [Ports-1:0] in_valid;
      logic [Ports*VcBits-1:0] in_vc;
      logic [Ports*IndexBits-1:0] in_port;
      logic [Ports-1:0] out_valid;
      logic [Ports*IndexBits-1:0] out_from;
      logic [Ports*Ports-1:0] asked;    // [o*Ports + i]: output o can pick input i
      logic [Ports*Ports-1:0] offered;  // [i*Ports + o]: it does
      logic [Ports-1:0] wins;           // per input: it has a grant of this round
      logic [Ports-1:0] gives;          // per output
      // Of this round and those before it: which ports have a grant, the VC, the input.
      logic [Ports-1:0] in_done;
      logic [Ports-1:0] out_done;
      logic [Ports*VcBits-1:0] vc;
      logic [Ports*IndexBits-1:0] from;

      // ---- inputs ------------------------------------------------------------------------------
      for (genvar i = 0; i < Ports; i++) begin : g_input
        localparam int Candidates
            = noc_pkg::input_vcs(i, Externals, Rings, Vcs, RingVcs, OtherVcs);
        localparam int OrderBits = noc_pkg::order_bits(Arbiters, Candidates, VcBits);
        logic [Candidates-1:0] candidates;

        assign in_port[i*IndexBits+:IndexBits]
            = port_i[(i*MaxVcs+32'(in_vc[i*VcBits+:VcBits]))*IndexBits+:IndexBits];

        if (OutputFirst != 0) begin : g_picks_last
          logic [Ports-1:0] requested;
          requested_outputs #(
              .Ports(Ports),
              .Vcs(Candidates)
          ) u_requested (
              .request_i(request[i*MaxVcs+:Candidates]),
              .port_i(port_i[i*MaxVcs*IndexBits+:Candidates*IndexBits]),
              .output_o(requested)
          );
          for (genvar o = 0; o < Ports; o++) begin : g_asked
            assign asked[o*Ports+i] = requested[o];
          end
          for (genvar v = 0; v < Candidates; v++) begin : g_offered
            assign candidates[v] = request[i*MaxVcs+v]
                && offered[i*Ports+32'(port_i[(i*MaxVcs+v)*IndexBits+:IndexBits])];
          end
          assign wins[i] = in_valid[i];
        end else begin : g_picks_first
          for (genvar o = 0; o < Ports; o++) begin : g_asked
            assign asked[o*Ports+i]
                = in_valid[i] && in_port[i*IndexBits+:IndexBits] == IndexBits'(o);
          end
          assign candidates = request[i*MaxVcs+:Candidates];
          assign wins[i] = |offered[i*Ports+:Ports];
        end

        if (r == 0) begin : g_first
          arbiter #(
              .Requests(Candidates),
              .IndexBits(VcBits),
              .Arbiters(Arbiters)
          ) u_in_arbiter (
              .clk_i,
              .rst_ni,
              .request_i(candidates),
              .advance_i(wins[i]),
              .valid_o(in_valid[i]),
              .index_o(in_vc[i*VcBits+:VcBits]),
              .pointer_o(in_pointer_o[i*VcBits+:VcBits]),
              .order_o(in_order[i*InOrderBits+:OrderBits])
          );
          if (OrderBits < InOrderBits) begin : g_fewer_vcs
            assign in_order[i*InOrderBits+OrderBits+:InOrderBits-OrderBits] = '0;
          end
          assign request[i*MaxVcs+:MaxVcs] = request_i[i*MaxVcs+:MaxVcs];
          assign vc[i*VcBits+:VcBits] = in_vc[i*VcBits+:VcBits];
        end else begin : g_later
          arbiter_pick #(
              .Requests(Candidates),
              .IndexBits(VcBits),
              .Arbiters(Arbiters)
          ) u_in_pick (
              .order_i(in_order[i*InOrderBits+:OrderBits]),
              .request_i(candidates),
              .valid_o(in_valid[i]),
              .index_o(in_vc[i*VcBits+:VcBits])
          );
          for (genvar v = 0; v < MaxVcs; v++) begin : g_vc
            assign request[i*MaxVcs+v] = request_i[i*MaxVcs+v] && !g_round[r-1].in_done[i]
                && !g_round[r-1].out_done[port_i[(i*MaxVcs+v)*IndexBits+:IndexBits]];
          end
          assign vc[i*VcBits+:VcBits] = g_round[r-1].in_done[i]
              ? g_round[r-1].vc[i*VcBits+:VcBits] : in_vc[i*VcBits+:VcBits];
        end
      end

      // ---- outputs -----------------------------------------------------------------------------
      for (genvar o = 0; o < Ports; o++) begin : g_output
        for (genvar i = 0; i < Ports; i++) begin : g_offered
          assign offered[i*Ports+o]
              = out_valid[o] && out_from[o*IndexBits+:IndexBits] == IndexBits'(i);
        end

        // An output that picks first gives a grant if the input takes its offer. Nobody else can.
        if (OutputFirst != 0) begin : g_picks_first
          logic [Ports-1:0] taken;
          for (genvar i = 0; i < Ports; i++) begin : g_taken
            assign taken[i] = in_valid[i] && in_port[i*IndexBits+:IndexBits] == IndexBits'(o);
          end
          assign gives[o] = |taken;
        end else begin : g_picks_last
          assign gives[o] = out_valid[o];
        end

        if (r == 0) begin : g_first
          arbiter #(
              .Requests(Ports),
              .IndexBits(IndexBits),
              .Arbiters(Arbiters)
          ) u_out_arbiter (
              .clk_i,
              .rst_ni,
              .request_i(asked[o*Ports+:Ports]),
              .advance_i(gives[o]),
              .valid_o(out_valid[o]),
              .index_o(out_from[o*IndexBits+:IndexBits]),
              .pointer_o(out_pointer_o[o*IndexBits+:IndexBits]),
              .order_o(out_order[o*OutOrderBits+:OutOrderBits])
          );
          assign from[o*IndexBits+:IndexBits] = out_from[o*IndexBits+:IndexBits];
        end else begin : g_later
          arbiter_pick #(
              .Requests(Ports),
              .IndexBits(IndexBits),
              .Arbiters(Arbiters)
          ) u_out_pick (
              .order_i(out_order[o*OutOrderBits+:OutOrderBits]),
              .request_i(asked[o*Ports+:Ports]),
              .valid_o(out_valid[o]),
              .index_o(out_from[o*IndexBits+:IndexBits])
          );
          assign from[o*IndexBits+:IndexBits] = g_round[r-1].out_done[o]
              ? g_round[r-1].from[o*IndexBits+:IndexBits] : out_from[o*IndexBits+:IndexBits];
        end
      end

      // Places without a VC request nothing.
      logic unused_places;
      assign unused_places = ^request;

      // ---- what has a grant so far -------------------------------------------------------------
      if (r == 0) begin : g_first
        assign in_done = wins;
        assign out_done = gives;
      end else begin : g_later
        assign in_done = g_round[r-1].in_done | wins;
        assign out_done = g_round[r-1].out_done | gives;
      end
    end
  endgenerate

  assign nominee_o = g_round[Iterations-1].vc;
  assign granted_o = g_round[Iterations-1].in_done;
  assign grant_valid_o = g_round[Iterations-1].out_done;
  assign grant_in_o = g_round[Iterations-1].from;

  // One round leaves no use for the orders.
  logic unused_orders;
  assign unused_orders = ^{in_order, out_order};

endmodule
