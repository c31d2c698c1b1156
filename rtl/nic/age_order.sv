// The order of age of the occupied places: the rank of a place is the number of places that were
// occupied before it and still are.
//
// All removals of a cycle come before its insertions, which count in the order of their ports.
module age_order #(
    /// Places, 2..64.
    parameter int Places = 64,
    /// Insertions in a cycle, at most.
    parameter int Inserts = 1,
    /// Removals in a cycle, at most.
    parameter int Removals = 1
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low: all places are free.
    input logic rst_ni,
    /// These places become occupied. They must be free.
    input logic [Inserts-1:0] insert_valid_i,
    input logic [Inserts*nic_pkg::PlaceBits-1:0] insert_place_i,
    /// These places become free. They must be occupied, and different.
    input logic [Removals-1:0] remove_valid_i,
    input logic [Removals*nic_pkg::PlaceBits-1:0] remove_place_i,
    /// By place: its rank. Of a free place it has no meaning.
    output logic [Places*nic_pkg::PlaceBits-1:0] rank_o
);

  localparam int PlaceBits = nic_pkg::PlaceBits;

  logic [Places*PlaceBits-1:0] rank_q;
  logic [PlaceBits:0] count_q;
  logic [Removals*PlaceBits-1:0] removed_rank;
  logic [PlaceBits:0] kept;  // places that stay occupied

  assign rank_o = rank_q;

  // ---- datapath --------------------------------------------------------------------------------
  function automatic logic [PlaceBits:0] ones_of_removals(input logic [Removals-1:0] bits);
    ones_of_removals = '0;
    for (int k = 0; k < Removals; k++) ones_of_removals = ones_of_removals + {6'd0, bits[k]};
  endfunction

  function automatic logic [PlaceBits:0] ones_of_inserts(input logic [Inserts-1:0] bits);
    ones_of_inserts = '0;
    for (int k = 0; k < Inserts; k++) ones_of_inserts = ones_of_inserts + {6'd0, bits[k]};
  endfunction

  assign kept = count_q - ones_of_removals(remove_valid_i);

  generate
    for (genvar k = 0; k < Removals; k++) begin : g_removal
      assign removed_rank[k*PlaceBits+:PlaceBits] =
          rank_q[32'(remove_place_i[k*PlaceBits+:PlaceBits])*PlaceBits+:PlaceBits];
    end

    for (genvar p = 0; p < Places; p++) begin : g_place
      logic [Removals-1:0] older_leaves;
      logic [Inserts-1:0] enters;
      for (genvar k = 0; k < Removals; k++) begin : g_removal
        assign older_leaves[k] = remove_valid_i[k]
            && removed_rank[k*PlaceBits+:PlaceBits] < rank_q[p*PlaceBits+:PlaceBits];
      end
      for (genvar k = 0; k < Inserts; k++) begin : g_insert
        assign enters[k] = insert_valid_i[k]
            && insert_place_i[k*PlaceBits+:PlaceBits] == PlaceBits'(p);
      end

      // The rank that an inserted place gets: behind all that stay, and the insertions before it.
      function automatic logic [PlaceBits-1:0] entry_rank(input logic [PlaceBits:0] stay,
                                                          input logic [Inserts-1:0] valid,
                                                          input logic [Inserts-1:0] mine);
        logic [PlaceBits:0] rank;
        rank = stay;
        entry_rank = '0;
        for (int k = 0; k < Inserts; k++) begin
          if (mine[k]) entry_rank = rank[PlaceBits-1:0];
          rank = rank + {6'd0, valid[k]};
        end
      endfunction

      always_ff @(posedge clk_i) begin
        if (!rst_ni) rank_q[p*PlaceBits+:PlaceBits] <= '0;
        else if (|enters) begin
          rank_q[p*PlaceBits+:PlaceBits] <= entry_rank(kept, insert_valid_i, enters);
        end else begin
          rank_q[p*PlaceBits+:PlaceBits] <= rank_q[p*PlaceBits+:PlaceBits]
              - PlaceBits'(ones_of_removals(older_leaves));
        end
      end
    end
  endgenerate

  // ---- registers -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else count_q <= kept + ones_of_inserts(insert_valid_i);
  end

  // ---- assertions ------------------------------------------------------------------------------
  invariant places_suffice (.clk_i, .rst_ni, .holds_i(32'(count_q) <= Places));

endmodule
