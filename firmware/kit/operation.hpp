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
  std::uint64_t room = 0;  ///< what the call takes for it, if that is more than the bytes
};
inline Area input(const void* data, std::uint64_t bytes, bool exists = true) {
  return {data, bytes, Buffered::kIn, exists};
}
/// What the call does not write keeps its value.
inline Area output(void* data, std::uint64_t bytes, bool exists = true) {
  return {data, bytes, Buffered::kInOut, exists};
}
/// The call writes all of it if it succeeds. Only then it is copied back, so nothing need be copied
/// there before.
inline Area filled(void* data, std::uint64_t bytes, bool exists = true) {
  return {data, bytes, Buffered::kOut, exists};
}

/// How a call is served, and the memory that this takes.
struct Served {
  Node::Serve serve = nullptr;
  std::uint64_t scratch = 0;  ///< bytes at SCRATCH
  /// Whether it can also be served without them: what needs them then refuses the call, and AUTO
  /// passes on.
  bool if_there_is_room = false;
  reg::CallResult result = reg::CallResult::kSuccess;  ///< another one: it cannot be served
};

/// Makes a call with these areas.
int run_operation(Words words, const Group& group, const Served& served, const Area& source,
                  const Area& target);
inline int run_operation(const Words& words, const Group& group, Node::Serve serve,
                         const Area& source, const Area& target, std::uint64_t scratch) {
  return run_operation(words, group, {serve, scratch}, source, target);
}

constexpr std::uint64_t rounded_up(std::uint64_t bytes) { return (bytes + 7) & ~std::uint64_t{7}; }

}  // namespace annelid::firmware::kit
