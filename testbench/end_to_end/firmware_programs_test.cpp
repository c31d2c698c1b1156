// Programs for the nodes that solve something, in each mode of CCL, against serial solutions that
// this test computes. The slow set has 16x16 nodes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "testbench/end_to_end/kit_programs.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;

#ifdef ANNELID_LARGE_PROGRAMS
#define CASE(name) TEST(LargePrograms, name)
constexpr bool kLarge = true;
#else
#define CASE(name) TEST(Programs, name)
constexpr bool kLarge = false;
#endif

struct Example {
  const char* size;
  unsigned nodes, n;  ///< n is the argument
};

/// Runs the program with `arguments` in each mode, and returns what it prints, which is the same.
std::string in_each_mode(const Workplace& w, const std::string& elf, const std::string& arguments) {
  std::string first;
  for (const std::string& mode : kModes) {
    const Outcome o =
        w.annelid("firmware run " + elf + " --quiet " + mode + " --size " + arguments);
    EXPECT_EQ(o.status, 0) << mode << ", " << arguments << "\n" << o.out << o.err;
    if (first.empty()) first = o.out;
    EXPECT_EQ(o.out, first) << mode << ", " << arguments;
  }
  return first;
}

// ---- Sample sort --------------------------------------------------------------------------------

/// The numbers of examples/programs/sample_sort.cpp, in order.
std::vector<std::uint32_t> sorted_numbers(std::uint32_t count) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t x = i * 2654435761U + 12345;
    x ^= x >> 15;
    x *= 2246822519U;
    numbers.push_back((x ^ x >> 13) % 1000000);
  }
  std::ranges::sort(numbers);
  return numbers;
}

CASE(SortBySamples) {
  const Workplace w;
  const std::string elf = built(w, kExamples + "sample_sort.cpp");
  const std::vector<Example> runs =
      kLarge ? std::vector<Example>{{"8x8", 64, 16}, {"16x16", 256, 6}}
             : std::vector<Example>{{"1", 1, 5}, {"4x4", 16, 24}, {"5x3", 15, 9}};
  for (const Example& run : runs) {
    const std::string out =
        in_each_mode(w, elf, run.size + std::string(" -- ") + std::to_string(run.n));
    const std::vector<std::uint32_t> numbers = sorted_numbers(run.nodes * run.n);
    EXPECT_THAT(
        out, HasSubstr(std::to_string(numbers.size()) + " numbers, from " +
                       std::to_string(numbers.front()) + " to " + std::to_string(numbers.back()) +
                       "; the middle is " + std::to_string(numbers[numbers.size() / 2]) + "\n"));
    EXPECT_THAT(out, HasSubstr(" 0 differ\n"));
  }
}

// ---- Conjugate gradients ------------------------------------------------------------------------

