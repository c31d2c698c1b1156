#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace annelid {
namespace {

constexpr std::size_t kLongestName = 128;

/// The bytes of the character that the text begins with, and what it is; 0 bytes: no UTF-8.
struct Character {
  std::size_t bytes = 0;
  std::uint32_t code = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {1, byte(0)};
  const std::size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = byte(0) & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast.at(bytes) || surrogate || code > 0x10ffff) return {};
  return {bytes, code};
}

/// C0, DEL, C1, and those that turn the direction of a line.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

/// Characters without a shape of their own: a space that is none, of no width, or a mark.
bool is_invisible(std::uint32_t code) {
  return code == 0xa0 || code == 0xad || (code >= 0x200b && code <= 0x200f) || code == 0x2060 ||
         code == 0xfeff;
}

enum class Invisible : std::uint8_t { kKept, kEscaped };

/// The text with each control character but those of `kept` as an escape.
std::string escaped(std::string_view text, std::string_view kept,
                    Invisible invisible = Invisible::kKept) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    const std::size_t bytes = std::max<std::size_t>(c.bytes, 1);
    const bool plain = c.bytes > 0 &&
                       (!is_control(c.code) || kept.find(text.front()) != std::string_view::npos) &&
                       (invisible == Invisible::kKept || !is_invisible(c.code));
    if (plain) {
      shown += text.substr(0, bytes);
    } else {
      for (const char byte : text.substr(0, bytes)) {
        shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
      }
    }
    text.remove_prefix(bytes);
  }
  return shown;
}

}  // namespace

std::string terminal_text(std::string_view text) { return escaped(text, "\n\t"); }

std::string one_line(std::string_view text) { return escaped(text, ""); }

std::string excerpt(std::string_view text, std::size_t most) {
  if (text.size() <= most) return escaped(text, "", Invisible::kEscaped);
  // At the ends of whole characters: what follows the first byte of one begins with the bits 10.
  const auto is_inside = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80;
  };
  std::size_t begin = most / 2, end = text.size() - most / 4;
  for (int i = 0; i < 3 && is_inside(begin); ++i) --begin;
  for (int i = 0; i < 3 && is_inside(end); ++i) ++end;
  return fmt::format("{} [{} bytes] {}", excerpt(text.substr(0, begin), most), end - begin,
                     excerpt(text.substr(end), most));
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string fault_of_name(std::string_view name) {
  if (name.empty()) return "an empty name";
  if (name == "." || name == "..") return fmt::format("\"{}\", which names another folder", name);
  if (name.size() > kLongestName) return fmt::format("a name of {} bytes", name.size());
  for (std::string_view rest = name; !rest.empty();) {
    const Character c = first_character(rest);
    if (c.bytes == 0) return fmt::format("\"{}\", which is no UTF-8", name);
    if (is_control(c.code)) return fmt::format("\"{}\", with a control character", name);
    if (c.code == '/') return fmt::format("\"{}\", with a slash", name);
    rest.remove_prefix(c.bytes);
  }
  return "";
}

}  // namespace annelid
