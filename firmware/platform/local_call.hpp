// A call of a program that runs on the same core as the firmware, beside the calls of the host.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/platform/node.hpp"

namespace annelid::firmware {

/// The words are those of a host's call. The program lets the node run until the call is done.
class LocalCall {
 public:
  using Words = std::array<std::uint32_t, reg::kCallWords>;

  LocalCall() = default;
  LocalCall(const LocalCall&) = delete;
  LocalCall& operator=(const LocalCall&) = delete;

  /// Starts the call for a group, which must live until the call is done. `serve` makes its task.
  /// The call may be done at once, as it is if its result is an error.
  void start(Node& node, const Words& words, const Group& group, Node::Serve serve);
  /// Whether the call is done. Its place is free from then on.
  [[nodiscard]] bool done();
  [[nodiscard]] reg::CallResult result() const { return result_; }

 private:
  void finish(reg::CallResult result);

  Context* context_ = nullptr;  ///< of a call that is not done
  reg::CallResult result_ = reg::CallResult::kSuccess;
};

}  // namespace annelid::firmware
