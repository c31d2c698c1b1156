// The arithmetic of one lane of the combine unit: two registered stages between operands and
// result. Integers wrap around. FLOAT32 has AND, OR and XOR here.
module combine_alu (
    /// Clock.
    input logic clk_i,
    /// Codes of RECV_COMBINE, in the cycle of the operands.
    input logic [nic_pkg::OperatorBits-1:0] operator_i,
    input logic [nic_pkg::TypeBits-1:0] type_i,
    /// The left operand and the right one: one element of 8 bytes, or two of 4.
    input logic [nic_pkg::DataBits-1:0] left_i,
    input logic [nic_pkg::DataBits-1:0] right_i,
    /// The result, two cycles later.
    output logic [nic_pkg::DataBits-1:0] result_o
);

  localparam int DataBits = nic_pkg::DataBits;
  localparam int HalfBits = DataBits / 2;

  logic [DataBits-1:0] simple;  // the result of all operators but PRODUCT
  logic [DataBits-1:0] low_by_low;
  logic [HalfBits-1:0] low_by_high, high_by_low, high_by_high;
  logic product_q, wide_q;
  logic [DataBits-1:0] simple_q, low_by_low_q;
  logic [HalfBits-1:0] low_by_high_q, high_by_low_q, high_by_high_q;
  logic [DataBits-1:0] result_q;

  assign result_o = result_q;

  // ---- datapath, first stage -------------------------------------------------------------------
  // a < b of one half, given the carry of the half below it.
  function automatic logic [HalfBits:0] less(input logic is_signed, input logic [HalfBits-1:0] a,
                                             input logic [HalfBits-1:0] b);
    logic [HalfBits-1:0] sign;
    sign = {is_signed, {(HalfBits - 1) {1'b0}}};
    less = {(a ^ sign) < (b ^ sign), a ^ b};
  endfunction

  // Which halves of the left operand are less than those of the right one.
  function automatic logic [1:0] less_halves(input logic [nic_pkg::TypeBits-1:0] kind,
                                             input logic [DataBits-1:0] a,
                                             input logic [DataBits-1:0] b);
    logic [HalfBits:0] low, high;
    logic wide, is_less;
    wide = kind == nic_pkg::Int64;
    low = less(kind == nic_pkg::Int32, a[HalfBits-1:0], b[HalfBits-1:0]);
    high = less(kind != nic_pkg::Uint32, a[DataBits-1:HalfBits], b[DataBits-1:HalfBits]);
    is_less = high[HalfBits] || (high[HalfBits-1:0] == '0 && low[HalfBits]);
    less_halves = wide ? {is_less, is_less} : {high[HalfBits], low[HalfBits]};
  endfunction

  function automatic logic [DataBits-1:0] sum_of(input logic wide, input logic [DataBits-1:0] a,
                                                 input logic [DataBits-1:0] b);
    logic [HalfBits:0] low;
    low = {1'b0, a[HalfBits-1:0]} + {1'b0, b[HalfBits-1:0]};
    sum_of = {a[DataBits-1:HalfBits] + b[DataBits-1:HalfBits] + HalfBits'(wide && low[HalfBits]),
              low[HalfBits-1:0]};
  endfunction

  function automatic logic [DataBits-1:0] simple_of(input logic [nic_pkg::OperatorBits-1:0] code,
                                                    input logic [nic_pkg::TypeBits-1:0] kind,
                                                    input logic [DataBits-1:0] a,
                                                    input logic [DataBits-1:0] b);
    logic [1:0] take;  // halves of a
    take = less_halves(kind, a, b) ^ {2{code == nic_pkg::Max}};
    case (code)
      nic_pkg::Sum: simple_of = sum_of(kind == nic_pkg::Int64, a, b);
      nic_pkg::And: simple_of = a & b;
      nic_pkg::Or: simple_of = a | b;
      nic_pkg::Xor: simple_of = a ^ b;
      default:
      simple_of = {take[1] ? a[DataBits-1:HalfBits] : b[DataBits-1:HalfBits],
                   take[0] ? a[HalfBits-1:0] : b[HalfBits-1:0]};
    endcase
  endfunction

  assign simple = simple_of(operator_i, type_i, left_i, right_i);
  assign low_by_low = {32'd0, left_i[HalfBits-1:0]} * {32'd0, right_i[HalfBits-1:0]};
  assign low_by_high = left_i[HalfBits-1:0] * right_i[DataBits-1:HalfBits];
  assign high_by_low = left_i[DataBits-1:HalfBits] * right_i[HalfBits-1:0];
  assign high_by_high = left_i[DataBits-1:HalfBits] * right_i[DataBits-1:HalfBits];

  // ---- registers -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    product_q <= operator_i == nic_pkg::Product;
    wide_q <= type_i == nic_pkg::Int64;
    simple_q <= simple;
    low_by_low_q <= low_by_low;
    low_by_high_q <= low_by_high;
    high_by_low_q <= high_by_low;
    high_by_high_q <= high_by_high;
  end

  // ---- second stage ----------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!product_q) result_q <= simple_q;
    else begin
      result_q <= {wide_q ? low_by_low_q[DataBits-1:HalfBits] + low_by_high_q + high_by_low_q
                          : high_by_high_q,
                   low_by_low_q[HalfBits-1:0]};
    end
  end

endmodule
