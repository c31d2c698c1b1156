// Lengths in whole words of eight bytes, as areas of SCRATCH have them.
#pragma once

#include <cstdint>

namespace annelid::firmware {

/// Rounds up to a multiple of eight bytes.
constexpr std::uint32_t padded(std::uint32_t bytes) { return (bytes + 7) & ~7U; }

}  // namespace annelid::firmware
