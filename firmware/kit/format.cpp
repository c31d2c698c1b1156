#include "firmware/kit/format.hpp"

#include <bit>
#include <cstdint>

#include "firmware/kit/decimal.hpp"

namespace annelid::firmware::kit {
namespace {

/// As a parameter, va_list is an array on some machines and none on others.
struct Values {
  va_list list;
};

/// One conversion of a format: %-8.3f.
struct Conversion {
  bool left = false, zeros = false, alternative = false, capitals = false;
  bool wide = false, long_double = false;  ///< l and L
  char sign = 0;                           ///< of numbers that are not negative
  int width = 0, precision = -1;
  std::size_t bytes = sizeof(int);  ///< of an integer
};

/// What stands in front of the digits of a number.
struct Prefix {
  char text[2] = {};
  int length = 0;
  void add(char c) {
    if (c != 0) text[length++] = c;
  }
};

/// A width or a precision that no text reaches stands for all larger ones.
int limited(unsigned value) {
  constexpr unsigned kMost = 1U << 28;
  return static_cast<int>(value < kMost ? value : kMost);
}

/// The padding around a text, and the prefix in front of it.
class Field {
 public:
  Field(Sink& sink, const Conversion& c, const Prefix& prefix, int length, bool zeros)
      : sink_(sink), blanks_behind_(c.left ? c.width - prefix.length - length : 0) {
    const int blanks = c.left ? 0 : c.width - prefix.length - length;
    if (!zeros) sink.pad(' ', blanks);
    sink.put(prefix.text, static_cast<std::size_t>(prefix.length));
    if (zeros) sink.pad('0', blanks);
  }
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;
  ~Field() { sink_.pad(' ', blanks_behind_); }

 private:
  Sink& sink_;
  int blanks_behind_;
};

void put_text(Sink& sink, const Conversion& c, const char* text) {
  constexpr const char* kNone = "(null)";
  if (text == nullptr) text = kNone;
  int length = 0;
  while ((c.precision < 0 || length < c.precision) && text[length] != 0) ++length;
  const Field field(sink, c, {}, length, false);
  sink.put(text, static_cast<std::size_t>(length));
}

/// The digits of a number in base 2^bits.
char* binary_digits(std::uint64_t value, int bits, bool capitals, char* end) {
  const char* const digits = capitals ? "0123456789ABCDEF" : "0123456789abcdef";
  do {
    *--end = digits[value & ((1U << bits) - 1)];
    value >>= bits;
  } while (value != 0);
  return end;
}

/// `bits`: 0 for decimal digits, 3 and 4 for those in octal and hexadecimal.
void put_integer(Sink& sink, const Conversion& c, std::uint64_t value, Prefix prefix, int bits) {
  char buffer[22];  // 64 bits in octal
  char* const end = buffer + sizeof buffer;
  const char* at = end;
  if (value != 0 || c.precision != 0) {
    at = bits == 0 ? decimal_digits(value, end) : binary_digits(value, bits, c.capitals, end);
  }
  const int digits = static_cast<int>(end - at);
  int zeros = c.precision > digits ? c.precision - digits : 0;
  if (c.alternative && bits == 3 && zeros == 0 && (digits == 0 || *at != '0')) zeros = 1;
  if (c.alternative && bits == 4 && value != 0) {
    prefix.add('0');
    prefix.add(c.capitals ? 'X' : 'x');
  }
  const Field field(sink, c, prefix, digits + zeros, c.zeros && !c.left && c.precision < 0);
  sink.pad('0', zeros);
  sink.put(at, static_cast<std::size_t>(digits));
}

/// The next integer. Its bytes beyond those of the conversion do not count.
std::uint64_t take_integer(Values& values, const Conversion& c, bool is_signed) {
  if (c.bytes > sizeof(int)) return va_arg(values.list, unsigned long long);
  const int value = va_arg(values.list, int);
  const int unused = 8 * static_cast<int>(sizeof(int) - c.bytes);
  const unsigned up = static_cast<unsigned>(value) << unused;
  if (!is_signed) return up >> unused;
  return static_cast<std::uint64_t>(std::int64_t{static_cast<int>(up) >> unused});
}

/// A number as the conversions f and e write it.
class Real {
 public:
  /// `precision`: digits behind the point.
  Real(const Decimal& number, bool scientific, int precision, const Conversion& c)
      : number_(number),
        scientific_(scientific),
        precision_(precision),
        point_(precision > 0 || c.alternative),
        capitals_(c.capitals),
        first_(scientific || number.exponent() > 0 ? number.exponent() : 0) {}

