// The collectives that the firmware knows.
#pragma once

#include <span>

#include "firmware/platform/node.hpp"
#include "firmware/platform/task.hpp"

namespace annelid::firmware {

struct Collective {
  reg::Operation operation;
  reg::Algorithm algorithm;
  bool (*fits)(Size size);                    ///< can it run in a network of this size?
  Task (*run)(Node& node, const Call& call);  ///< one node's part; `call` outlives the task
};

std::span<const Collective> collectives();

/// The firmware's main coroutine: takes calls, runs them, tells the host, for ever.
Task serve(Node& node);

}  // namespace annelid::firmware
