#include "reference/checks/intercom_execution.hpp"

#include <algorithm>
#include <bitset>
#include <map>
#include <numeric>

#include "reference/schedule/index.hpp"

namespace annelid::reference::intercom {
namespace {

/// A broken rule.
struct Violation {
  std::string text;
};

/// A run of bytes that every message holds in whole or not at all.
using Atom = std::size_t;

/// What a rank has of an atom. There are at most kMost ranks.
template <std::size_t kMost>
struct Symbol {
  std::bitset<kMost> contributions;  ///< by rank; none: the rank has nothing
  /// The contributions are those of the ranks first .. end - 1, combined in this order.
  int first = 0, end = 0;
  bool in_order = true;
  [[nodiscard]] bool empty() const { return contributions.none(); }
};

std::string shown(std::size_t step, const Transfer& t) {
  return "step " + std::to_string(step) + ", rank " + std::to_string(t.from) + " to " +
         std::to_string(t.to) + ", bytes " + std::to_string(t.first) + " to " +
         std::to_string(t.first + t.length);
}

template <std::size_t kMost>
class Executor {
 public:
  Executor(const Call& call, const StagedSchedule& schedule)
      : call_(call),
        schedule_(schedule),
        length_(std::accumulate(call.counts.begin(), call.counts.end(), std::uint64_t{0})) {
    require_root();
    place_blocks();
    find_atoms();
    find_final();
    fill();
  }

  void run() {
    for (std::size_t i = 0; i < schedule_.steps.size(); ++i) {
      if (i == 0 || schedule_.steps[i].stage != schedule_.steps[i - 1].stage) {
        for (auto& of_rank : received_in_stage_) of_rank.assign(of_rank.size(), false);
      }
      require_one_port(i + 1, schedule_.steps[i].transfers);
      execute_step(i + 1, schedule_.steps[i].transfers);
    }
    for (int rank = 0; rank < schedule_.ranks; ++rank) require_result(rank);
  }

  [[nodiscard]] bool in_order() const { return in_order_; }
  [[nodiscard]] int most_deliveries() const {
    int most = 0;
    for (const auto& of_rank : deliveries_) {
      for (int n : of_rank) most = std::max(most, n);
    }
    return most;
  }

 private:
  struct Bytes {
    std::uint64_t first, end;
  };

  void require_root() const {
    if (has_root(call_.collective) && (call_.root < 0 || call_.root >= schedule_.ranks)) {
      throw Violation{"root " + std::to_string(call_.root) + " is no rank"};
    }
  }

  /// The bytes of each rank's block.
  void place_blocks() {
    if (!has_blocks(call_.collective)) return;
    if (call_.counts.size() != at(schedule_.ranks)) {
      throw Violation{"found " + std::to_string(call_.counts.size()) + " counts for " +
                      std::to_string(schedule_.ranks) + " ranks"};
    }
    blocks_.resize(at(schedule_.ranks));
    std::vector<bool> placed(at(schedule_.ranks));
    std::uint64_t begin = 0;
    for (int rank : schedule_.block_order) {
      if (rank < 0 || rank >= schedule_.ranks || placed[at(rank)]) {
        throw Violation{"the order of blocks has rank " + std::to_string(rank) + " twice or wrong"};
      }
      placed[at(rank)] = true;
      blocks_[at(rank)] = {begin, begin + call_.counts[at(rank)]};
      begin = blocks_[at(rank)].end;
    }
    if (schedule_.block_order.size() != placed.size()) {
      throw Violation{"the order of blocks lacks a rank"};
    }
  }

