// Picks the candidate with the lowest rank, by a tree of comparators.
module oldest #(
    /// Places, 2..64.
    parameter int Places = 64
) (
    /// By place: it can be picked.
    input logic [Places-1:0] candidate_i,
    /// By place: its rank. The ranks of candidates are different.
    input logic [Places*nic_pkg::PlaceBits-1:0] rank_i,
    /// There is a candidate.
    output logic valid_o,
    /// The pick; 0 if there is none.
    output logic [nic_pkg::PlaceBits-1:0] place_o
);

  localparam int PlaceBits = nic_pkg::PlaceBits;
  localparam int Levels = $clog2(Places);
  localparam int Leaves = 1 << Levels;
  localparam int NodeBits = 1 + 2 * PlaceBits;  // {candidate, rank, place}

  logic [NodeBits-1:0] root;

  // In each round the better one of neighbours 2k and 2k+1 goes to k.
  function automatic logic [NodeBits-1:0] first_of(input logic [Places-1:0] candidate,
                                                   input logic [Places*PlaceBits-1:0] rank);
    logic [Leaves*NodeBits-1:0] nodes;
    logic [NodeBits-1:0] low, high;
    nodes = '0;
    for (int p = 0; p < Places; p++) begin
      nodes[p*NodeBits+:NodeBits] = {candidate[p], rank[p*PlaceBits+:PlaceBits], PlaceBits'(p)};
    end
    for (int width = Leaves / 2; width > 0; width = width / 2) begin
      for (int k = 0; k < width; k++) begin
        low = nodes[2*k*NodeBits+:NodeBits];
        high = nodes[(2*k+1)*NodeBits+:NodeBits];
        nodes[k*NodeBits+:NodeBits] = (high[NodeBits-1] && (!low[NodeBits-1]
            || high[PlaceBits+:PlaceBits] < low[PlaceBits+:PlaceBits])) ? high : low;
      end
    end
    first_of = nodes[NodeBits-1:0];
  endfunction

  assign root = first_of(candidate_i, rank_i);
  assign valid_o = root[NodeBits-1];
  assign place_o = valid_o ? root[PlaceBits-1:0] : '0;

endmodule
