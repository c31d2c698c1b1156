#include "simulation/machine/node_output.hpp"

namespace annelid::simulation {

void NodeOutput::write(Cycle cycle, NodeId node, int descriptor, const std::string& text) {
  if (cycle != cycle_) flush();
  cycle_ = cycle;
  const Place place{node, descriptor};
  std::string& line = begun_[place];
  for (const char c : text) {
    if (c != '\n') line += c;
    if (c == '\n' || line.size() == kLongestLine) end_line(place);
  }
}

void NodeOutput::end_line(const Place& place) {
  std::string& line = begun_[place];
  if (take_) ended_[place.first].push_back({cycle_, name_(place.first), place.second, line});
  line.clear();
}

void NodeOutput::flush() {
  for (const auto& [node, lines] : ended_) {
    for (const NodeLine& line : lines) take_(line);
  }
  ended_.clear();
}

void NodeOutput::finish(Cycle cycle) {
  flush();
  cycle_ = cycle;
  for (const auto& [place, line] : begun_) {
    if (!line.empty()) end_line(place);
  }
  flush();
}

}  // namespace annelid::simulation
