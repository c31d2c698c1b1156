#include "simulation/debugger/gdb_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>

namespace annelid::simulation {

std::optional<std::uint32_t> from_hex(std::string_view text) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value, 16);
  if (error != std::errc{} || at != end) return std::nullopt;
  return value;
}

std::optional<std::vector<std::byte>> bytes_from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::vector<std::byte> bytes;
  for (std::size_t at = 0; at < text.size(); at += 2) {
    const auto byte = from_hex(text.substr(at, 2));
    if (!byte) return std::nullopt;
    bytes.push_back(static_cast<std::byte>(*byte));
  }
  return bytes;
}

std::optional<std::vector<std::byte>> bytes_from_binary(std::string_view text) {
  constexpr char kEscape = '}', kFlipped = 0x20;
  std::vector<std::byte> bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == kEscape) {
      if (++at == text.size()) return std::nullopt;
      c = static_cast<char>(text[at] ^ kFlipped);
    }
    bytes.push_back(static_cast<std::byte>(c));
  }
  return bytes;
}

std::string word_to_hex(std::uint32_t value) {
  return fmt::format("{:02x}{:02x}{:02x}{:02x}", value & 0xFF, value >> 8 & 0xFF,
                     value >> 16 & 0xFF, value >> 24);
}

std::optional<std::uint32_t> word_from_hex(std::string_view text) {
  const auto bytes = bytes_from_hex(text);
  if (!bytes || bytes->size() != 4) return std::nullopt;
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>((*bytes)[i]) << 8 * i;
  return value;
}

std::string to_hex(const std::vector<std::byte>& bytes) {
  std::string result;
  for (const std::byte b : bytes) result += fmt::format("{:02x}", std::to_integer<unsigned>(b));
  return result;
}

std::string to_hex(std::string_view text) {
  std::string result;
  for (const char c : text) result += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return result;
}

std::optional<GdbRange> range_from_hex(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto address = from_hex(text.substr(0, comma)), bytes = from_hex(text.substr(comma + 1));
  if (!address || !bytes) return std::nullopt;
  return GdbRange{*address, *bytes};
}

}  // namespace annelid::simulation
