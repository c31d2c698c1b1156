// An operation on buffers of the program, from the pointers to the call.
#pragma once

#include "firmware/kit/kit.hpp"

namespace annelid::firmware::kit {

/// The bytes at SOURCE or TARGET of a call.
struct Area {
  const void* data = nullptr;
  std::uint64_t bytes = 0;
  Buffered::Use use = Buffered::kIn;
  /// Whether this process has the buffer. A process that has none gets bytes that nobody uses:
  /// collectives want the buffers of all members to lie apart.
  bool exists = true;
};
inline Area input(const void* data, std::uint64_t bytes, bool exists = true) {
  return {data, bytes, Buffered::kIn, exists};
}
/// What the call does not write keeps its value.
inline Area output(void* data, std::uint64_t bytes, bool exists = true) {
  return {data, bytes, Buffered::kInOut, exists};
}

/// Makes a call with these areas, and with `scratch` bytes at SCRATCH.
int run_operation(Words words, const Group& group, Node::Serve serve, const Area& source,
                  const Area& target, std::uint64_t scratch);

constexpr std::uint64_t rounded_up(std::uint64_t bytes) { return (bytes + 7) & ~std::uint64_t{7}; }

}  // namespace annelid::firmware::kit
