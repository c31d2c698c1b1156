// A hash that names a text, the same on every machine and in every version: for file names and rows
// of tables.
#pragma once

#include <cstdint>
#include <string_view>

namespace annelid {

/// FNV-1a, 64 bits (Fowler, Noll, Vo), from its offset basis or any other start.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325U) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace annelid
