#include "firmware/collectives/pipelines/circulant_schedule.hpp"

namespace annelid::firmware {
namespace {

/// The depth-first search over sums of skips that finds a receive schedule.
class Search {
 public:
  /// Searches the first `rounds` rounds of process r.
  Search(const CirculantGraph& graph, std::uint32_t r, std::uint32_t without, std::uint32_t rounds,
         CirculantGraph::Schedule& schedule)
      : graph_(graph), target_(graph.size() + r), rounds_(rounds), schedule_(schedule) {
    // The list of skips L, L - 1, ..., 0; the place kEnd is before the first and after the last.
    const std::uint32_t last = graph.rounds();
    for (std::uint32_t e = 0; e <= last; ++e) {
      next_[e] = static_cast<std::uint8_t>(e == 0 ? kEnd : e - 1);
      previous_[e] = static_cast<std::uint8_t>(e == last ? kEnd : e + 1);
    }
    next_[kEnd] = static_cast<std::uint8_t>(last);
    take_out(without);
  }
  void run() { blocks(0, 2 * graph_.size(), next_[kEnd], 0); }

 private:
  static constexpr std::uint32_t kEnd = CirculantGraph::kMostRounds + 1;

  void take_out(std::uint32_t e) {
    next_[previous_[e]] = next_[e];
    previous_[next_[e]] = previous_[e];
  }
  /// Goes on from the sum y with skip e, for round i; sums are below s. Gives the next round.
  std::uint32_t blocks(std::uint32_t y, std::uint32_t s, std::uint32_t e, std::uint32_t i) {
    for (; e != kEnd && i < rounds_; e = next_[e]) {
      const std::uint32_t sum = y + graph_.skip(e);
      if (sum > target_ - graph_.skip(i) || sum >= s) continue;
      if (sum <= target_ - graph_.skip(i + 1)) i = blocks(sum, s, e, i);
      if (i == rounds_ || y > target_ - graph_.skip(i + 1)) return i;
      s = sum;
      schedule_[i++] = static_cast<std::int8_t>(e);
      take_out(e);
    }
    return i;
  }

  const CirculantGraph& graph_;
  std::uint32_t target_, rounds_;
  CirculantGraph::Schedule& schedule_;
  std::uint8_t next_[kEnd + 1], previous_[kEnd + 1];
};

}  // namespace

CirculantGraph::CirculantGraph(std::uint32_t p) : size_(p), rounds_(ceil_log2(p)) {
  skips_[rounds_] = p;
  for (std::uint32_t i = rounds_; i-- > 0;) skips_[i] = (skips_[i + 1] + 1) / 2;
}

std::uint32_t CirculantGraph::base_block(std::uint32_t r) const {
  for (std::uint32_t i = rounds_; i-- > 0;) {
    if (r == skips_[i]) return i;
    if (r > skips_[i]) r -= skips_[i];
  }
  return rounds_;
}

void CirculantGraph::find_receives(std::uint32_t r, std::uint32_t rounds,
                                   Schedule& schedule) const {
  const std::uint32_t base = base_block(r);
  Search(*this, r, base, rounds, schedule).run();
  for (std::uint32_t i = 0; i < rounds; ++i) {
    const bool last = schedule[i] == static_cast<std::int8_t>(rounds_);
    schedule[i] = last ? static_cast<std::int8_t>(base)
                       : static_cast<std::int8_t>(schedule[i] - static_cast<std::int8_t>(rounds_));
  }
}

void CirculantGraph::find_sends(std::uint32_t r, Schedule& schedule) const {
  const auto received_in = [this](std::uint32_t round) {  // when it is sent in the next rounds
    return static_cast<std::int8_t>(static_cast<std::int32_t>(round) -
                                    static_cast<std::int32_t>(rounds_));
  };
  if (r == 0) {  // a new packet each round
    for (std::uint32_t i = 0; i < rounds_; ++i) schedule[i] = static_cast<std::int8_t>(i);
    return;
  }
  // The processes are cut in two behind the first skip(i), for i = L - 1 down to 1, and the part
  // that r is in again: `place` of `count`. Skip i brings the upper part a packet, which its
  // processes send until a further cut; those that are never in an upper part send what is new to
  // them.
  const std::uint32_t base = base_block(r);
  auto packet = static_cast<std::int8_t>(base);
  std::uint32_t place = r, count = size_;
  for (std::uint32_t i = rounds_ - 1; i > 0; --i) {
    const std::uint32_t skip = skips_[i];
    bool is_known = false;
    if (place < skip) {
      is_known = place + skip < count || count < skips_[i - 1] || (i == 1 && place == 0);
      if (count > skip) count = skip;
    } else {
      packet = received_in(i);
      is_known = place > skip || count - skip < skips_[i - 1] || i == 1;
      place -= skip;
      count -= skip;
    }
    // Where the parts do not fit, in at most four rounds, what the receiver gets must be found.
    schedule[i] = is_known ? packet : received(to(r, i), i);
  }
  schedule[0] = received_in(base);
}

std::int8_t CirculantGraph::received(std::uint32_t r, std::uint32_t round) const {
  Schedule receives;
  find_receives(r, round + 1, receives);
  return receives[round];
}

}  // namespace annelid::firmware
