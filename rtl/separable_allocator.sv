// Separable, input-first allocation. It allocates the outputs' channels to input VCs (SA), or the
// outputs' VCs to heads (VA with four stages).
//
// Each input port nominates one of its requesting VCs. Each output port picks one of the nominees
// that request it. So an input port wins at most once, and an output port gives at most one grant.
// A pick is final only if both stages agree: if an input's nominee loses, the input's order stays.
module separable_allocator #(
    /// Ports of the switch; the first Externals of them lead to neighbours, ports 2k and 2k+1 along
    /// a ring if bit k of Rings is set.
    parameter int Ports = 8,
    parameter int Externals = 4,
    parameter int Rings = 0,
    /// Numbers of virtual channels at the inputs: of external ports, of external ports along a
    /// ring, and of all other ports.
    parameter int Vcs = 1,
    parameter int RingVcs = Vcs,
    parameter int OtherVcs = 1,
    /// The kind of all arbiters: 0 round-robin, 1 matrix.
    parameter int Arbiters = 0,
    /// Derived, not to be set.
    localparam int IndexBits = $clog2(Ports)
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Per input VC: whether it requests, and which output port.
    input logic [Ports*noc_pkg::MaxVcs-1:0] request_i,
    input logic [Ports*noc_pkg::MaxVcs*IndexBits-1:0] port_i,
    /// Per input port: the nominated VC (0 if none), and whether it is granted.
    output logic [Ports*noc_pkg::VcBits-1:0] nominee_o,
    output logic [Ports-1:0] granted_o,
    /// Per output port: whether it is granted, and to which input port (0 if to none).
    output logic [Ports-1:0] grant_valid_o,
    output logic [Ports*IndexBits-1:0] grant_in_o,
    /// Pointers of the arbiters.
    output logic [Ports*noc_pkg::VcBits-1:0] in_pointer_o,
    output logic [Ports*IndexBits-1:0] out_pointer_o
);

  logic [Ports-1:0] nominee_valid;
  logic [Ports*IndexBits-1:0] nominee_port;
  logic [Ports*Ports-1:0] wanted;   // [o*Ports + i]: the nominee of input i requests output o
  logic [Ports*Ports-1:0] granted;  // [i*Ports + o]: it is granted

  // ---- input stage -----------------------------------------------------------------------------
  generate
    for (genvar i = 0; i < Ports; i++) begin
      localparam int Candidates = (i >= Externals) ? OtherVcs
          : (((Rings >> (i / 2)) & 1) != 0) ? RingVcs : Vcs;

      arbiter #(
          .Requests(Candidates),
          .IndexBits(noc_pkg::VcBits),
          .Matrix(Arbiters)
      ) u_in_arbiter (
          .clk_i,
          .rst_ni,
          .request_i(request_i[i*noc_pkg::MaxVcs+:Candidates]),
          .advance_i(granted_o[i]),
          .valid_o(nominee_valid[i]),
          .index_o(nominee_o[i*noc_pkg::VcBits+:noc_pkg::VcBits]),
          .pointer_o(in_pointer_o[i*noc_pkg::VcBits+:noc_pkg::VcBits])
      );

      assign nominee_port[i*IndexBits+:IndexBits] = port_i[
          (i*noc_pkg::MaxVcs+32'(nominee_o[i*noc_pkg::VcBits+:noc_pkg::VcBits]))*IndexBits
          +:IndexBits];
      assign granted_o[i] = |granted[i*Ports+:Ports];
    end
  endgenerate

  // ---- output stage ----------------------------------------------------------------------------
  generate
    for (genvar o = 0; o < Ports; o++) begin
      for (genvar i = 0; i < Ports; i++) begin
        assign wanted[o*Ports+i]
            = nominee_valid[i] && nominee_port[i*IndexBits+:IndexBits] == IndexBits'(o);
        assign granted[i*Ports+o]
            = grant_valid_o[o] && grant_in_o[o*IndexBits+:IndexBits] == IndexBits'(i);
      end

      arbiter #(
          .Requests(Ports),
          .IndexBits(IndexBits),
          .Matrix(Arbiters)
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
