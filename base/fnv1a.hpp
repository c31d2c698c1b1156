// A hash that identifies a text in file names and rows of tables. It is the same on every machine
// and in every version.
#pragma once

#include <cstdint>
#include <string_view>

namespace annelid {

/// FNV-1a with 64 bits (Fowler, Noll, Vo). It starts from the offset basis, or from any other hash.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325U) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace annelid
