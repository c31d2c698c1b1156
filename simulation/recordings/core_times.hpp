// When the cores of a run execute instructions, and when they sleep, for a timeline.
#pragma once

#include <memory>
#include <vector>

#include "nic/core.hpp"
#include "timeline/journeys.hpp"

namespace annelid::simulation {

/// After this instruction, wfi, a core sleeps.
inline constexpr std::uint32_t kWfiInstruction = 0x10500073;

class CoreTimes {
 public:
  explicit CoreTimes(NodeId nodes);
  ~CoreTimes();

  /// What is to be told what the node's core executes. It lives as long as this object.
  [[nodiscard]] nic::CoreTracer* tracer(NodeId node);
  /// The run has ended before this cycle. Cores run ahead of the network: what they have executed
  /// from then on does not count, and those that have not slept are at work up to the end.
  void end(Cycle cycle);
  /// Adds to a run what the cores did in its window, and makes the run as long as that. Sleeps that
  /// are too short to be seen in a picture of the run are left out. Adds nothing if no core has
  /// executed anything.
  void add_to(timeline::RecordedRun& run) const;

 private:
  class Node;
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace annelid::simulation
