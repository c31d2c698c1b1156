// The combine unit's arithmetic against numbers that are computed another way: floats exactly in
// 113 bits and then placed between their two neighbours, integers with wider ones.
// State space: operators x types x pairs of corner patterns (all) and of random ones.
#include "nic/arithmetic.hpp"

#include <gtest/gtest.h>
#include <xmmintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace annelid::nic {
namespace {

using reg::Operator;
using reg::Type;

__extension__ using Quad = __float128;  // 113 bits: products fit, and of sums all that can decide
__extension__ using Wide = __int128;

bool nan(std::uint32_t bits) { return (bits & 0x7F800000) == 0x7F800000 && bits << 9 != 0; }
bool infinite(std::uint32_t bits) { return bits << 1 == 0xFF000000; }
bool negative(std::uint32_t bits) { return bits >> 31 != 0; }

/// 2^exponent.
Quad power(int exponent) {
  Quad result = 1;
  for (; exponent > 0; --exponent) result *= 2;
  for (; exponent < 0; ++exponent) result /= 2;
  return result;
}

/// The value of a finite pattern. Infinity's pattern counts as 2^128, which is where rounding to
/// nearest puts it.
Quad value(std::uint32_t bits) {
  static const std::vector<Quad> powers = [] {
    std::vector<Quad> table;
    table.reserve(256);
    for (int field = 0; field < 256; ++field) table.push_back(power(std::max(field, 1) - 150));
    return table;
  }();
  const std::uint32_t field = bits >> 23 & 0xFF;
  const Quad magnitude =
      static_cast<Quad>((bits & 0x7FFFFF) + (field != 0 ? 0x800000 : 0)) * powers[field];
  return negative(bits) ? -magnitude : magnitude;
}

/// Whether no pattern lies nearer to `exact`, and no even one as near: the definition of rounding
/// to nearest even, which says nothing of how to get there.
bool nearest(std::uint32_t bits, Quad exact) {
  const auto distance = [&](std::uint32_t pattern) {
    const Quad difference = value(pattern) - exact;
    return difference < 0 ? -difference : difference;
  };
  const std::uint32_t sign = bits & 0x80000000, pattern = bits & 0x7FFFFFFF;
  const Quad here = distance(bits);
  const auto beats = [&](std::uint32_t other) {
    const Quad there = distance(other);
    return there < here || (there == here && bits % 2 == 1);
  };
  if (pattern < 0x7F800000 && beats(bits + 1)) return false;
  if (pattern > 0 && beats(bits - 1)) return false;
  return pattern > 0 || !beats(sign ^ 0x80000001);
}

std::string hex(std::uint64_t value) {
  std::ostringstream text;
  text << "0x" << std::hex << value;
  return text.str();
}

/// What is wrong with `result` = left op right, "" if it is right.
std::string check_float(Operator operation, std::uint32_t left, std::uint32_t right,
                        std::uint32_t result) {
  const auto equal = [&](std::uint32_t expected) {
    return result == expected ? "" : "expected " + hex(expected);
  };
  const std::uint32_t sign = (left ^ right) & 0x80000000;
  if (operation == Operator::kSum || operation == Operator::kProduct) {
    if (nan(left) || nan(right)) return equal(0x7FC00000);
  }
  if (operation == Operator::kSum) {
    if (infinite(left) && infinite(right)) return equal(left == right ? left : 0x7FC00000);
    if (infinite(left)) return equal(left);
    if (infinite(right)) return equal(right);
    const Quad exact = value(left) + value(right);
    if (exact == 0) return equal(negative(left) && negative(right) ? 0x80000000 : 0);
    if (nan(result) || negative(result) != (exact < 0)) return "wrong sign or NaN";
    return nearest(result, exact) ? "" : "not the nearest";
  }
  if (operation == Operator::kProduct) {
    if (infinite(left) || infinite(right)) {
      return equal(left << 1 == 0 || right << 1 == 0 ? 0x7FC00000 : sign | 0x7F800000);
    }
    const Quad exact = value(left) * value(right);
    if (nan(result) || (result & 0x80000000) != sign) return "wrong sign or NaN";
    return nearest(result, exact) ? "" : "not the nearest";
  }
  if (nan(left) && nan(right)) return equal(0x7FC00000);
  if (nan(left)) return equal(right);
  if (nan(right)) return equal(left);
  // Zeros are equal as values: the one with a sign is the lesser.
  const auto value_or_infinity = [](std::uint32_t bits) {
    return infinite(bits) ? (negative(bits) ? -power(200) : power(200)) : value(bits);
  };
  const Quad a = value_or_infinity(left), b = value_or_infinity(right);
  const bool left_less = a < b || (a == b && negative(left) && !negative(right));
  return equal((operation == Operator::kMin) == left_less ? left : right);
}

const std::vector<std::uint32_t> kCorners = [] {
  std::vector<std::uint32_t> patterns;
  for (const std::uint32_t pattern :
       {0x00000000u, 0x00000001u, 0x00000002u, 0x00000003u, 0x00400000u, 0x007FFFFEu, 0x007FFFFFu,
        0x00800000u, 0x00800001u, 0x00FFFFFFu, 0x01000000u, 0x0BFFFFFFu, 0x0C000000u, 0x1F800000u,
        0x1F7FFFFFu, 0x20000000u, 0x33800000u, 0x33800001u, 0x33FFFFFFu, 0x34000000u, 0x3EFFFFFFu,
        0x3F000000u, 0x3F000001u, 0x3F7FFFFFu, 0x3F800000u, 0x3F800001u, 0x3FFFFFFFu, 0x40000000u,
        0x40490FDBu, 0x4B000000u, 0x4B000001u, 0x4B7FFFFFu, 0x4B800000u, 0x5F800000u, 0x72FFFFFFu,
        0x73000000u, 0x73800000u, 0x7E800000u, 0x7EFFFFFFu, 0x7F000000u, 0x7F7FFFFEu, 0x7F7FFFFFu,
        0x7F800000u, 0x7F800001u, 0x7FBFFFFFu, 0x7FC00000u, 0x7FC00001u, 0x7FFFFFFFu}) {
    patterns.push_back(pattern);
    patterns.push_back(pattern | 0x80000000);
  }
  return patterns;
}();

constexpr std::array kFloatOperators{Operator::kSum, Operator::kProduct, Operator::kMin,
                                     Operator::kMax};

void expect_float(Operator operation, std::uint32_t left, std::uint32_t right) {
  const std::uint64_t flit = combine(operation, Type::kFloat32, std::uint64_t{right} << 32 | left,
                                     std::uint64_t{left} << 32 | right);
  const auto low = static_cast<std::uint32_t>(flit), high = static_cast<std::uint32_t>(flit >> 32);
  ASSERT_EQ(check_float(operation, left, right, low), "")
      << static_cast<int>(operation) << ": " << hex(left) << ' ' << hex(right) << " = " << hex(low);
  ASSERT_EQ(check_float(operation, right, left, high), "") << "upper half";
}

TEST(Arithmetic, FloatsOfAllPairsOfCornersAreExact) {
  for (const Operator operation : kFloatOperators) {
    for (const std::uint32_t left : kCorners) {
      for (const std::uint32_t right : kCorners) expect_float(operation, left, right);
    }
  }
}

TEST(Arithmetic, FloatsOfRandomPatternsAreExact) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300'000; ++i) {
    const auto left = static_cast<std::uint32_t>(random());
    std::uint32_t right = static_cast<std::uint32_t>(random());
    // Most pairs of patterns are too far apart to meet: every other pair is near in sum or product.
    if (i % 4 == 1) right = (right & 0x807FFFFF) | ((left + (random() % 60 << 23)) & 0x7F800000);
    if (i % 4 == 3) {  // exponents that sum up to about the least
      const std::uint32_t field = left >> 23 & 0xFF;
      right = (right & 0x807FFFFF) | (((103 + random() % 30 - field) & 0xFF) << 23);
    }
    for (const Operator operation : kFloatOperators) expect_float(operation, left, right);
    if (HasFatalFailure()) return;
  }
}

