// A call of the host, for tests.
#pragma once

#include <array>
#include <cstdint>

#include "interface/registers.hpp"

namespace annelid::firmware {

/// A call's words, with names and defaults (docs/internals/nic/calls.md).
struct TestCall {
  reg::Operation operation{};
  reg::Algorithm algorithm{};
  std::uint32_t group = 0, root = 0, source = 0, target = 0, count = 0;
  reg::Type type{};
  std::uint32_t op = 0, tag = 0, scratch = 0;
  std::array<std::uint32_t, 3> parameter{};
  std::uint32_t flags = 0;

  [[nodiscard]] std::array<std::uint32_t, reg::kCallWords> words() const {
    return {static_cast<std::uint32_t>(operation),
            static_cast<std::uint32_t>(algorithm),
            group,
            root,
            source,
            target,
            count,
            static_cast<std::uint32_t>(type),
            op,
            tag,
            scratch,
            parameter[0],
            parameter[1],
            parameter[2],
            flags};
  }
};

}  // namespace annelid::firmware
