// Who is told what the cores of a run execute.
#pragma once

#include <memory>
#include <vector>

#include "nic/nic.hpp"
#include "systemc/fabric/event_stream.hpp"

namespace annelid::simulation {

/// Any number of tracers for each core, which has a place for one.
class CoreTracers {
 public:
  /// With a stream, process 0 is told what the cores of all processes execute. `nics` and `stream`
  /// must outlive it. Foreign NICs are null pointers.
  CoreTracers(const std::vector<std::unique_ptr<nic::Nic>>& nics, systemc::EventStream* stream);
  ~CoreTracers();
  CoreTracers(const CoreTracers&) = delete;
  CoreTracers& operator=(const CoreTracers&) = delete;

  /// To be called before the run, and with a stream in all processes, for the same nodes. The
  /// tracer must outlive the run. It is that of process 0; the others have none: nullptr. Native
  /// firmware has no core, and nothing is told.
  void add(NodeId node, nic::CoreTracer* tracer);
  /// Nobody is told anything while this is set.
  void set_silent(bool silent) { silent_ = silent; }

 private:
  class Node;
  [[nodiscard]] Node& node(NodeId id);
  void replay(systemc::EventReader words);

  const std::vector<std::unique_ptr<nic::Nic>>& nics_;
  systemc::EventStream* const stream_;
  systemc::EventStream::Kind kind_ = 0;
  bool silent_ = false;
  std::vector<std::unique_ptr<Node>> nodes_;  // nullptr: nobody is told of its core
};

}  // namespace annelid::simulation
