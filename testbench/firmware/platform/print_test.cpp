// The text of the kit's printf against that of this machine's C library.
// State space: every conversion and length with every set of flags, widths and precisions; integers
// of each number of bits; reals of every exponent, ties, subnormals, what rounds up to a power of
// ten, what is no number; a sink that is too small; what is not served.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

#include "firmware/kit/format.hpp"

namespace annelid::firmware::kit {
namespace {

std::string kit_text(const char* format, ...) {
  static std::array<char, 4096> room;
  static std::string text;
  text.clear();
  Sink sink(room.data(), 7, [](Sink& full) {
    text.append(full.text(), full.bytes());
    full.go_on(room.data(), room.size() - 1);
  });
  va_list values;
  va_start(values, format);
  put_formatted(sink, format, values);
  va_end(values);
  text.append(sink.text(), sink.bytes());
  EXPECT_EQ(sink.count(), text.size());
  return text;
}

std::string host_text(const char* format, ...) {
  std::array<char, 4096> room{};
  va_list values;
  va_start(values, format);
  const int length = std::vsnprintf(room.data(), room.size(), format, values);
  va_end(values);
  return {room.data(), static_cast<std::size_t>(length)};
}

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  char of(const std::string& letters) {
    return letters[static_cast<std::size_t>(below(static_cast<int>(letters.size())))];
  }
  std::uint64_t integer() {
    const std::uint64_t value = one_in(20) ? 0 : random_() >> below(64);
    return one_in(2) ? 0 - value : value;
  }
  double real() {
    switch (below(6)) {
      case 0:
        return std::bit_cast<double>(random_());
      case 1:
        return (below(2'000'001) - 1'000'000) / 1000.0;
      case 2:
        return (below(20'001) - 10'000) / 8.0;  // ties
      case 3:
        return std::ldexp(below(1000), below(200) - 100);
      case 4:
        return std::pow(10.0, below(40) - 20) * (one_in(2) ? 1 : 9.9999999);
      default: {
        using Limits = std::numeric_limits<double>;
        constexpr std::array kSpecial = {
            0.0,           -0.0,      0.5,     1.5,           2.5, Limits::denorm_min(),
            Limits::max(), 999999.5,  0.1,     Limits::min(), 1.0, -Limits::infinity(),
            9.5,           1234567.0, 0.00001, 99999.95,      1e22};
        if (one_in(20)) return Limits::quiet_NaN();
        return kSpecial.at(static_cast<std::size_t>(below(static_cast<int>(kSpecial.size()))));
      }
    }
  }
  /// Flags, width and precision. The flags are those for which C says what a conversion does.
  std::string shape(const std::string& flags, bool precision) {
    std::string text;
    for (int i = below(3); i > 0; --i) text += of(flags);
    if (one_in(2)) text += std::to_string(1 + below(40));
    if (!precision || one_in(2)) return text;
    text += '.';
    return one_in(8) ? text : text + std::to_string(below(one_in(10) ? 400 : 20));
  }

 private:
  std::mt19937_64 random_;
};

void expect_integer(Draw& draw) {
  static constexpr std::array kLengths = {"hh", "h", "", "l", "ll", "j", "z", "t"};
  const int length = draw.below(kLengths.size());
  const char kind = draw.of("diuxXo");
  const std::string flags = kind == 'd' || kind == 'i' ? "-0+ " : kind == 'u' ? "-0" : "-0#";
  const std::string format = "[%" + draw.shape(flags, true) +
                             kLengths.at(static_cast<std::size_t>(length)) + kind + "] %s";
  const std::uint64_t value = draw.integer();
  // Shorter ones are passed as int.
  if (length < 3) {
    const int narrow = static_cast<int>(value);
    ASSERT_EQ(kit_text(format.c_str(), narrow, "next"), host_text(format.c_str(), narrow, "next"))
        << format << " of " << narrow;
  } else {
    ASSERT_EQ(kit_text(format.c_str(), value, "next"), host_text(format.c_str(), value, "next"))
        << format << " of " << value;
  }
}

void expect_real(Draw& draw) {
  const char kind = draw.of("fFeEgG");
  // glibc 2.36 forgets zeros of %#g where rounding gives one digit more.
  const std::string flags = kind == 'g' || kind == 'G' ? "-0+ " : "-0+ #";
  const std::string format = "[%" + draw.shape(flags, true) + kind + "] %s";
  const double value = draw.real();
  ASSERT_EQ(kit_text(format.c_str(), value, "next"), host_text(format.c_str(), value, "next"))
      << format << " of " << value;
}

void expect_other(Draw& draw) {
  std::string format = "[%" + draw.shape("-", false);
  if (draw.one_in(3)) {
    format += "c] %s";
    const int letter = ' ' + draw.below(90);
    ASSERT_EQ(kit_text(format.c_str(), letter, "next"), host_text(format.c_str(), letter, "next"));
  } else if (draw.one_in(2)) {
    format += draw.one_in(2) ? "s] %s" : ".3s] %s";
    ASSERT_EQ(kit_text(format.c_str(), "text", "next"), host_text(format.c_str(), "text", "next"));
  } else {
    format += "p] %s";
    void* const pointer = &draw;
    ASSERT_EQ(kit_text(format.c_str(), pointer, "next"), host_text(format.c_str(), pointer, "next"))
        << format;
  }
}

TEST(Print, GivesTheTextOfTheHostForRandomFormats) {
  Draw draw(1);
  for (int i = 0; i < 10'000 && !::testing::Test::HasFailure(); ++i) {
    expect_integer(draw);
    expect_real(draw);
    expect_other(draw);
  }
}

TEST(Print, CutsIntegersToTheirLength) {
  EXPECT_EQ(kit_text("%hhd %hd %hhx %hu %d", -56 + 256, 70000, 0x1ff, 65537, 7), "-56 4464 ff 1 7");
  EXPECT_EQ(kit_text("%td %jd %zu %d", std::ptrdiff_t{-6}, std::intmax_t{-7}, std::size_t{8}, 9),
            "-6 -7 8 9");
}

TEST(Print, RoundsTiesToTheEvenDigit) {
  EXPECT_EQ(kit_text("%.0f %.0f %.0f %.0f %.1f %.1e %.2g", 0.5, 1.5, 2.5, 3.5, 0.25, 2.5, 0.125),
            "0 2 2 4 0.2 2.5e+00 0.12");
  EXPECT_EQ(kit_text("%.20f", 0.1), "0.10000000000000000555");
  EXPECT_EQ(kit_text("%#g %#.3g %#.0f %#x %#o", 999999.5, 0.5, 2.0, 255, 8),
            "1.00000e+06 0.500 2. 0xff 010");
}

TEST(Print, LeavesWhatItDoesNotServeAsItStandsAndGoesOnBehindIt) {
  int unused = 0;
  EXPECT_EQ(kit_text("%y %-5q %d", 3), "%y %-5q 3");
  EXPECT_EQ(kit_text("%Lf %d %a %d %n %d %ls %lc %d%", 1.0L, 1, 2.0, 2, &unused, 3, nullptr, 4u, 5),
            "%Lf 1 %a 2 %n 3 %ls %lc 5%");
  EXPECT_EQ(kit_text("%s %%|%*d|%.*f|%-*d|%.*d", "a", 4, 1, 1, 2.25, -3, 5, -1, 6),
            "a %|   1|2.2|5  |6");
}

}  // namespace
}  // namespace annelid::firmware::kit
