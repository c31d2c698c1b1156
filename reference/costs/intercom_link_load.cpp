#include "reference/costs/intercom_link_load.hpp"

#include <algorithm>

#include "reference/schedule/index.hpp"
#include "reference/schedule/lines.hpp"

namespace annelid::reference::intercom {
namespace {

/// Messages and bytes on every channel, in one step after the other.
class Channels {
 public:
  explicit Channels(const Network& net) : net_(net), loads_(kDirections * at(net.nodes())) {}

  /// Puts a message on all channels of its route.
  void send(Node from, Node to, std::uint64_t bytes) {
    if (net_.ideal) return;
    for (const std::size_t d : net_.order) {
      const int size = net_.size()[d];
      const int steps = steps_along(size, net_.ring[d], position(from, d), position(to, d));
      const int direction = steps < 0 ? -1 : 1;
      for (int i = 0; i != steps; i += direction) {
        add(2 * d + (steps < 0 ? 1 : 0), from, bytes);
        from = moved(from, d, (position(from, d) + direction + size) % size);
      }
    }
  }

  /// Adds the busiest channels to a step's load, and empties all channels.
  void take(StepLoad& load) {
    for (std::size_t channel : used_) {
      load.messages = std::max(load.messages, loads_[channel].messages);
      load.channel_bytes = std::max(load.channel_bytes, loads_[channel].bytes);
      loads_[channel] = {};
    }
    used_.clear();
  }

 private:
  static constexpr std::size_t kDirections = 6;
  struct Load {
    int messages = 0;
    std::uint64_t bytes = 0;
  };

  void add(std::size_t direction, Node from, std::uint64_t bytes) {
    const std::size_t channel = kDirections * at(index_of(net_, from)) + direction;
    Load& load = loads_[channel];
    if (load.messages++ == 0) used_.push_back(channel);
    load.bytes += bytes;
  }

  const Network& net_;
  std::vector<Load> loads_;
  std::vector<std::size_t> used_;
};

}  // namespace

std::vector<StepLoad> loads_of(const StagedSchedule& schedule, const Network& net,
                               const std::vector<Node>& nodes) {
  if (nodes.size() != at(schedule.ranks) ||
      !std::ranges::all_of(nodes, [&](Node n) { return contains(net, n); })) {
    throw std::invalid_argument("a schedule of " + std::to_string(schedule.ranks) +
                                " ranks: expected as many nodes of a " + to_string(net) +
                                " network, found " + std::to_string(nodes.size()));
  }
  Channels channels(net);
  std::vector<StepLoad> loads;
  for (const StagedStep& step : schedule.steps) {
    StepLoad load;
    for (const Transfer& t : step.transfers) {
      channels.send(nodes[at(t.from)], nodes[at(t.to)], t.length);
      load.messages = 1;
      load.port_bytes = std::max(load.port_bytes, t.length);
      if (t.combine) load.combined_bytes = std::max(load.combined_bytes, t.length);
    }
    channels.take(load);
    loads.push_back(load);
  }
  return loads;
}

std::vector<int> stage_contention(const StagedSchedule& schedule,
                                  const std::vector<StepLoad>& loads) {
  std::vector<int> messages(schedule.stages.size());
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    int& most = messages.at(schedule.steps[i].stage);
    most = std::max(most, loads.at(i).messages);
  }
  return messages;
}

}  // namespace annelid::reference::intercom
