// A chain of registers shows the word of so many cycles ago, and zeros for as long after reset.
module register_chain_tb #(
    parameter int Registers = 1
);

  localparam int Cycles = 200;

  logic clk;
  logic rst_n;
  logic [69:0] data, late, want;

  register_chain #(
      .Width(70),
      .Registers(Registers)
  ) dut (
      .clk_i(clk), .rst_ni(rst_n), .data_i(data), .data_o(late)
  );

  function automatic logic [69:0] word(input int number);
    word = {6'(number), traffic_pkg::hash(64'(number))};
  endfunction

  initial clk = 1'b0;
  always #5 clk = ~clk;

  initial begin
    rst_n = 1'b0;
    data = word(1000);
    @(negedge clk);
    @(negedge clk);
    rst_n = 1'b1;
    for (int c = 0; c < Cycles; c++) begin
      data = word(c);
      #1;
      want = (c >= Registers) ? word(c - Registers) : '0;
      if (late !== want) $fatal(1, "cycle %0d: %h, expected %h", c, late, want);
      @(negedge clk);
    end
    $display("register_chain: %0d registers\nPASS", Registers);
    $finish;
  end

endmodule
