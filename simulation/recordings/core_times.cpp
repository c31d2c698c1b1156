#include "simulation/recordings/core_times.hpp"

#include <algorithm>

namespace annelid::simulation {
namespace {

constexpr Cycle kPartsSeen = 4000;  // of a run: more than a picture has columns

using Spells = std::vector<timeline::CoreSpell>;

/// The parts of spells from `begin` to before `end`.
Spells between(const Spells& spells, Cycle begin, Cycle end) {
  Spells parts;
  for (const timeline::CoreSpell& s : spells) {
    const timeline::CoreSpell part{std::max(s.begin, begin), std::min(s.end, end)};
    if (part.begin < part.end) parts.push_back(part);
  }
  return parts;
}

Spells without_short_sleeps(const Spells& spells, Cycle shortest) {
  Spells joined;
  for (const timeline::CoreSpell& s : spells) {
    if (!joined.empty() && s.begin - joined.back().end < shortest) {
      joined.back().end = s.end;
    } else {
      joined.push_back(s);
    }
  }
  return joined;
}

}  // namespace

class CoreTimes::Node final : public nic::CoreTracer {
 public:
  void retired(const nic::Retired& i) override {
    if (asleep_) spells_.push_back({i.cycle, i.cycle});
    spells_.back().end = i.cycle + 1;
    asleep_ = i.word == kWfiInstruction;
    trapped_ = false;
  }
  void trapped(Cycle, const nic::Trap&) override { trapped_ = true; }
  void end(Cycle cycle) {
    const bool ahead = std::erase_if(spells_, [&](const auto& s) { return s.begin >= cycle; }) > 0;
    if (spells_.empty()) return;
    Cycle& last = spells_.back().end;
    const bool goes_on = !ahead && !asleep_ && !trapped_;
    if (goes_on || last > cycle) last = cycle;
  }
  [[nodiscard]] const Spells& spells() const { return spells_; }

 private:
  Spells spells_;
  bool asleep_ = true;
  bool trapped_ = false;  // and nothing was executed since: a trap without a handler halts the core
};

CoreTimes::CoreTimes(NodeId nodes) : nodes_(nodes) {}
CoreTimes::~CoreTimes() = default;

nic::CoreTracer* CoreTimes::tracer(NodeId node) {
  if (!nodes_[node]) nodes_[node] = std::make_unique<Node>();
  return nodes_[node].get();
}

void CoreTimes::end(Cycle cycle) {
  for (const auto& node : nodes_) {
    if (node) node->end(cycle);
  }
}

void CoreTimes::add_to(timeline::RecordedRun& run) const {
  const Cycle behind = run.window.end == kNever ? kNever : run.window.end + 1;
  std::vector<Spells> cores(nodes_.size());
  bool any = !run.journeys.empty() || run.loads;
  bool worked = false;
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    if (!nodes_[node]) continue;
    Spells& spells = cores[node];
    spells = between(nodes_[node]->spells(), run.window.begin, behind);
    if (spells.empty()) continue;
    run.begin = any ? std::min(run.begin, spells.front().begin) : spells.front().begin;
    run.end = std::max(run.end, spells.back().end);
    any = worked = true;
  }
  if (!worked) return;
  const Cycle shortest = (run.end - run.begin) / kPartsSeen;
  for (Spells& spells : cores) spells = without_short_sleeps(spells, shortest);
  run.cores = std::move(cores);
}

}  // namespace annelid::simulation
