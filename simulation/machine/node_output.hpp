// What programs print on the nodes, as whole lines in the order of cycles and nodes.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "systemc/network/types.hpp"

namespace annelid::simulation {

/// A line that a node has printed, without its end.
struct NodeLine {
  Cycle cycle = 0;     ///< in which the end of the line was written
  std::string node;    ///< "3,5"
  int descriptor = 1;  ///< 1: standard output, 2: standard error
  std::string text;
};

/// Takes the lines one after the other, while the run goes on.
using TakeLine = std::function<void(const NodeLine&)>;

/// Joins what the nodes write to lines. In one cycle, the nodes may write in any order.
class NodeOutput {
 public:
  /// `name` gives the text for a node.
  NodeOutput(TakeLine take, std::function<std::string(NodeId)> name)
      : take_(std::move(take)), name_(std::move(name)) {}

  /// A node writes in `cycle`, which is no earlier than that of the call before.
  void write(Cycle cycle, NodeId node, int descriptor, const std::string& text);
  /// Gives away all lines that are left, also those without an end.
  void finish(Cycle cycle);

 private:
  /// Longer lines are broken here, so that no program fills the memory.
  static constexpr std::size_t kLongestLine = 65'536;
  using Place = std::pair<NodeId, int>;  ///< node and descriptor

  void end_line(const Place& place);
  void flush();

  const TakeLine take_;
  const std::function<std::string(NodeId)> name_;
  Cycle cycle_ = 0;                                ///< of the lines in ended_
  std::map<Place, std::string> begun_;             ///< lines without an end
  std::map<NodeId, std::vector<NodeLine>> ended_;  ///< in this cycle
};

}  // namespace annelid::simulation
