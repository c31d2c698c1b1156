// Something that must hold at every clock edge outside reset.
//
// A module rather than a macro: its instance name says what is claimed, simulators print it when
// the claim fails, and a formal tool proves it. It leaves no hardware.
module invariant (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low; the claim is not made while it is 0.
    input logic rst_ni,
    /// The claim.
    input logic holds_i
);

`ifdef YOSYS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (holds_i);
  end
`else
  // Unknown counts as broken, hence !==. Nothing is stored, hence no always_ff.
  always @(posedge clk_i) begin
    if (rst_ni && holds_i !== 1'b1) $fatal(1, "broken: %m");
  end
`endif

endmodule