  void find_atoms() {
    std::map<std::uint64_t, Atom> begins{{0, 0}, {length_, 0}};
    for (const Bytes& block : blocks_) begins.emplace(block.first, 0);
    for (std::size_t i = 0; i < schedule_.steps.size(); ++i) {
      for (const Transfer& t : schedule_.steps[i].transfers) {
        if (t.from < 0 || t.from >= schedule_.ranks || t.to < 0 || t.to >= schedule_.ranks ||
            t.from == t.to || t.first > length_ || t.length > length_ - t.first) {
          throw Violation{shown(i + 1, t) + ": no such ranks or bytes"};
        }
        begins.emplace(t.first, 0);
        begins.emplace(t.first + t.length, 0);
      }
    }
    for (auto& [begin, atom] : begins) atom = atoms_++;
    --atoms_;  // the last one begins at the vector's end
    atom_at_ = std::move(begins);
  }

  [[nodiscard]] Bytes all() const { return {0, length_}; }
  /// Calls for_atom(atom) for each atom of these bytes.
  template <typename ForAtom>
  void for_atoms(const Bytes& bytes, ForAtom for_atom) const {
    const Atom end = atom_at_.at(bytes.end);
    for (Atom a = atom_at_.at(bytes.first); a < end; ++a) for_atom(a);
  }

  /// Table 1, "before".
  void fill() {
    const std::size_t ranks = at(schedule_.ranks);
    has_.assign(ranks, std::vector<Symbol<kMost>>(atoms_));
    deliveries_.assign(ranks, std::vector<int>(atoms_));
    received_in_stage_.assign(ranks, std::vector<bool>(atoms_));
    for (int rank = 0; rank < schedule_.ranks; ++rank) {
      for_atoms(before(rank), [&](Atom a) { has_[at(rank)][a] = {only(rank), rank, rank + 1}; });
    }
  }
  [[nodiscard]] Bytes before(int rank) const {
    if (combines(call_.collective)) return all();
    if (has_root(call_.collective) && call_.collective != Collective::kGather) {
      return rank == call_.root ? all() : Bytes{0, 0};
    }
    return blocks_[at(rank)];  // gather, collect
  }

  /// Table 1, "after".
  [[nodiscard]] Bytes after(int rank) const {
    switch (call_.collective) {
      case Collective::kScatter:
      case Collective::kDistributedCombine:
        return blocks_[at(rank)];
      case Collective::kGather:
      case Collective::kCombineToOne:
        return rank == call_.root ? all() : Bytes{0, 0};
      default:
        return all();
    }
  }
  void require_result(int rank) {
    for_atoms(after(rank), [&](Atom a) {
      const Symbol<kMost>& symbol = has_[at(rank)][a];
      if (symbol.contributions != final_[a]) {
        throw Violation{"rank " + std::to_string(rank) + " lacks contributions to its result"};
      }
      in_order_ = in_order_ && symbol.in_order;
    });
  }
  static std::bitset<kMost> only(int rank) { return std::bitset<kMost>{}.set(at(rank)); }

  /// Whose data a broadcast or scatter sends.
  [[nodiscard]] int source() const { return has_root(call_.collective) ? call_.root : 0; }

  /// What every atom is at the end, wherever it is due.
  void find_final() {
    std::bitset<kMost> everyone;
    for (int rank = 0; rank < schedule_.ranks; ++rank) everyone.set(at(rank));
    final_.assign(atoms_, combines(call_.collective) ? everyone : only(source()));
    if (call_.collective != Collective::kGather && call_.collective != Collective::kCollect) return;
    for (int rank = 0; rank < schedule_.ranks; ++rank) {
      for_atoms(blocks_[at(rank)], [&](Atom a) { final_[a] = only(rank); });
    }
  }

  void require_one_port(std::size_t step, const std::vector<Transfer>& transfers) const {
    std::vector<const Transfer*> sends(at(schedule_.ranks)), receives(at(schedule_.ranks));
    for (const Transfer& t : transfers) {
      if (sends[at(t.from)] != nullptr || receives[at(t.to)] != nullptr) {
        throw Violation{shown(step, t) + ": the port is in use"};
      }
      sends[at(t.from)] = receives[at(t.to)] = &t;
    }
    for (int rank = 0; rank < schedule_.ranks; ++rank) {
      const Transfer *sent = sends[at(rank)], *received = receives[at(rank)];
      if (sent != nullptr && received != nullptr && sent->length > 0 && received->length > 0 &&
          sent->first < received->first + received->length &&
          received->first < sent->first + sent->length) {
        throw Violation{shown(step, *sent) + ": the sender receives some of these bytes"};
      }
    }
  }

