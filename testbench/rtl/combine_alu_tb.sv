// The combine unit's arithmetic against plain arithmetic of SystemVerilog, all operators and types,
// with random operands and with those at which carries and signs change.
module combine_alu_tb;

  localparam int Cycles = 20000;

  logic clk;
  logic [3:0] code, kind;
  logic [63:0] left, right, result, random;
  logic [63:0] want_q[0:2];
  int seen[0:15];  // by operator

  combine_alu dut (
      .clk_i(clk), .operator_i(code), .type_i(kind), .left_i(left), .right_i(right),
      .result_o(result)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  // One half of 4 bytes, sign as the type says.
  function automatic logic [31:0] half(input logic [3:0] op, input logic is_signed,
                                       input logic [31:0] a, input logic [31:0] b);
    logic below;
    below = is_signed ? $signed(a) < $signed(b) : a < b;
    case (op)
      4'd1: half = a + b;
      4'd2: half = below ? a : b;
      4'd3: half = below ? b : a;
      4'd4: half = a * b;
      4'd5: half = a & b;
      4'd6: half = a | b;
      default: half = a ^ b;
    endcase
  endfunction

  function automatic logic [63:0] whole(input logic [3:0] op, input logic [63:0] a,
                                        input logic [63:0] b);
    case (op)
      4'd1: whole = a + b;
      4'd2: whole = ($signed(a) < $signed(b)) ? a : b;
      4'd3: whole = ($signed(a) < $signed(b)) ? b : a;
      4'd4: whole = a * b;
      4'd5: whole = a & b;
      4'd6: whole = a | b;
      default: whole = a ^ b;
    endcase
  endfunction

  // Half of the operands are near 0, near the ends of a sign, or share their upper half.
  function automatic logic [63:0] operand(input logic [63:0] bits);
    case (bits[2:0])
      3'd0: operand = {60'd0, bits[11:8]};
      3'd1: operand = ~{60'd0, bits[11:8]};
      3'd2: operand = 64'h7fff_ffff_7fff_ffff + {31'd0, bits[8], 31'd0, bits[9]};
      3'd3: operand = {32'h8000_0000, bits[63:32]};
      default: operand = bits ^ (bits << 21);
    endcase
  endfunction

  initial begin
    for (int k = 0; k < 16; k++) seen[k] = 0;
    random = 64'd88172645463325252;
    for (int c = 0; c < Cycles; c++) begin
      random = traffic_pkg::next_random(random);
      kind = 4'd1 + 4'(random[33:32] % 2'd3);
      code = 4'd1 + 4'(random[37:34] % 4'd7);
      random = traffic_pkg::next_random(random);
      left = operand(random);
      random = traffic_pkg::next_random(random);
      right = operand(random);
      seen[code] = seen[code] + 1;
      want_q[2] = want_q[1];
      want_q[1] = want_q[0];
      want_q[0] = (kind == 4'd3) ? whole(code, left, right)
          : {half(code, kind == 4'd1, left[63:32], right[63:32]),
             half(code, kind == 4'd1, left[31:0], right[31:0])};
      #1;
      if (c >= 2 && result !== want_q[2])
        $fatal(1, "cycle %0d: %h, expected %h", c, result, want_q[2]);
      @(negedge clk);
    end
    for (int k = 1; k <= 7; k++) begin
      if (seen[k] < Cycles / 20) $fatal(1, "only %0d times operator %0d", seen[k], k);
    end
    $display("combine_alu: %0d results\nPASS", Cycles - 2);
    $finish;
  end

endmodule
