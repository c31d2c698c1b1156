// What a node and its tasks tell whoever records a call.
#pragma once

#include "firmware/platform/task.hpp"

namespace annelid::firmware {

class Transfer;

/// Pointers, so that a program that records no call is not linked with a recorder.
struct Recording {
  void (*make)(Recording&, Transfer&);          ///< a task has made a transfer
  void (*forget)(Recording&, const Transfer&);  ///< it is destroyed before anybody awaited it
  void (*start)(Recording&, Task::Handle);      ///< runs a task beside the one that calls start()
  void (*join)(Recording&, Task::Handle);       ///< such a task has ended, and was awaited
  bool fresh_receives = false;                  ///< Node::record_fresh_receives
};

}  // namespace annelid::firmware
