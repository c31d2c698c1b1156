// Reads bytes of an FST file that may be damaged. It never reads beyond their end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace annelid::waves {

/// What is wrong in a file, and the position of the byte at which it is wrong.
class FstDamage : public std::runtime_error {
 public:
  FstDamage(std::uint64_t at, const std::string& what)
      : std::runtime_error("byte " + std::to_string(at) + ": " + what) {}
};

/// Reads numbers and bytes in order. All members throw FstDamage if the bytes do not suffice.
class FstInput {
 public:
  /// `at` is the position of `bytes` in the file.
  FstInput(std::string_view bytes, std::uint64_t at) : bytes_(bytes), at_(at) {}

  [[nodiscard]] std::size_t left() const { return bytes_.size() - next_; }
  [[nodiscard]] bool empty() const { return left() == 0; }
  /// The position of the next byte in the file.
  [[nodiscard]] std::uint64_t place() const { return at_ + next_; }
  [[noreturn]] void fail(const std::string& what) const { throw FstDamage(place(), what); }
  /// Throws FstDamage unless `holds`. `what` describes the part that is wrong.
  void require(bool holds, const char* what) const {
    if (!holds) fail(what);
  }

  [[nodiscard]] std::uint8_t peek() const {
    require(!empty(), "a value is cut off");
    return static_cast<std::uint8_t>(bytes_[next_]);
  }
  std::uint8_t byte() {
    const std::uint8_t value = peek();
    ++next_;
    return value;
  }
  std::string_view take(std::uint64_t count) {
    require(count <= left(), "a length exceeds what follows");
    const std::string_view taken = bytes_.substr(next_, count);
    next_ += count;
    return taken;
  }
  /// A number with the highest byte first.
  std::uint64_t big_endian() {
    std::uint64_t value = 0;
    for (const char c : take(8)) value = value << 8 | static_cast<std::uint8_t>(c);
    return value;
  }
  /// A number in the encoding of fst::append_varint.
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t next = byte();
      require(shift < 63 || (shift == 63 && next <= 1), "a number exceeds 64 bits");
      value |= (next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
  }
  /// The text up to the next zero byte. The zero byte is consumed too.
  std::string_view text() {
    const std::size_t end = bytes_.find('\0', next_);
    require(end != std::string_view::npos, "a name does not end");
    const std::string_view taken = take(end - next_);
    ++next_;
    return taken;
  }

 private:
  std::string_view bytes_;
  std::uint64_t at_;
  std::size_t next_ = 0;
};

}  // namespace annelid::waves