/// The steps that the method takes with double precision.
unsigned serial_steps(unsigned n) {
  const auto a = [](unsigned i, unsigned j) {
    const double distance = i > j ? i - j : j - i;
    return i == j ? 0.5 : 1 / ((1 + distance) * (1 + distance));
  };
  using Vector = std::vector<double>;
  const auto times = [&](const Vector& v) {
    Vector result(n);
    for (unsigned i = 0; i < n; ++i) {
      for (unsigned j = 0; j < n; ++j) result[i] += a(i, j) * v[j];
    }
    return result;
  };
  const auto dot = [&](const Vector& v, const Vector& u) {
    double sum = 0;
    for (unsigned i = 0; i < n; ++i) sum += v[i] * u[i];
    return sum;
  };
  Vector solution(n), x(n);
  for (unsigned i = 0; i < n; ++i) solution[i] = static_cast<int>(i % 7) - 3;
  Vector r = times(solution), p = r;
  double residual = dot(r, r);
  const double enough = 1e-10 * residual;
  unsigned steps = 0;
  for (; residual > enough && steps < n; ++steps) {
    const Vector q = times(p);
    const double alpha = residual / dot(p, q);
    for (unsigned i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double next = dot(r, r);
    for (unsigned i = 0; i < n; ++i) p[i] = r[i] + next / residual * p[i];
    residual = next;
  }
  for (unsigned i = 0; i < n; ++i) EXPECT_LT(std::abs(x[i] - solution[i]), 1e-3);
  return steps;
}

CASE(SolveByConjugateGradients) {
  const Workplace w;
  const std::string elf = built(w, kExamples + "conjugate_gradients.c");
  const std::vector<Example> runs = kLarge
                                        ? std::vector<Example>{{"8x8", 64, 64}, {"16x16", 256, 64}}
                                        : std::vector<Example>{{"1", 1, 9}, {"4x4", 16, 24}};
  for (const Example& run : runs) {
    const std::string out =
        in_each_mode(w, elf, run.size + std::string(" -- ") + std::to_string(run.n));
    unsigned steps = 0;
    double error = 1;
    const std::string text = out.substr(out.find(": ") + 2);
    ASSERT_EQ(std::sscanf(text.c_str(), "%u steps; the largest error is %lf", &steps, &error), 2)
        << out;
    EXPECT_NEAR(steps, serial_steps(run.n), 1);
    EXPECT_LT(error, 2e-4);
    EXPECT_THAT(out, HasSubstr("x[0] = -3.0000\n"));
  }
}

// ---- Heat ---------------------------------------------------------------------------------------

/// A plate of n x n points after some steps of Jacobi's method, with a border of width 1.
struct Plate {
  std::vector<float> points;
  float change = 0;  ///< the largest one of the last step
};

Plate serial_plate(unsigned n, unsigned steps) {
  const std::size_t width = n + 2;
  Plate plate{std::vector<float>(width * width)};
  for (unsigned x = 1; x <= n; ++x) plate.points[x] = 100;  // the upper edge is hot
  for (unsigned step = 0; step < steps; ++step) {
    const std::vector<float> before = plate.points;
    plate.change = 0;
    for (unsigned y = 1; y <= n; ++y) {
      for (unsigned x = 1; x <= n; ++x) {
        const std::size_t at = y * width + x;
        plate.points[at] =
            0.25F * (before[at - width] + before[at - 1] + before[at + 1] + before[at + width]);
        plate.change = std::max(plate.change, std::abs(plate.points[at] - before[at]));
      }
    }
  }
  return plate;
}

CASE(HeatAPlate) {
  const Workplace w;
  const std::string elf = built(w, kExamples + "heat.c");
  struct Heated {
    const char* size;
    unsigned n, steps;
  };
  const std::vector<Heated> runs =
      kLarge ? std::vector<Heated>{{"8x8", 24, 12}, {"16x16", 16, 14}}
             : std::vector<Heated>{{"1", 5, 4}, {"4x4", 8, 6}, {"5x3", 15, 9}};
  for (const Heated& run : runs) {
    const std::string out = in_each_mode(
        w, elf,
        run.size + std::string(" -- ") + std::to_string(run.n) + " " + std::to_string(run.steps));
    unsigned steps = 0, differing = 1, points = 0;
    float change = 0, middle = 0;
    const auto said = [&](const char* first) { return out.c_str() + out.find(first); };
    ASSERT_NE(out.find("the middle has"), std::string::npos) << out;
    ASSERT_EQ(std::sscanf(out.substr(out.find(": ") + 2).c_str(), "%u steps, last change %f",
                          &steps, &change),
              2)
        << out;
    ASSERT_EQ(std::sscanf(said("the middle has"), "the middle has %f degrees; %u of %u points",
                          &middle, &differing, &points),
              3)
        << out;
    const Plate plate = serial_plate(run.n, run.steps);
    EXPECT_EQ(steps, run.steps);
    EXPECT_NEAR(change, plate.change, 6e-5);
    EXPECT_NEAR(middle, plate.points[run.n / 2 * (run.n + 2) + run.n / 2], 6e-4);
    EXPECT_EQ(differing, 0U);
    EXPECT_EQ(points, run.n * run.n);
  }
}

}  // namespace
}  // namespace annelid::end_to_end
