#include "simulation/checks/schedule_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "simulation/checks/mode_messages.hpp"

namespace annelid::simulation {
namespace {

/// One message of a step. Places are in one word, because that is compared faster than three: z
/// before y before x, as nodes are numbered.
struct Sent {
  std::uint64_t from = 0, to = 0, bytes = 0;
  friend bool operator==(const Sent&, const Sent&) = default;
};

constexpr unsigned kCoordinateBits = 20;

std::uint64_t packed(const reference::Node& n) {
  const auto word = [](int coordinate) { return static_cast<std::uint64_t>(coordinate); };
  return (word(n.z) << kCoordinateBits | word(n.y)) << kCoordinateBits | word(n.x);
}

reference::Node unpacked(std::uint64_t place) {
  const auto coordinate = [place](unsigned bits) {
    return static_cast<int>(place >> bits & ((1U << kCoordinateBits) - 1));
  };
  return {coordinate(0), coordinate(kCoordinateBits), coordinate(2 * kCoordinateBits)};
}

/// By the numbers of the nodes: messages that a run records are in this order but for their bytes.
bool by_number(const Sent& a, const Sent& b) {
  if (a.from != b.from) return a.from < b.from;
  return a.to != b.to ? a.to < b.to : a.bytes < b.bytes;
}
/// By coordinates, x before y before z: the order in which differences are named.
bool by_coordinates(const Sent& a, const Sent& b) {
  if (a.from != b.from) return unpacked(a.from) < unpacked(b.from);
  return a.to != b.to ? unpacked(a.to) < unpacked(b.to) : a.bytes < b.bytes;
}

std::string shown(const systemc::NetworkConfig& network, std::size_t step, const Sent& m) {
  return fmt::format("step {}: {} -> {}, {} bytes", step, place_text(network, unpacked(m.from)),
                     place_text(network, unpacked(m.to)), m.bytes);
}

/// The messages of the steps of a call, as the reference and the run have them.
class StepComparison {
 public:
  StepComparison(const CheckedCall& checked) : checked_(checked) {
    const systemc::NetworkConfig& network = checked.scenario.network;
    places_.reserve(network.nodes());
    for (NodeId node = 0; node < network.nodes(); ++node) {
      places_.push_back(packed(reference_node(network.address(node))));
    }
  }

  /// The first difference in a step; "" if there is none.
  [[nodiscard]] std::string difference(std::size_t step,
                                       std::span<const reference::Message> expects,
                                       std::span<const std::uint32_t> finds) {
    expected_.clear();
    for (const reference::Message& m : expects) {
      expected_.push_back({packed(m.from), packed(m.to), m.bytes});
    }
    found_.clear();
    for (const std::uint32_t place : finds) {
      const nic::MessageInfo& m = checked_.messages.all[place].info;
      found_.push_back({places_[m.source], places_[m.destination], m.bytes});
    }
    if (expected_ == found_) return "";  // most algorithms send in the order of the nodes
    std::ranges::sort(expected_, by_number);
    std::ranges::sort(found_, by_number);
    return expected_ == found_ ? "" : first_difference(step);
  }

 private:
  [[nodiscard]] std::string first_difference(std::size_t step) {
    const systemc::NetworkConfig& network = checked_.scenario.network;
    std::ranges::sort(expected_, by_coordinates);
    std::ranges::sort(found_, by_coordinates);
    const auto [e, f] = std::ranges::mismatch(expected_, found_);
    if (e != expected_.end() && (f == found_.end() || by_coordinates(*e, *f))) {
      return "missing " + shown(network, step, *e);
    }
    return "not in the reference: " + shown(network, step, *f);
  }

  const CheckedCall& checked_;
  std::vector<std::uint64_t> places_;  ///< by node
  std::vector<Sent> expected_, found_;
};

}  // namespace

Check check_schedule(const CheckedCall& checked, const reference::Schedule& schedule) {
  const Scenario& s = checked.scenario;
  const auto differs = [](std::string difference) {
    return Check{"schedule", Verdict::kFailed, std::move(difference)};
  };
  for (const nic::MessageRecord& m : checked.messages.all) {
    if (m.received != kNever || m.info.source == m.info.destination) continue;
    const Sent sent{packed(reference_node(s.network.address(m.info.source))),
                    packed(reference_node(s.network.address(m.info.destination))), m.info.bytes};
    return differs(shown(s.network, m.info.step, sent) + " never arrived");
  }
  const std::vector<reference::Message> of_modes = mode_messages(checked.collective());
  const std::vector<StepMessages>& steps = checked.messages.by_step.steps();
  StepComparison comparison(checked);
  std::size_t messages = 0;
  auto next = steps.begin();
  for (std::size_t step = 0; step <= schedule.steps.size() || next != steps.end(); ++step) {
    if (step > schedule.steps.size()) step = next->step;
    const bool any = next != steps.end() && next->step == step;
    const auto expected = step == 0 ? std::span<const reference::Message>(of_modes)
                          : step <= schedule.steps.size() ? schedule.steps[step - 1]
                                                          : std::span<const reference::Message>();
    const auto found = any ? next->places : std::span<const std::uint32_t>();
    std::string difference = comparison.difference(step, expected, found);
    if (!difference.empty()) return differs(std::move(difference));
    messages += found.size();
    if (any) ++next;
  }
  return {"schedule", Verdict::kHeld,
          fmt::format("{} messages in {} steps equal the reference's", messages,
                      schedule.steps.size())};
}

}  // namespace annelid::simulation
