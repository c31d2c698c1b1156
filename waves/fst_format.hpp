// Constants of the FST format, from fstapi.h, as far as this program uses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace annelid::waves::fst {

// The first byte of a block is its type. The block's length follows, and includes itself.
inline constexpr char kHeaderBlock = 0, kGeometryBlock = 3, kHierarchyBlock = 6;
inline constexpr char kChangesBlock = 8;     // FST_BL_VCDATA_DYN_ALIAS2
inline constexpr char kPackedFile = '\xfe';  // FST_BL_ZWRAPPER: a whole file in gzip's format

// The codes in the block of names.
inline constexpr char kScope = '\xfe', kEndOfScope = '\xff', kModule = 0, kWire = 16, kText = 21;

inline constexpr std::uint64_t kHeaderBytes = 329;
inline constexpr std::string_view kVersion = "Annelid";  // the program that wrote the file
inline constexpr std::size_t kVersionBytes = 128, kDateBytes = 119;
inline constexpr std::uint32_t kTextLength = ~std::uint32_t{0};  // in place of a signal's width

}  // namespace annelid::waves::fst
