#include "simulation/checks/order_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "reference/all_to_all/all_to_all.hpp"
#include "simulation/checks/message_text.hpp"

namespace annelid::simulation {
namespace {

using nic::MessageRecord;

/// The strands of a schedule's messages (docs/internals/algorithms/all-ports.md).
class Strands {
 public:
  Strands(const reference::Schedule& schedule, const reference::Network& network)
      : schedule_(schedule), network_(network) {
    for (const reference::Step& step : schedule.steps) {
      for (const reference::Message& m : step) {
        count_ = std::max({count_, m.strand + 1, m.strand_there + 1});
      }
    }
  }

  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(count_); }

  /// Looks at the messages of a step.
  void enter(std::uint32_t step) {
    strands_.clear();
    if (count_ == 1 || step > schedule_.steps.size()) return;
    for (const reference::Message& m : schedule_.steps[step - 1]) {
      if (m.strand == 0 && m.receiving_strand() == 0) continue;
      strands_.push_back({key_of(number(m.from), number(m.to)), m.strand, m.receiving_strand()});
    }
    std::ranges::sort(strands_, {}, &Entry::key);
  }
  /// The strand of a message of that step at its sender, and at its receiver. No two strands have
  /// messages of the same step between the same nodes.
  [[nodiscard]] std::size_t of_sender(const MessageRecord& m) const {
    return static_cast<std::size_t>(entry_of(m).strand);
  }
  [[nodiscard]] std::size_t of_receiver(const MessageRecord& m) const {
    return static_cast<std::size_t>(entry_of(m).strand_there);
  }

  /// Whether strands wait for each other anywhere.
  [[nodiscard]] bool join() const { return !schedule_.joins.empty(); }
  /// The last step before this one after which strands join; 0 if there is none.
  [[nodiscard]] std::uint32_t joined_before(std::uint32_t step) const {
    const auto behind = std::ranges::lower_bound(schedule_.joins, step);
    return behind == schedule_.joins.begin() ? 0 : static_cast<std::uint32_t>(*std::prev(behind));
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    int strand = 0, strand_there = 0;
  };
  [[nodiscard]] Entry entry_of(const MessageRecord& m) const {
    if (strands_.empty()) return {};
    const std::uint64_t key = key_of(m.info.source, m.info.destination);
    const auto found = std::ranges::lower_bound(strands_, key, {}, &Entry::key);
    return found == strands_.end() || found->key != key ? Entry{} : *found;
  }
  static std::uint64_t key_of(NodeId from, NodeId to) { return std::uint64_t{from} << 32 | to; }
  [[nodiscard]] NodeId number(const reference::Node& node) const {
    return static_cast<NodeId>(reference::index_of(network_, node));
  }

  const reference::Schedule& schedule_;
  const reference::Network& network_;
  int count_ = 1;
  std::vector<Entry> strands_;  ///< of a step, those with others than 0
};

/// What nodes have received when they have played some steps of a schedule: of each strand, or of
/// all of them. Steps are played in their order.
class Arrivals {
 public:
  enum class Of : std::uint8_t { kEachStrand, kAllStrands };

  Arrivals(const CallMessages& messages, Strands strands, std::size_t nodes, Of of)
      : messages_(messages),
        strands_(std::move(strands)),
        next_(messages.by_step.steps().begin()),
        width_(of == Of::kEachStrand ? strands_.count() : 1),
        last_(nodes * width_) {}

  /// Plays the steps before this one that have not been played.
  void play_before(std::uint32_t step) {
    for (; next_ != messages_.by_step.steps().end() && next_->step < step; ++next_) {
      if (next_->step == 0) continue;
      if (width_ > 1) strands_.enter(next_->step);
      for (const std::uint32_t place : next_->places) {
        const MessageRecord& m = messages_.all[place];
        const MessageRecord*& last =
            at(m.info.destination, width_ > 1 ? strands_.of_receiver(m) : 0);
        if (last == nullptr || m.received > last->received) last = &m;
      }
    }
  }
  /// The message that was received last; nullptr if there is none.
  [[nodiscard]] const MessageRecord* last(NodeId node, std::size_t strand) {
    return at(node, width_ > 1 ? strand : 0);
  }

 private:
  [[nodiscard]] const MessageRecord*& at(NodeId node, std::size_t strand) {
    return last_[node * width_ + strand];
  }

  const CallMessages& messages_;
  Strands strands_;
  std::vector<StepMessages>::const_iterator next_;
  std::size_t width_;
  std::vector<const MessageRecord*> last_;  ///< by node and strand
};

/// By step: the first of the steps that need not wait for each other.
std::vector<std::uint32_t> beginnings(const Collective& c) {
  std::vector<std::uint32_t> first = {0};
  int place = -1;
  const reference::Request request = c.request();
  const auto steps =
      reference::index_steps(reference::rank_count(c.network, c.ranks),
                             reference::radices_of(request.parameter, request.parameter_0));
  for (const reference::IndexStep& step : steps) {
    const auto number = static_cast<std::uint32_t>(first.size());
    first.push_back(step.place == place ? first.back() : number);
    place = step.place;
  }
  return first;
}

}  // namespace

Check check_order(const CheckedCall& checked, const reference::Schedule& schedule) {
  const Scenario& scenario = checked.scenario;
  const Collective& c = checked.collective();
  if (c.operation() == reference::Operation::kAllToAll && c.algorithm->name == "direct") {
    return {"order", Verdict::kNotRun, "each node sends its own blocks alone, all at once"};
  }
  const std::size_t nodes = scenario.network.nodes();
  Strands strands(schedule, c.network);
  Arrivals of_strand(checked.messages, strands, nodes, Arrivals::Of::kEachStrand);
  Arrivals of_all(checked.messages, strands, nodes, Arrivals::Of::kAllStrands);
  std::vector<std::uint32_t> first;
  if (c.operation() == reference::Operation::kAllToAll && c.algorithm->name == "radix") {
    first = beginnings(c);
  }
  std::size_t waited = 0;
  std::uint32_t early = ~std::uint32_t{0};  // the first message that did not wait, and for which
  const MessageRecord* awaited = nullptr;
  for (const StepMessages& step : checked.messages.by_step.steps()) {
    if (step.step == 0) continue;
    const std::uint32_t begin = step.step < first.size() ? first[step.step] : step.step;
    of_strand.play_before(begin);
    if (strands.join()) of_all.play_before(strands.joined_before(begin) + 1);
    strands.enter(step.step);
    for (const std::uint32_t place : step.places) {
      const MessageRecord& m = checked.messages.all[place];
      const std::array before = {of_strand.last(m.info.source, strands.of_sender(m)),
                                 of_all.last(m.info.source, 0)};
      if (before[0] == nullptr && before[1] == nullptr) continue;
      ++waited;
      for (const MessageRecord* const one : before) {
        if (one == nullptr || m.posted > one->received || place >= early) continue;
        early = place;
        awaited = one;
      }
    }
  }
  if (awaited != nullptr) {
    const MessageRecord& m = checked.messages.all[early];
    return {"order", Verdict::kFailed,
            fmt::format("{}, posted in cycle {}, before its sender had what {} brings it, which "
                        "was there {}",
                        name_of(scenario.network, m), m.posted, name_of(scenario.network, *awaited),
                        cycle_text(awaited->received))};
  }
  return {"order", Verdict::kHeld,
          fmt::format("each of {} messages left after all that earlier steps bring its sender",
                      waited)};
}

}  // namespace annelid::simulation