TEST(Arithmetic, SumsThatAreTiesGoToEven) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint32_t exponent = 30 + random() % 200;
    const std::uint32_t left = exponent << 23 | (random() & 0x7FFFFF);
    const std::uint32_t right = (exponent - 24) << 23;  // half of left's lowest bit
    ASSERT_EQ(check_float(
                  Operator::kSum, left, right,
                  static_cast<std::uint32_t>(combine(Operator::kSum, Type::kFloat32, left, right))),
              "");
  }
}

/// The host's own single precision, while its flags say what docs/internals/nic/combining.md does.
std::uint32_t on_host(Operator operation, std::uint32_t left, std::uint32_t right) {
  const volatile float a = std::bit_cast<float>(left), b = std::bit_cast<float>(right);
  const float result = operation == Operator::kSum ? a + b : a * b;
  const auto bits = std::bit_cast<std::uint32_t>(result);
  return nan(bits) ? 0x7FC00000 : bits;
}

TEST(Arithmetic, TheHostAgreesAndItsFlagsDoNotMatter) {
  std::mt19937_64 random(3);
  const unsigned control = _mm_getcsr();
  for (int i = 0; i < 200'000; ++i) {
    std::uint32_t left = kCorners[random() % kCorners.size()];
    std::uint32_t right = kCorners[random() % kCorners.size()];
    if (i % 2 == 0) left = static_cast<std::uint32_t>(random());
    if (i % 3 == 0) right = static_cast<std::uint32_t>(random());
    for (const Operator operation : {Operator::kSum, Operator::kProduct}) {
      const std::uint32_t expected = on_host(operation, left, right);
      _mm_setcsr(control | 0x8040 | 0x6000);  // flush to zero, denormals are zero, toward zero
      const auto result =
          static_cast<std::uint32_t>(combine(operation, Type::kFloat32, left, right));
      _mm_setcsr(control);
      ASSERT_EQ(result, expected) << hex(left) << ' ' << hex(right);
    }
  }
}

