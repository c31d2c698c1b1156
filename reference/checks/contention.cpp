#include "reference/checks/contention.hpp"

#include <algorithm>
#include <tuple>

#include "reference/schedule/index.hpp"
#include "reference/schedule/lines.hpp"

namespace annelid::reference {
namespace {

std::string shown(std::size_t step, const Message& m) {
  return "step " + std::to_string(step) + ": " + to_string(m.from) + " -> " + to_string(m.to);
}

/// Calls f(dimension, direction, from, to) for each channel of a message, in the order in which it
/// takes them; direction: 0 for +, 1 for -.
template <typename F>
void for_each_channel(const Network& net, Node from, Node to, F f) {
  if (net.ideal) return;
  Node at = from;
  for (const std::size_t d : net.order) {
    int Node::*const coordinate = kCoordinates[d];
    const int size = net.size()[d];
    const int steps = steps_along(size, net.ring[d], from.*coordinate, to.*coordinate);
    const bool forward = steps > 0;
    for (int i = 0; i != steps; i += forward ? 1 : -1) {
      Node next = at;
      next.*coordinate = (at.*coordinate + (forward ? 1 : size - 1)) % size;
      f(d, forward ? 0 : 1, at, next);
      at = next;
    }
  }
}

void require_inside(const Network& net, const Message& m) {
  if (contains(net, m.from) && contains(net, m.to)) return;
  throw std::invalid_argument("the message " + to_string(m.from) + " -> " + to_string(m.to) +
                              " leaves the network " + to_string(net));
}

}  // namespace

std::vector<Channel> route(const Network& net, Node from, Node to) {
  std::vector<Channel> channels;
  if (net.ideal) return channels;
  channels.reserve(static_cast<std::size_t>(distance(net, from, to)));
  for_each_channel(net, from, to, [&](std::size_t, int, const Node& a, const Node& b) {
    channels.push_back({a, b});
  });
  return channels;
}

StepLoads::StepLoads(const Network& net)
    : net_(net), loads_(kChannels * static_cast<std::size_t>(net.nodes())) {}

StepLoad StepLoads::of(const Step& step) {
  StepLoad load;
  used_.clear();
  for (const Message& m : step) {
    require_inside(net_, m);
    for_each_channel(
        net_, m.from, m.to, [&](std::size_t d, int direction, const Node& from, const Node&) {
          const std::size_t channel = kChannels * at(index_of(net_, from)) + 2 * d + at(direction);
          std::uint32_t& others = loads_[channel];
          load.conflicts += others;
          load.most = std::max<std::uint64_t>(load.most, ++others);
          used_.push_back(channel);
        });
  }
  for (const std::size_t channel : used_) loads_[channel] = 0;
  if (net_.ideal && !step.empty()) load.most = 1;
  return load;
}

std::vector<StepContention> contention(const Network& net, const Schedule& schedule) {
  struct Use {
    Channel channel;
    std::size_t message;
  };
  std::vector<StepContention> result;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    StepContention here;
    std::vector<int> sends(static_cast<std::size_t>(net.nodes()));
    std::vector<Use> uses;
    for (std::size_t m = 0; m < step.size(); ++m) {
      const auto sender = static_cast<std::size_t>(index_of(net, step[m].from));
      here.max_sends = std::max(here.max_sends, ++sends[sender]);
      here.hops += static_cast<std::uint64_t>(distance(net, step[m].from, step[m].to));
      for (const Channel& c : route(net, step[m].from, step[m].to)) uses.push_back({c, m});
    }
    if (net.ideal && !step.empty()) here.max_load = 1;
    std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
      return std::tie(a.channel, a.message) < std::tie(b.channel, b.message);
    });
    for (std::size_t first = 0, end = 0; first < uses.size(); first = end) {
      for (end = first; end < uses.size() && uses[end].channel == uses[first].channel; ++end) {
        for (std::size_t other = first; other < end; ++other) {
          here.conflicts.push_back(
              {i + 1, uses[end].channel, step[uses[other].message], step[uses[end].message]});
        }
      }
      here.max_load = std::max(here.max_load, static_cast<int>(end - first));
    }
    result.push_back(std::move(here));
  }
  return result;
}

std::optional<std::string> broadcast_violation(const Network& size, Node root,
                                               const Schedule& schedule) {
  std::vector<bool> holds(static_cast<std::size_t>(size.nodes()), false);
  std::vector<bool> receives = holds;  // in this step or one before
  const auto at = [&](Node n) { return static_cast<std::size_t>(index_of(size, n)); };
  holds[at(root)] = receives[at(root)] = true;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    for (const Message& m : schedule.steps[i]) {
      if (!contains(size, m.from) || !contains(size, m.to)) {
        return shown(i + 1, m) + " leaves the network";
      }
      if (!holds[at(m.from)]) return shown(i + 1, m) + ": the sender does not hold the message";
      if (receives[at(m.to)]) {
        return shown(i + 1, m) + ": the receiver has the message already";
      }
      receives[at(m.to)] = true;
    }
    for (const Message& m : schedule.steps[i]) holds[at(m.to)] = true;
  }
  for (int i = 0; i < size.nodes(); ++i) {
    if (!holds[static_cast<std::size_t>(i)]) {
      return "node " + to_string(node_at(size, i)) + " is never reached";
    }
  }
  return std::nullopt;
}

}  // namespace annelid::reference
