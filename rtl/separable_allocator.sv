// Separable, input-first allocation. Pins and parameters are those of module allocator.
//
// Each input port nominates one of its requesting VCs. Each output port picks one of the nominees
// that request it. So an input port wins at most once, and an output port gives at most one grant.
// A pick is final only if both stages agree: if an input's nominee loses, the input's order stays.
module separable_allocator #(
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

  logic [Ports-1:0] nominee_valid;
  logic [Ports*IndexBits-1:0] nominee_port;
  logic [Ports*Ports-1:0] wanted;   // [o*Ports + i]: the nominee of input i requests output o
  logic [Ports*Ports-1:0] granted;  // [i*Ports + o]: it is granted

  // ---- input stage -----------------------------------------------------------------------------
  generate
    for (genvar i = 0; i < Ports; i++) begin : g_input
      localparam int Candidates = (i >= Externals) ? OtherVcs
          : (((Rings >> (i / 2)) & 1) != 0) ? RingVcs : Vcs;

      arbiter #(
          .Requests(Candidates),
          .IndexBits(VcBits),
          .Arbiters(Arbiters)
      ) u_in_arbiter (
          .clk_i,
          .rst_ni,
          .request_i(request_i[i*MaxVcs+:Candidates]),
          .advance_i(granted_o[i]),
          .valid_o(nominee_valid[i]),
          .index_o(nominee_o[i*VcBits+:VcBits]),
          .pointer_o(in_pointer_o[i*VcBits+:VcBits])
      );

      assign nominee_port[i*IndexBits+:IndexBits]
          = port_i[(i*MaxVcs+32'(nominee_o[i*VcBits+:VcBits]))*IndexBits+:IndexBits];
      assign granted_o[i] = |granted[i*Ports+:Ports];
    end
  endgenerate

  // ---- output stage ----------------------------------------------------------------------------
  generate
    for (genvar o = 0; o < Ports; o++) begin : g_output
      for (genvar i = 0; i < Ports; i++) begin : g_pair
        assign wanted[o*Ports+i]
            = nominee_valid[i] && nominee_port[i*IndexBits+:IndexBits] == IndexBits'(o);
        assign granted[i*Ports+o]
            = grant_valid_o[o] && grant_in_o[o*IndexBits+:IndexBits] == IndexBits'(i);
      end

      arbiter #(
          .Requests(Ports),
          .IndexBits(IndexBits),
          .Arbiters(Arbiters)
      ) u_out_arbiter (
          .clk_i,
          .rst_ni,
          .request_i(wanted[o*Ports+:Ports]),
          .advance_i(grant_valid_o[o]),
          .valid_o(grant_valid_o[o]),
          .index_o(grant_in_o[o*IndexBits+:IndexBits]),
          .pointer_o(out_pointer_o[o*IndexBits+:IndexBits])
      );
    end
  endgenerate

  // Places without a VC request nothing.
  logic unused_places;
  assign unused_places = ^request_i;

endmodule