template <typename T>
void expect_integers(Type type) {
  constexpr int kBits = 8 * sizeof(T);
  std::mt19937_64 random(4);
  const auto pick = [&]() -> std::uint64_t {
    constexpr std::array<std::uint64_t, 8> kEdges{0,
                                                  1,
                                                  ~0ull,
                                                  0x8000000080000000,
                                                  1ull << 63,
                                                  0x7FFFFFFF7FFFFFFF,
                                                  0x7FFFFFFFFFFFFFFF,
                                                  0xFFFFFFFF00000000};
    return random() % 2 == 0 ? kEdges[random() % 8] : random();
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t left = pick(), right = pick();
    for (std::uint32_t code = 1; code <= 7; ++code) {
      const auto operation = static_cast<Operator>(code);
      const std::uint64_t flit = combine(operation, type, left, right);
      for (int shift = 0; shift < 64; shift += kBits) {
        const Wide a = static_cast<T>(left >> shift), b = static_cast<T>(right >> shift);
        Wide exact = 0;
        switch (operation) {
          case Operator::kSum:
            exact = a + b;
            break;
          case Operator::kProduct:
            exact = a * b;
            break;
          case Operator::kMin:
            exact = a < b ? a : b;
            break;
          case Operator::kMax:
            exact = a < b ? b : a;
            break;
          case Operator::kAnd:
            exact = a & b;
            break;
          case Operator::kOr:
            exact = a | b;
            break;
          default:
            exact = a ^ b;
            break;
        }
        ASSERT_EQ(static_cast<T>(flit >> shift), static_cast<T>(exact))
            << "operator " << code << ": " << hex(left) << ' ' << hex(right) << " bit " << shift;
      }
    }
  }
}

TEST(Arithmetic, IntegersWrapAround) {
  expect_integers<std::int32_t>(Type::kInt32);
  expect_integers<std::uint32_t>(Type::kUint32);
  expect_integers<std::int64_t>(Type::kInt64);
}

TEST(Arithmetic, BitOperatorsTakeTheBitsOfFloats) {
  const std::uint64_t left = 0x7F800001'FFC12345, right = 0xFFFFFFFF'0F0F0F0F;
  EXPECT_EQ(combine(Operator::kAnd, Type::kFloat32, left, right), left & right);
  EXPECT_EQ(combine(Operator::kOr, Type::kFloat32, left, right), left | right);
  EXPECT_EQ(combine(Operator::kXor, Type::kFloat32, left, right), left ^ right);
}

TEST(Arithmetic, KnowsWhichCombinationsAreValid) {
  // Rows: operators 0..8; columns: types 0..5.
  constexpr std::array<const char*, 9> kValid{"yyyyyn", "nyyyyn", "nyyyyn", "nyyyyn", "nyyyyn",
                                              "nyyyyn", "nyyyyn", "nyyyyn", "nnnnnn"};
  for (std::uint32_t operation = 0; operation < kValid.size(); ++operation) {
    for (std::uint32_t type = 0; type < 6; ++type) {
      EXPECT_EQ(valid_combination(operation, type), kValid[operation][type] == 'y')
          << operation << ' ' << type;
    }
  }
  EXPECT_FALSE(valid_combination(15, 1));
  EXPECT_FALSE(valid_combination(1, 15));
  EXPECT_EQ(element_bytes(Type::kBytes), 1u);
  EXPECT_EQ(element_bytes(Type::kInt32), 4u);
  EXPECT_EQ(element_bytes(Type::kUint32), 4u);
  EXPECT_EQ(element_bytes(Type::kFloat32), 4u);
  EXPECT_EQ(element_bytes(Type::kInt64), 8u);
}

}  // namespace
}  // namespace annelid::nic
