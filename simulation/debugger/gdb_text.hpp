// Numbers and bytes as gdb's remote protocol writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace annelid::simulation {

/// A number in hexadecimal digits. Nothing if `text` is something else.
std::optional<std::uint32_t> from_hex(std::string_view text);
/// Two digits for each byte. Nothing if `text` is something else.
std::optional<std::vector<std::byte>> bytes_from_hex(std::string_view text);
/// Bytes of a packet that escapes some of them (packet X). Nothing if an escape is cut off.
std::optional<std::vector<std::byte>> bytes_from_binary(std::string_view text);

/// A word by its bytes, the lowest first.
std::string word_to_hex(std::uint32_t value);
/// A word of that form.
std::optional<std::uint32_t> word_from_hex(std::string_view text);
std::string to_hex(const std::vector<std::byte>& bytes);
std::string to_hex(std::string_view text);

/// "address,length" in hexadecimal digits.
struct GdbRange {
  std::uint32_t address = 0, bytes = 0;
};
std::optional<GdbRange> range_from_hex(std::string_view text);

}  // namespace annelid::simulation
