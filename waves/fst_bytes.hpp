// Writes numbers into a string of bytes, in the encodings of FST.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace annelid::waves::fst {

/// Writes seven bits per byte, the lowest first; the top bit says that more bytes follow (LEB128).
/// Returns the number of bytes, up to 10.
inline std::size_t write_varint(char* out, std::uint64_t value) {
  std::size_t count = 0;
  for (; value >= 0x80; value >>= 7) out[count++] = static_cast<char>(value | 0x80);
  out[count++] = static_cast<char>(value);
  return count;
}
inline void append_varint(std::string& bytes, std::uint64_t value) {
  char out[10];
  bytes.append(out, write_varint(out, value));
}

/// Appends a signed LEB128 number: bit 6 of the last byte is the sign.
inline void append_signed_varint(std::string& bytes, std::int64_t value) {
  for (;;) {
    const auto low = static_cast<char>(value & 0x7f);
    value >>= 7;
    if ((value == 0 && (low & 0x40) == 0) || (value == -1 && (low & 0x40) != 0)) {
      bytes += low;
      return;
    }
    bytes += static_cast<char>(low | 0x80);
  }
}

/// Appends the low `count` bytes of a number, the highest first.
inline void append_big_endian(std::string& bytes, std::uint64_t value, unsigned count) {
  for (unsigned shift = 8 * count; shift > 0;) bytes += static_cast<char>(value >> (shift -= 8));
}

}  // namespace annelid::waves::fst
