#include "reference/schedule/data_flow.hpp"

#include <algorithm>
#include <stdexcept>

#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

/// Which values each rank has received, part by part.
class Received {
 public:
  explicit Received(const DataFlow& flow) : flow_(flow), values_(at(flow.ranks()) * flow.parts) {}

  void add(int rank, std::uint64_t part, int value) {
    std::vector<int>& values = of(rank, part);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  [[nodiscard]] bool can_compute(int rank, std::uint64_t part, int value) {
    const std::vector<int>& values = of(rank, part);
    std::vector<int> open{value};
    while (!open.empty()) {
      const int next = open.back();
      open.pop_back();
      if (next == rank || std::ranges::find(values, next) != values.end()) continue;
      if (next < flow_.ranks()) return false;
      open.push_back(flow_.values.operands(next).left);
      open.push_back(flow_.values.operands(next).right);
    }
    return true;
  }

 private:
  std::vector<int>& of(int rank, std::uint64_t part) {
    return values_[at(rank) * flow_.parts + part];
  }

  const DataFlow& flow_;
  std::vector<std::vector<int>> values_;
};

std::string shown(std::size_t step, const FlowMessage& m) {
  return "step " + std::to_string(step) + ": rank " + std::to_string(m.from) + " -> " +
         std::to_string(m.to);
}

/// A block that stands in the value twice.
std::optional<int> repeated(const Combinations& values, int value) {
  if (values.in_order(value)) return std::nullopt;
  std::vector<int> ranks = values.operands_of(value);
  std::ranges::sort(ranks);
  const auto found = std::ranges::adjacent_find(ranks);
  return found == ranks.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::string> violation_of_messages(const DataFlow& flow, Received& received) {
  for (std::size_t s = 0; s < flow.steps.size(); ++s) {
    for (const FlowMessage& m : flow.steps[s]) {
      const bool ranks = m.from >= 0 && m.from < flow.ranks() && m.to >= 0 && m.to < flow.ranks();
      if (!ranks || m.from == m.to || m.first > m.end || m.end > flow.parts) {
        return shown(s + 1, m) + " is no message between two ranks";
      }
      for (std::uint64_t part = m.first; part < m.end; ++part) {
        if (!received.can_compute(m.from, part, m.value)) {
          return shown(s + 1, m) + ": the sender cannot have part " + std::to_string(part);
        }
      }
    }
    for (const FlowMessage& m : flow.steps[s]) {
      for (std::uint64_t part = m.first; part < m.end; ++part) received.add(m.to, part, m.value);
    }
  }
  return std::nullopt;
}

}  // namespace

void DataFlow::send(int step, const FlowMessage& message) {
  if (++messages_ > kMostMessages) {
    throw std::invalid_argument("a schedule of more than " + std::to_string(kMostMessages) +
                                " messages: ask for fewer packets or ranks");
  }
  if (steps.size() < at(step)) steps.resize(at(step));
  steps[at(step) - 1].push_back(message);
}

void DataFlow::send(const Stream& s) {
  for (std::uint64_t part = s.first; part < s.end; ++part) {
    const int packet = static_cast<int>(part - s.first);
    send(s.step + packet * s.period, {s.from, s.to, part, part + 1, s.value});
  }
}

PartSchedule placed(const DataFlow& flow, const std::vector<Node>& nodes) {
  PartSchedule schedule;
  for (const auto& messages : flow.steps) {
    auto& step = schedule.emplace_back();
    step.reserve(messages.size());
    for (const FlowMessage& m : messages) {
      step.push_back({nodes[at(m.from)], nodes[at(m.to)], m.first, m.end});
    }
  }
  return schedule;
}

std::optional<std::string> violation(const DataFlow& flow) {
  Received received(flow);
  if (auto found = violation_of_messages(flow, received)) return found;
  for (const FlowResult& r : flow.results) {
    for (int rank = r.first_rank; rank < r.end_rank; ++rank) {
      for (std::uint64_t part = r.first; part < r.end; ++part) {
        if (received.can_compute(rank, part, r.value)) continue;
        return "rank " + std::to_string(rank) + " cannot have part " + std::to_string(part) +
               " of its result";
      }
    }
    if (const auto rank = repeated(flow.values, r.value)) {
      return "the block of rank " + std::to_string(*rank) + " is in a result twice";
    }
  }
  return std::nullopt;
}

}  // namespace annelid::reference
