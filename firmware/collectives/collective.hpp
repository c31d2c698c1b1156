// The interface between the firmware and a collective. A collective needs to include no other file.
#pragma once

#include "firmware/communication/form_group.hpp"
#include "firmware/communication/operators.hpp"
#include "firmware/communication/point_to_point.hpp"
#include "firmware/platform/group.hpp"
#include "firmware/platform/node.hpp"
#include "firmware/platform/task.hpp"

namespace annelid::firmware {

using reg::CallResult;

/// A collective has a namespace of its own with these two functions, and a line in table.inc.
struct Collective {
  reg::Operation operation;
  reg::Algorithm algorithm;
  /// Returns SUCCESS, or the error of the call: the algorithm does not fit the network or the
  /// group, or an argument is bad. It must decide from values that are the same at all members, so
  /// that all members refuse the call or none does.
  CallResult (*check)(const Context& me);
  /// Runs this process's part.
  Task (*run)(Context& me);
};

/// Makes the task that serves a call, or returns the error of the call. This is the firmware's
/// Node::Serve.
CallResult serve(Context& me, std::optional<Task>& task);

/// Lets the collectives find out what depends on the network alone, before the first call.
void start_collectives(Node& node);

}  // namespace annelid::firmware
