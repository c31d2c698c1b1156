// printf and its relatives.
#include <cstdint>

#include "firmware/kit/include/stdio.h"
#include "firmware/kit/include/string.h"
#include "firmware/kit/system.hpp"

namespace annelid::firmware::kit {
namespace {

/// Takes the characters of a text: into a buffer of the caller, or to the run, many at a time.
class Sink {
 public:
  explicit Sink(int descriptor) : descriptor_(descriptor) {}
  Sink(char* to, std::size_t room) : to_(to), room_(room) {}

  void put(char c) {
    ++count_;
    if (descriptor_ == 0) {
      if (count_ < room_) to_[count_ - 1] = c;
      return;
    }
    line_[used_++] = c;
    if (used_ == sizeof line_) flush();
  }
  void put(const char* text, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) put(text[i]);
  }
  void pad(char c, int count) {
    for (; count > 0; --count) put(c);
  }
  int finish() {
    if (descriptor_ != 0) {
      flush();
    } else if (room_ > 0) {
      to_[count_ < room_ ? count_ : room_ - 1] = 0;
    }
    return static_cast<int>(count_);
  }

 private:
  void flush() {
    if (used_ > 0) write_text(descriptor_, line_, used_);
    used_ = 0;
  }

  int descriptor_ = 0;
  char* to_ = nullptr;
  std::size_t room_ = 0, count_ = 0;
  std::uint32_t used_ = 0;
  char line_[128];
};

struct Format {
  bool left = false, zeros = false, capitals = false;
  char sign = 0;  ///< for numbers that are not negative
  int width = 0, precision = -1;
};

void put_padded(Sink& sink, const Format& f, char sign, const char* text, std::size_t length,
                bool zeros) {
  const int pad = f.width - static_cast<int>(length) - (sign != 0 ? 1 : 0);
  if (!f.left && !zeros) sink.pad(' ', pad);
  if (sign != 0) sink.put(sign);
  if (!f.left && zeros) sink.pad('0', pad);
  sink.put(text, length);
  if (f.left) sink.pad(' ', pad);
}

/// The digits of a number, at the end of `buffer`; returns where they begin.
char* digits_of(std::uint64_t value, unsigned base, bool capitals, char* end) {
  const char* digits = capitals ? "0123456789ABCDEF" : "0123456789abcdef";
  do {
    *--end = digits[value % base];
    value /= base;
  } while (value != 0);
  return end;
}

void put_integer(Sink& sink, const Format& f, std::uint64_t value, char sign, unsigned base) {
  char buffer[72];
  char* const end = buffer + sizeof buffer;
  char* at = value == 0 && f.precision == 0 ? end : digits_of(value, base, f.capitals, end);
  while (end - at < f.precision && at > buffer) *--at = '0';
  put_padded(sink, f, sign, at, static_cast<std::size_t>(end - at), f.zeros && f.precision < 0);
}

constexpr int kMostDigits = 17;

std::uint64_t power_of_ten(int n) {
  std::uint64_t power = 1;
  for (; n > 0; --n) power *= 10;
  return power;
}

/// A fixed number of digits behind the point, for a value below 10^18. Returns the length.
std::size_t put_fixed(double value, int precision, char* to) {
  auto whole = static_cast<std::uint64_t>(value);
  const std::uint64_t scale = power_of_ten(precision);
  auto fraction = static_cast<std::uint64_t>(
      (value - static_cast<double>(whole)) * static_cast<double>(scale) + 0.5);
  if (fraction >= scale) {
    ++whole;
    fraction -= scale;
  }
  char buffer[24];
  char* const end = buffer + sizeof buffer;
  const char* at = digits_of(whole, 10, false, end);
  auto length = static_cast<std::size_t>(end - at);
  memcpy(to, at, length);
  if (precision == 0) return length;
  to[length++] = '.';
  for (int i = precision; i-- > 0; fraction /= 10) {
    to[length + static_cast<std::size_t>(i)] = static_cast<char>('0' + fraction % 10);
  }
  return length + static_cast<std::size_t>(precision);
}

/// Brings a value above 0 to 1 <= value < 10, and returns its exponent.
int normalize(double& value) {
  int exponent = 0;
  while (value >= 10) {
    value /= 10;
    ++exponent;
  }
  while (value < 1) {
    value *= 10;
    --exponent;
  }
  return exponent;
}

std::size_t put_scientific(double value, int precision, bool capitals, char* to) {
  int exponent = value == 0 ? 0 : normalize(value);
  // Rounding may give one digit more before the point.
  if (value + 0.5 / static_cast<double>(power_of_ten(precision)) >= 10) {
    value /= 10;
    ++exponent;
  }
  std::size_t length = put_fixed(value, precision, to);
  to[length++] = capitals ? 'E' : 'e';
  to[length++] = exponent < 0 ? '-' : '+';
  const auto size = static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  if (size >= 100) to[length++] = static_cast<char>('0' + size / 100);
  to[length++] = static_cast<char>('0' + size / 10 % 10);
  to[length++] = static_cast<char>('0' + size % 10);
  return length;
}

/// %g has no zeros at the end.
std::size_t without_zeros(char* text, std::size_t length) {
  std::size_t mantissa = 0;
  while (mantissa < length && text[mantissa] != 'e' && text[mantissa] != 'E') ++mantissa;
  if (strchr(text, '.') == nullptr) return length;
  std::size_t end = mantissa;
  while (text[end - 1] == '0') --end;
  if (text[end - 1] == '.') --end;
  memmove(text + end, text + mantissa, length - mantissa);
  return length - (mantissa - end);
}

void put_real(Sink& sink, const Format& f, double value, char conversion) {
  std::uint64_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  const bool negative = bits >> 63 != 0;
  const char sign = negative ? '-' : f.sign;
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
  constexpr std::uint64_t kInfinity = std::uint64_t{0x7FF} << 52;
  if (magnitude >= kInfinity) {
    const char* text = magnitude == kInfinity ? "inf" : "nan";
    return put_padded(sink, f, sign, text, 3, false);
  }
  if (negative) value = -value;
  int precision = f.precision < 0 ? 6 : f.precision;
  if (precision > kMostDigits) precision = kMostDigits;
  char text[64];
  std::size_t length = 0;
  if (conversion == 'g') {
    if (precision == 0) precision = 1;
    char trial[64];
    const std::size_t ends = put_scientific(value, precision - 1, false, trial);
    trial[ends] = 0;
    // The exponent of the rounded number decides.
    const char* e = strchr(trial, 'e') + 1;
    int exponent = 0;
    for (const char* d = e + 1; *d != 0; ++d) exponent = 10 * exponent + (*d - '0');
    if (*e == '-') exponent = -exponent;
    length = exponent < -4 || exponent >= precision
                 ? put_scientific(value, precision - 1, f.capitals, text)
                 : put_fixed(value, precision - 1 - exponent, text);
    text[length] = 0;
    length = without_zeros(text, length);
  } else if (conversion == 'e' || value >= 1e18) {
    length = put_scientific(value, precision, f.capitals, text);
  } else {
    length = put_fixed(value, precision, text);
  }
  put_padded(sink, f, sign, text, length, f.zeros);
}

int print(Sink& sink, const char* format, va_list values) {
  for (; *format != 0; ++format) {
    if (*format != '%') {
      sink.put(*format);
      continue;
    }
    Format f;
    for (bool more = true; more;) {
      switch (*++format) {
        case '-':
          f.left = true;
          break;
        case '0':
          f.zeros = true;
          break;
        case '+':
          f.sign = '+';
          break;
        case ' ':
          if (f.sign == 0) f.sign = ' ';
          break;
        default:
          more = false;
      }
    }
    const auto number = [&] {
      int value = 0;
      if (*format == '*') {
        value = va_arg(values, int);
        ++format;
      } else {
        for (; *format >= '0' && *format <= '9'; ++format) value = 10 * value + (*format - '0');
      }
      return value;
    };
    f.width = number();
    if (f.width < 0) {
      f.left = true;
      f.width = -f.width;
    }
    if (*format == '.') {
      ++format;
      f.precision = number();
    }
    int longs = 0;  // hh and h need nothing: the values are passed as int
    for (; *format == 'l' || *format == 'h' || *format == 'z'; ++format) {
      if (*format != 'h') longs += sizeof(long) == sizeof(long long) ? 2 : *format == 'l' ? 1 : 0;
    }
    const char c = *format;
    f.capitals = c == 'X' || c == 'E' || c == 'G' || c == 'F';
    switch (c) {
      case 'd':
      case 'i': {
        const std::int64_t value = longs > 1 ? va_arg(values, long long) : va_arg(values, int);
        const auto magnitude = static_cast<std::uint64_t>(value);
        put_integer(sink, f, value < 0 ? 0 - magnitude : magnitude, value < 0 ? '-' : f.sign, 10);
        break;
      }
      case 'u':
      case 'x':
      case 'X':
      case 'o': {
        const std::uint64_t value =
            longs > 1 ? va_arg(values, unsigned long long) : va_arg(values, unsigned);
        put_integer(sink, f, value, 0, c == 'u' ? 10 : c == 'o' ? 8 : 16);
        break;
      }
      case 'p':
        sink.put("0x", 2);
        put_integer(sink, f, reinterpret_cast<std::uintptr_t>(va_arg(values, void*)), 0, 16);
        break;
      case 'c': {
        const char character = static_cast<char>(va_arg(values, int));
        put_padded(sink, f, 0, &character, 1, false);
        break;
      }
      case 's': {
        const char* text = va_arg(values, const char*);
        if (text == nullptr) text = "(null)";
        std::size_t length = 0;
        while ((f.precision < 0 || length < static_cast<std::size_t>(f.precision)) &&
               text[length] != 0) {
          ++length;
        }
        put_padded(sink, f, 0, text, length, false);
        break;
      }
      case 'f':
      case 'F':
        put_real(sink, f, va_arg(values, double), 'f');
        break;
      case 'e':
      case 'E':
        put_real(sink, f, va_arg(values, double), 'e');
        break;
      case 'g':
      case 'G':
        put_real(sink, f, va_arg(values, double), 'g');
        break;
      case 0:
        return sink.finish();
      default:
        sink.put(c);
    }
  }
  return sink.finish();
}

int descriptor_of(const FILE* file) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(file));
}

}  // namespace
}  // namespace annelid::firmware::kit

