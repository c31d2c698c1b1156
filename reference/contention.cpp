#include "reference/contention.hpp"

#include <algorithm>
#include <map>

namespace annelid::reference {
namespace {

std::string shown(std::size_t step, const Message& m) {
  return "step " + std::to_string(step) + ": " + to_string(m.from) + " -> " + to_string(m.to);
}

}  // namespace

std::vector<Channel> route(Node from, Node to) {
  std::vector<Channel> channels;
  Node at = from;
  while (at != to) {
    Node next = at;
    if (at.x != to.x) {
      next.x += to.x > at.x ? 1 : -1;
    } else {
      next.y += to.y > at.y ? 1 : -1;
    }
    channels.push_back({at, next});
    at = next;
  }
  return channels;
}

std::vector<StepContention> contention(const Schedule& schedule) {
  std::vector<StepContention> result;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    StepContention here;
    std::map<Channel, std::vector<Message>> users;
    std::map<Node, int> sends;
    for (const Message& m : schedule.steps[i]) {
      here.max_sends = std::max(here.max_sends, ++sends[m.from]);
      for (const Channel& c : route(m.from, m.to)) {
        auto& of_channel = users[c];
        for (const Message& other : of_channel) {
          here.conflicts.push_back({i + 1, c, other, m});
        }
        of_channel.push_back(m);
        here.max_load = std::max(here.max_load, static_cast<int>(of_channel.size()));
        ++here.hops;
      }
    }
    result.push_back(std::move(here));
  }
  return result;
}

std::optional<std::string> broadcast_violation(MeshSize size, Node root, const Schedule& schedule) {
  std::vector<bool> holds(static_cast<std::size_t>(size.nodes()), false);
  const auto at = [&](Node n) { return static_cast<std::size_t>(index_of(size, n)); };
  holds[at(root)] = true;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    std::vector<Node> reached;
    for (const Message& m : schedule.steps[i]) {
      if (!contains(size, m.from) || !contains(size, m.to)) {
        return shown(i + 1, m) + " leaves the mesh";
      }
      if (!holds[at(m.from)]) return shown(i + 1, m) + ": the sender does not hold the message";
      if (holds[at(m.to)] || std::find(reached.begin(), reached.end(), m.to) != reached.end()) {
        return shown(i + 1, m) + ": the receiver has the message already";
      }
      reached.push_back(m.to);
    }
    for (Node n : reached) holds[at(n)] = true;
  }
  for (int i = 0; i < size.nodes(); ++i) {
    if (!holds[static_cast<std::size_t>(i)]) {
      return "node " + to_string(node_at(size, i)) + " is never reached";
    }
  }
  return std::nullopt;
}

}  // namespace annelid::reference
