// Wavefront allocation (Tamir and Chi, 1993). Pins and parameters are those of module allocator.
//
// A pair of an input and an output that it requests is matched unless one of the two has been
// matched before it. The pairs are taken diagonal by diagonal: no two pairs of a diagonal share a
// port. So no request is left between two ports that are free. The diagonal that comes first moves
// on with each cycle that grants something, so each pair goes first in its turn. The arbiter of
// each input picks one of the VCs that request the input's output.
//
// The diagonals are put in order by turning the outputs of each input, and the grants are turned
// back. So the wavefront itself is the same logic for each first diagonal, and has no loop.
module wavefront_allocator #(
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
    /// The first diagonal, at every output.
    output logic [Ports*IndexBits-1:0] out_pointer_o
);

  localparam logic [IndexBits-1:0] Last = IndexBits'(Ports - 1);

  logic [IndexBits-1:0] diagonal_q;
  // Pairs of input i and output o, at i*Ports + (o - diagonal_q) mod Ports.
  logic [Ports*Ports-1:0] wanted;
  logic [Ports*Ports-1:0] matched;
  logic [Ports*Ports-1:0] winner;  // [o*Ports + i]: input i is matched with output o

  // ---- wavefront -------------------------------------------------------------------------------
  // On diagonal k are the pairs of input i and turned output (k - i) mod Ports.
  function automatic logic [Ports*Ports-1:0] match(input logic [Ports*Ports-1:0] pairs);
    logic [Ports-1:0] in_done;
    logic [Ports-1:0] out_done;
    in_done = '0;
    out_done = '0;
    match = '0;
    for (int k = 0; k < Ports; k++) begin
      for (int i = 0; i < Ports; i++) begin
        match[i*Ports+(k+Ports-i)%Ports]
            = pairs[i*Ports+(k+Ports-i)%Ports] && !in_done[i] && !out_done[(k+Ports-i)%Ports];
        in_done[i] = in_done[i] || match[i*Ports+(k+Ports-i)%Ports];
        out_done[(k+Ports-i)%Ports]
            = out_done[(k+Ports-i)%Ports] || match[i*Ports+(k+Ports-i)%Ports];
      end
    end
  endfunction

  assign matched = match(wanted);

  // ---- inputs ----------------------------------------------------------------------------------
  generate
    for (genvar i = 0; i < Ports; i++) begin : g_input
      localparam int Candidates
          = noc_pkg::input_vcs(i, Externals, Rings, Vcs, RingVcs, OtherVcs);
      localparam int OrderBits = noc_pkg::order_bits(Arbiters, Candidates, VcBits);
      logic [Ports-1:0] requested;
      logic [Ports-1:0] given;  // the output that it is matched with
      logic [Candidates-1:0] candidates;
      logic [OrderBits-1:0] unused_order;

      requested_outputs #(
          .Ports(Ports),
          .Vcs(Candidates)
      ) u_requested (
          .request_i(request_i[i*MaxVcs+:Candidates]),
          .port_i(port_i[i*MaxVcs*IndexBits+:Candidates*IndexBits]),
          .output_o(requested)
      );

      assign wanted[i*Ports+:Ports] = Ports'({2{requested}} >> diagonal_q);
      assign given = Ports'(({2{matched[i*Ports+:Ports]}} << diagonal_q) >> Ports);

      for (genvar v = 0; v < Candidates; v++) begin : g_vc
        assign candidates[v]
            = request_i[i*MaxVcs+v] && given[port_i[(i*MaxVcs+v)*IndexBits+:IndexBits]];
      end
      for (genvar o = 0; o < Ports; o++) begin : g_winner
        assign winner[o*Ports+i] = given[o];
      end

      arbiter #(
          .Requests(Candidates),
          .IndexBits(VcBits),
          .Arbiters(Arbiters)
      ) u_in_arbiter (
          .clk_i,
          .rst_ni,
          .request_i(candidates),
          .advance_i(granted_o[i]),
          .valid_o(granted_o[i]),
          .index_o(nominee_o[i*VcBits+:VcBits]),
          .pointer_o(in_pointer_o[i*VcBits+:VcBits]),
          .order_o(unused_order)
      );
    end
  endgenerate

  // ---- outputs ---------------------------------------------------------------------------------
  function automatic logic [IndexBits-1:0] number_of(input logic [Ports-1:0] inputs);
    number_of = '0;
    for (int i = 0; i < Ports; i++) begin
      if (inputs[i]) number_of = number_of | IndexBits'(i);
    end
  endfunction

  generate
    for (genvar o = 0; o < Ports; o++) begin : g_output
      assign grant_valid_o[o] = |winner[o*Ports+:Ports];
      assign grant_in_o[o*IndexBits+:IndexBits] = number_of(winner[o*Ports+:Ports]);
      assign out_pointer_o[o*IndexBits+:IndexBits] = diagonal_q;
    end
  endgenerate

  // ---- registers -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) diagonal_q <= '0;
    else if (|grant_valid_o) diagonal_q <= (diagonal_q == Last) ? '0 : diagonal_q + 1'b1;
  end

  // Places without a VC request nothing.
  logic unused_places;
  assign unused_places = ^{request_i, port_i};

  // ---- assertions ------------------------------------------------------------------------------
  invariant diagonal_in_range (.clk_i, .rst_ni, .holds_i(32'(diagonal_q) < Ports));

endmodule