  void execute_step(std::size_t number, const std::vector<Transfer>& transfers) {
    std::vector<std::vector<Symbol<kMost>>> sent;  // as they are before the step
    for (const Transfer& t : transfers) {
      sent.emplace_back();
      for_atoms({t.first, t.first + t.length}, [&](Atom a) {
        sent.back().push_back(has_[at(t.from)][a]);
        if (sent.back().back().empty()) {
          throw Violation{shown(number, t) + ": the sender does not have all of it"};
        }
      });
    }
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      const Transfer& t = transfers[i];
      const Atom first = atom_at_.at(t.first);
      for (std::size_t j = 0; j < sent[i].size(); ++j) {
        if (t.combine) {
          combine(number, t, sent[i][j], first + j);
        } else {
          put(number, t, sent[i][j], first + j);
        }
      }
    }
  }

  void put(std::size_t number, const Transfer& t, const Symbol<kMost>& symbol, Atom a) {
    if (symbol.contributions != final_[a]) {
      throw Violation{shown(number, t) + ": not all contributions are in"};
    }
    if (received_in_stage_[at(t.to)][a]) {
      throw Violation{shown(number, t) + ": the receiver gets this twice in a stage"};
    }
    received_in_stage_[at(t.to)][a] = true;
    ++deliveries_[at(t.to)][a];
    has_[at(t.to)][a] = symbol;
  }

  void combine(std::size_t number, const Transfer& t, const Symbol<kMost>& symbol, Atom a) {
    Symbol<kMost>& had = has_[at(t.to)][a];
    if (had.empty()) throw Violation{shown(number, t) + ": the receiver has no operand"};
    if ((had.contributions & symbol.contributions).any()) {
      throw Violation{shown(number, t) + ": a contribution would count twice"};
    }
    const Symbol<kMost> own = had;
    const Symbol<kMost>& left = t.from < t.to ? symbol : own;
    const Symbol<kMost>& right = t.from < t.to ? own : symbol;
    had = {left.contributions | right.contributions, left.first, right.end,
           left.in_order && right.in_order && left.end == right.first};
  }

  const Call& call_;
  const StagedSchedule& schedule_;
  std::uint64_t length_;
  std::vector<Bytes> blocks_;  // by rank
  std::map<std::uint64_t, Atom> atom_at_;
  std::size_t atoms_ = 0;
  std::vector<std::bitset<kMost>> final_;        // by atom
  std::vector<std::vector<Symbol<kMost>>> has_;  // by rank and atom; so are the next two
  std::vector<std::vector<int>> deliveries_;
  std::vector<std::vector<bool>> received_in_stage_;
  bool in_order_ = true;
};

template <std::size_t kMost>
Execution executed(const Call& call, const StagedSchedule& schedule) {
  Execution result;
  try {
    Executor<kMost> executor(call, schedule);
    executor.run();
    result.in_order = executor.in_order();
    result.most_deliveries = executor.most_deliveries();
  } catch (const Violation& v) {
    result.violation = v.text;
  }
  return result;
}

}  // namespace

Execution execute(const Call& call, const StagedSchedule& schedule) {
  constexpr int kFew = 64;
  if (schedule.ranks <= kFew) return executed<kFew>(call, schedule);
  if (schedule.ranks <= kMostExecutedRanks) return executed<kMostExecutedRanks>(call, schedule);
  throw std::invalid_argument("a schedule of " + std::to_string(schedule.ranks) +
                              " ranks: expected at most " + std::to_string(kMostExecutedRanks));
}

}  // namespace annelid::reference::intercom
