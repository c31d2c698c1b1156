// Route computation in one dimension (docs/internals/microarchitecture.md, section 5.1): the
// direction in which a packet goes, and the class of VCs that it may use there. It is
// combinational.
module route_dimension #(
    /// The dimension is a ring (torus), not a line (mesh).
    parameter int Ring = 0,
    /// Classes of VCs in a ring: 1 (none), 2 (dateline) or 3 (plh).
    parameter int Classes = 1
) (
    /// This router's coordinate, and the greatest coordinate of the dimension (used in rings only).
    input logic [noc_pkg::CoordBits-1:0] here_i,
    input logic [noc_pkg::CoordBits-1:0] last_i,
    /// Coordinates of the packet's destination and source.
    input logic [noc_pkg::CoordBits-1:0] dest_i,
    input logic [noc_pkg::CoordBits-1:0] source_i,
    /// The packet goes up, or down, or (if both are 0) does not move in this dimension.
    output logic up_o,
    output logic down_o,
    /// The class of the VCs that the packet may take.
    output logic [noc_pkg::ClassBits-1:0] class_o
);

  logic above;
  logic below;
  assign above = dest_i > here_i;
  assign below = dest_i < here_i;

  generate
    if (Ring != 0) begin : g_ring
      // Steps to the destination, going up, and nodes in the ring: up to 256.
      logic [noc_pkg::CoordBits:0] steps_up;
      logic [noc_pkg::CoordBits:0] size;
      assign size = {1'b0, last_i} + 1'b1;
      assign steps_up = {1'b0, dest_i} - {1'b0, here_i} + (below ? size : '0);
      // The shorter direction; up if both are equally long.
      assign down_o = {steps_up, 1'b0} > {1'b0, size};
      assign up_o = steps_up != 0 && !down_o;
    end else begin : g_line
      logic unused_last;
      assign unused_last = ^last_i;
      assign up_o = above;
      assign down_o = below;
    end

    if (Ring != 0 && Classes == 2) begin : g_dateline
      // Class 1 if the packet has passed the wrap-around link, or if the link is not on its path.
      logic unused_source;
      assign unused_source = ^source_i;
      assign class_o = {1'b0, up_o ? !below : down_o && !above};
    end else if (Ring != 0 && Classes == 3) begin : g_plh
      logic wraps;    // the wrap-around link is still ahead: l
      logic wrapped;  // the packet has passed it: h. If neither holds: p.
      assign wraps = up_o ? below : down_o && above;
      assign wrapped = up_o ? dest_i < source_i : down_o && dest_i > source_i;
      assign class_o = {wrapped && !wraps, wraps};
    end else begin : g_no_classes
      logic unused_source;
      assign unused_source = ^{source_i, above};
      assign class_o = '0;
    end
  endgenerate

endmodule
