// A condition that must hold at every clock edge outside reset.
//
// It is a module rather than a macro. Its instance name states the claim, a simulator prints the
// name if the claim fails, and a formal tool proves the claim. It generates no hardware.
module invariant (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low. The claim is not checked while it is 0.
    input logic rst_ni,
    /// The claim, which must be 1.
    input logic holds_i
);

`ifdef YOSYS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (holds_i);
  end
`else
  // An unknown value counts as a failure, hence !==. Nothing is stored, hence no always_ff.
  always @(posedge clk_i) begin
    if (rst_ni && holds_i !== 1'b1) $fatal(1, "broken: %m");
  end
`endif

endmodule
