// Numbers of the FST format, of fstapi.h, as far as this program uses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace annelid::waves::fst {

// What a block is, says its first byte. Then its length follows, which counts itself.
inline constexpr char kHeaderBlock = 0, kGeometryBlock = 3, kHierarchyBlock = 6;
inline constexpr char kChangesBlock = 8;  // FST_BL_VCDATA_DYN_ALIAS2

// What the names' block consists of.
inline constexpr char kScope = '\xfe', kEndOfScope = '\xff', kModule = 0, kWire = 16, kText = 21;

inline constexpr std::uint64_t kHeaderBytes = 329;
inline constexpr std::string_view kVersion = "Annelid";  // who wrote the file
inline constexpr std::size_t kVersionBytes = 128, kDateBytes = 119;
inline constexpr std::uint32_t kTextLength = ~std::uint32_t{0};  // where others have their width

}  // namespace annelid::waves::fst