using annelid::firmware::kit::Sink;

extern "C" {

int vfprintf(FILE* file, const char* format, va_list values) {
  Sink sink(annelid::firmware::kit::descriptor_of(file));
  return annelid::firmware::kit::print(sink, format, values);
}
int vprintf(const char* format, va_list values) { return vfprintf(stdout, format, values); }
int vsnprintf(char* to, size_t room, const char* format, va_list values) {
  Sink sink(to, room);
  return annelid::firmware::kit::print(sink, format, values);
}
int printf(const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int count = vprintf(format, values);
  va_end(values);
  return count;
}
int fprintf(FILE* file, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int count = vfprintf(file, format, values);
  va_end(values);
  return count;
}
int snprintf(char* to, size_t room, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int count = vsnprintf(to, room, format, values);
  va_end(values);
  return count;
}
int fputs(const char* text, FILE* file) {
  annelid::firmware::kit::write_text(annelid::firmware::kit::descriptor_of(file), text,
                                     static_cast<std::uint32_t>(strlen(text)));
  return 0;
}
int puts(const char* text) {
  Sink sink(1);
  sink.put(text, strlen(text));
  sink.put('\n');
  return sink.finish();
}
int putchar(int c) {
  const char character = static_cast<char>(c);
  annelid::firmware::kit::write_text(1, &character, 1);
  return c;
}
int fflush(FILE*) { return 0; }

}  // extern "C"