  [[nodiscard]] int length() const {
    const int in_front = scientific_ ? 1 : first_ + 1;
    return in_front + (point_ ? 1 : 0) + precision_ + (scientific_ ? exponent_length() : 0);
  }
  void put(Sink& sink) const {
    const int units = scientific_ ? first_ : 0;  // the power in front of the point
    for (int power = first_; power >= units; --power) sink.put(number_.of_power(power));
    if (point_) sink.put('.');
    for (int i = 1; i <= precision_; ++i) sink.put(number_.of_power(units - i));
    if (scientific_) put_exponent(sink);
  }

 private:
  [[nodiscard]] unsigned exponent_size() const {
    return static_cast<unsigned>(first_ < 0 ? -first_ : first_);
  }
  [[nodiscard]] int exponent_length() const { return exponent_size() >= 100 ? 5 : 4; }
  void put_exponent(Sink& sink) const {
    sink.put(capitals_ ? 'E' : 'e');
    sink.put(first_ < 0 ? '-' : '+');
    char buffer[3];
    char* const end = buffer + sizeof buffer;
    char* at = decimal_digits(exponent_size(), end);
    if (end - at < 2) *--at = '0';
    sink.put(at, static_cast<std::size_t>(end - at));
  }

  const Decimal& number_;
  bool scientific_;
  int precision_;
  bool point_, capitals_;
  int first_;  ///< the power of ten of the first digit that is written
};

/// `kind`: f, e or g.
void put_real(Sink& sink, const Conversion& c, double value, char kind) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  constexpr std::uint64_t kInfinity = std::uint64_t{0x7FF} << 52;
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
  Prefix sign;
  sign.add(bits != magnitude ? '-' : c.sign);
  if (magnitude >= kInfinity) {
    const bool infinite = magnitude == kInfinity;
    const Field field(sink, c, sign, 3, false);
    sink.put(c.capitals ? (infinite ? "INF" : "NAN") : infinite ? "inf" : "nan", 3);
    return;
  }
  // A double has 1,074 digits behind the point at most.
  constexpr int kMostDigits = 2000;
  int precision = c.precision < 0 ? 6 : c.precision;
  const int digits = precision < kMostDigits ? precision : kMostDigits;
  Decimal number(magnitude);
  bool scientific = kind == 'e';
  if (kind == 'g') {
    if (precision == 0) precision = 1;
    number.round(digits == 0 ? 1 : digits);
    // The exponent of the rounded number decides.
    scientific = number.exponent() < -4 || number.exponent() >= precision;
    if (!c.alternative && number.significant() < precision) {
      precision = number.significant() == 0 ? 1 : number.significant();
      if (!scientific && precision <= number.exponent()) precision = number.exponent() + 1;
    }
    precision -= scientific ? 1 : number.exponent() + 1;
  } else {
    number.round(scientific ? digits + 1 : number.exponent() + 1 + digits);
  }
  const Real real(number, scientific, precision, c);
  const Field field(sink, c, sign, real.length(), c.zeros && !c.left);
  real.put(sink);
}

/// Reads flags, width, precision and length, and leaves `at` behind them.
Conversion read(const char*& at, Values& values) {
  Conversion c;
  for (;; ++at) {
    if (*at == '-') {
      c.left = true;
    } else if (*at == '0') {
      c.zeros = true;
    } else if (*at == '#') {
      c.alternative = true;
    } else if (*at == '+' || (*at == ' ' && c.sign == 0)) {
      c.sign = *at;
    } else if (*at != ' ') {
      break;
    }
  }
  const auto number = [&at, &values](bool& negative) {
    if (*at == '*') {
      ++at;
      const int value = va_arg(values.list, int);
      negative = value < 0;
      return limited(negative ? 0U - static_cast<unsigned>(value) : static_cast<unsigned>(value));
    }
    unsigned value = 0;
    for (; *at >= '0' && *at <= '9'; ++at) {
      value = static_cast<unsigned>(limited(value)) * 10 + static_cast<unsigned>(*at - '0');
    }
    return limited(value);
  };
  bool negative = false;
  c.width = number(negative);
  c.left |= negative;
  if (*at == '.') {
    ++at;
    negative = false;
    c.precision = number(negative);
    if (negative) c.precision = -1;
  }
  for (;; ++at) {
    if (*at == 'h') {
      c.bytes = c.bytes == sizeof(short) ? sizeof(char) : sizeof(short);
    } else if (*at == 'l') {
      c.bytes = c.wide ? sizeof(long long) : sizeof(long);
      c.wide = true;
    } else if (*at == 'j') {
      c.bytes = sizeof(std::intmax_t);
    } else if (*at == 'z' || *at == 't') {
      c.bytes = sizeof(std::size_t);
    } else if (*at == 'L') {
      c.long_double = true;
    } else {
      return c;
    }
  }
}

/// Takes the argument of a conversion that C has and this printf does not serve.
void skip(Values& values, const Conversion& c, char kind) {
  switch (kind) {
    case 'n':
    case 's':
      (void)va_arg(values.list, void*);
      break;
    case 'c':
      (void)va_arg(values.list, unsigned);
      break;
    default:
      if (c.long_double) {
        (void)va_arg(values.list, long double);
      } else {
        (void)va_arg(values.list, double);
      }
  }
}

/// Whether the letter is one of these.
bool is_one_of(char letter, const char* letters) {
  while (*letters != 0 && *letters != letter) ++letters;
  return letter != 0 && *letters == letter;
}

/// Puts one argument; false if the conversion is not served.
bool put_argument(Sink& sink, Values& values, Conversion c, char kind) {
  constexpr char kToSmall = 'a' - 'A';
  if (is_one_of(kind, "XEFG")) {
    c.capitals = true;
    kind = static_cast<char>(kind + kToSmall);
  }
  if (is_one_of(kind, "di")) {
    const std::uint64_t value = take_integer(values, c, true);
    const bool negative = value >> 63 != 0;
    Prefix sign;
    sign.add(negative ? '-' : c.sign);
    put_integer(sink, c, negative ? 0 - value : value, sign, 0);
  } else if (is_one_of(kind, "uxo")) {
    const std::uint64_t value = take_integer(values, c, false);
    put_integer(sink, c, value, {}, kind == 'u' ? 0 : kind == 'o' ? 3 : 4);
  } else if (is_one_of(kind, "feg") && !c.long_double) {
    put_real(sink, c, va_arg(values.list, double), kind);
  } else if (kind == 's' && !c.wide) {
    put_text(sink, c, va_arg(values.list, const char*));
  } else if (kind == 'c' && !c.wide) {
    const Field field(sink, c, {}, 1, false);
    sink.put(static_cast<char>(va_arg(values.list, int)));
  } else if (kind == 'p') {
    const auto value = reinterpret_cast<std::uintptr_t>(va_arg(values.list, void*));
    put_integer(sink, c, value, {{'0', 'x'}, 2}, 4);
  } else {
    if (is_one_of(kind, "fegaAnsc")) skip(values, c, kind);
    return false;
  }
  return true;
}

}  // namespace

void put_formatted(Sink& sink, const char* format, va_list values) {
  Values left;
  va_copy(left.list, values);
  for (; *format != 0; ++format) {
    if (*format != '%') {
      sink.put(*format);
      continue;
    }
    const char* const begin = format++;
    if (*format == '%') {
      sink.put('%');
      continue;
    }
    const Conversion c = read(format, left);
    if (put_argument(sink, left, c, *format)) continue;
    if (*format == 0) --format;
    sink.put(begin, static_cast<std::size_t>(format + 1 - begin));
  }
  va_end(left.list);
}

}  // namespace annelid::firmware::kit
