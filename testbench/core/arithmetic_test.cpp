// Every arithmetic instruction at the corners of its operands. The expected values are the ISA
// manual's definitions in exact 64-bit arithmetic: sums, floors and remainders of integers, so that
// no overflow, wrap or shift of the host can hide one of the core's.
#include <gmock/gmock.h>

#include <functional>
#include <iterator>
#include <map>

#include "testbench/core/assemble.hpp"

namespace annelid::test {
namespace {

using Wide = std::int64_t;

constexpr std::uint32_t kCorners[] = {
    0,          1,          2,          3,          7,          31,         32,         33,
    0x7f,       0x80,       0x7fff,     0x8000,     0xffff,     0x10000,    0x55555555, 0xaaaaaaaa,
    0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xffff8000, 0xffffff80, 0xfffffffe, 0xffffffff};

/// The word as a two's complement number.
Wide s(std::uint32_t word) {
  return word < 0x80000000u ? Wide{word} : Wide{word} - (Wide{1} << 32);
}
Wide u(std::uint32_t word) { return Wide{word}; }

Wide floor_divide(Wide a, Wide positive) {
  const Wide quotient = a / positive;
  return a % positive < 0 ? quotient - 1 : quotient;
}
Wide power_of_two(std::uint32_t exponent) { return Wide{1} << exponent; }
/// Bits 31:0 of a number.
std::uint32_t low(Wide value) {
  const Wide modulus = power_of_two(32);
  return static_cast<std::uint32_t>(value - floor_divide(value, modulus) * modulus);
}
std::uint32_t high(Wide value) { return low(floor_divide(value, power_of_two(32))); }

/// Bit by bit, by the truth table of each position.
std::uint32_t bitwise(std::uint32_t a, std::uint32_t b, const std::function<bool(bool, bool)>& f) {
  std::uint32_t result = 0;
  for (int i = 0; i < 32; ++i) {
    const std::uint32_t bit = std::uint32_t{1} << i;
    if (f((a & bit) != 0, (b & bit) != 0)) result |= bit;
  }
  return result;
}

using Definition = std::function<std::uint32_t(std::uint32_t, std::uint32_t)>;

const std::map<std::string, Definition> kAlu = {
    {"add", [](auto a, auto b) { return low(s(a) + s(b)); }},
    {"sub", [](auto a, auto b) { return low(s(a) - s(b)); }},
    {"slt", [](auto a, auto b) { return s(a) < s(b) ? 1u : 0u; }},
    {"sltu", [](auto a, auto b) { return u(a) < u(b) ? 1u : 0u; }},
    {"and", [](auto a, auto b) { return bitwise(a, b, [](bool p, bool q) { return p && q; }); }},
    {"or", [](auto a, auto b) { return bitwise(a, b, [](bool p, bool q) { return p || q; }); }},
    {"xor", [](auto a, auto b) { return bitwise(a, b, [](bool p, bool q) { return p != q; }); }},
    // The shift amount is the low five bits of rs2.
    {"sll", [](auto a, auto b) { return low(u(a) * power_of_two(b % 32)); }},
    {"srl", [](auto a, auto b) { return low(floor_divide(u(a), power_of_two(b % 32))); }},
    {"sra", [](auto a, auto b) { return low(floor_divide(s(a), power_of_two(b % 32))); }},
};

const std::map<std::string, Definition> kMultiply = {
    {"mul", [](auto a, auto b) { return low(s(a) * s(b)); }},
    {"mulh", [](auto a, auto b) { return high(s(a) * s(b)); }},
    {"mulhsu", [](auto a, auto b) { return high(s(a) * u(b)); }},
    // The product may need 64 bits: (2^16 p + q) r, the parts added before the last shift.
    {"mulhu", [](auto a, auto b) {
       const Wide upper = u(a >> 16) * u(b), lower = u(a & 0xffff) * u(b);
       return low(floor_divide(upper + floor_divide(lower, power_of_two(16)), power_of_two(16)));
     }}};

// Table "Semantics for division by zero and division overflow" of the M extension. The overflow
// needs no case of its own here: -2^31 / -1 is 2^31, whose low 32 bits are those of -2^31.
const std::map<std::string, Definition> kDivide = {
    {"div", [](auto a, auto b) { return b == 0 ? low(-1) : low(s(a) / s(b)); }},
    {"divu", [](auto a, auto b) { return b == 0 ? low(-1) : low(u(a) / u(b)); }},
    {"rem", [](auto a, auto b) { return b == 0 ? a : low(s(a) % s(b)); }},
    {"remu", [](auto a, auto b) { return b == 0 ? a : low(u(a) % u(b)); }}};

void expect_at_all_corners(const std::map<std::string, Definition>& definitions) {
  for (const auto& [name, definition] : definitions) {
    std::string text;
    for (const std::uint32_t a : kCorners) {
      text += li("a0", a);
      for (const std::uint32_t b : kCorners) {
        text += li("a1", b) + name + " a2, a0, a1\nsw a2, 0(s0)\n";
      }
    }
    const auto values = stored_by(text);
    ASSERT_EQ(values.size(), std::size(kCorners) * std::size(kCorners));
    std::size_t i = 0;
    for (const std::uint32_t a : kCorners) {
      for (const std::uint32_t b : kCorners) {
        ASSERT_EQ(values[i++], definition(a, b)) << name << std::hex << " " << a << ", " << b;
      }
    }
  }
}

TEST(CoreArithmetic, RegisterInstructionsFollowTheirDefinitionAtAllPairsOfCorners) {
  expect_at_all_corners(kAlu);
}

TEST(CoreArithmetic, MultiplicationsFollowTheirDefinitionAtAllPairsOfCorners) {
  expect_at_all_corners(kMultiply);
}

TEST(CoreArithmetic, DivisionsFollowTheirDefinitionAtAllPairsOfCorners) {
  expect_at_all_corners(kDivide);
}

TEST(CoreArithmetic, DivisionByZeroAndOverflowGiveTheManualsTable) {
  const std::string operands = li("a0", 0x80000000u) + li("a1", 0xffffffffu) + li("a2", 12345);
  EXPECT_THAT(stored_by(operands + R"(
      div a3, a2, x0
      sw a3, 0(s0)
      divu a3, a2, x0
      sw a3, 0(s0)
      rem a3, a2, x0
      sw a3, 0(s0)
      remu a3, a2, x0
      sw a3, 0(s0)
      div a3, a0, a1
      sw a3, 0(s0)
      rem a3, a0, a1
      sw a3, 0(s0))"),
              testing::ElementsAre(0xffffffffu, 0xffffffffu, 12345, 12345, 0x80000000u, 0));
}

TEST(CoreArithmetic, ImmediateInstructionsFollowTheirDefinitionAtAllCorners) {
  const std::map<std::string, std::string> register_form = {
      {"addi", "add"}, {"slti", "slt"}, {"sltiu", "sltu"}, {"andi", "and"}, {"ori", "or"},
      {"xori", "xor"}, {"slli", "sll"}, {"srli", "srl"},   {"srai", "sra"}};
  for (const auto& [name, form] : register_form) {
    const bool shift = name[0] == 's' && name[1] != 'l';  // srli, srai; slli below
    const std::vector<int> immediates = shift || name == "slli"
                                            ? std::vector<int>{0, 1, 5, 16, 30, 31}
                                            : std::vector<int>{0, 1, -1, 0x555, 2047, -2047, -2048};
    std::string text;
    for (const std::uint32_t a : kCorners) {
      text += li("a0", a);
      for (const int immediate : immediates) {
        text += name + " a2, a0, " + std::to_string(immediate) + "\nsw a2, 0(s0)\n";
      }
    }
    const auto values = stored_by(text);
    ASSERT_EQ(values.size(), std::size(kCorners) * immediates.size());
    std::size_t i = 0;
    for (const std::uint32_t a : kCorners) {
      for (const int immediate : immediates) {
        // Immediates are sign-extended, those of SLTIU too.
        ASSERT_EQ(values[i++], kAlu.at(form)(a, low(immediate)))
            << name << std::hex << " " << a << ", " << immediate;
      }
    }
  }
}

TEST(CoreArithmetic, UpperImmediatesFillTheUpperTwentyBits) {
  EXPECT_THAT(stored_by("lui a0, 0xfffff\nsw a0, 0(s0)\n"
                        "lui a0, 0x80000\nsw a0, 0(s0)\n"
                        "lui a0, 1\nsw a0, 0(s0)\n"),
              testing::ElementsAre(0xfffff000u, 0x80000000u, 0x1000u));
  // The first instruction of the text stands at 4, after the one that sets s0.
  EXPECT_THAT(stored_by("auipc a0, 0\nsw a0, 0(s0)\n"
                        "auipc a0, 1\nsw a0, 0(s0)\n"
                        "auipc a0, 0xfffff\nsw a0, 0(s0)\n"),
              testing::ElementsAre(4u, 0x100cu, 0xfffff014u));
}

TEST(CoreArithmetic, RegisterZeroStaysZeroWhateverWritesIt) {
  for (const char* write :
       {"addi x0, x0, 5", "lui x0, 7", "auipc x0, 7", "add x0, s0, s0", "mul x0, s0, s0",
        "div x0, s0, s1", "lw x0, 0(x0)", "lw x0, 0(s0)", "jal x0, 1f\n1:", "csrr x0, mhartid",
        "la a0, 1f\njalr x0, 0(a0)\n1:"}) {
    EXPECT_THAT(stored_by(std::string(write) + "\nsw x0, 0(s0)\nadd a0, x0, x0\nsw a0, 0(s0)\n"),
                testing::ElementsAre(0, 0))
        << write;
  }
}

}  // namespace
}  // namespace annelid::test
