// Identifiers of groups by themselves (CCL, Section 2.3; firmware/README.md, "Groups"): every order
// in which three processes can begin the calls that make groups, and hear of each other, is walked
// for all programs of two calls, and for those of three that have pairs and partitions into one or
// two groups. In each, all members of a group must have the same
// identifier, and no two groups may have the same one. A call is group() with any list, or
// partition() of ALL with any values; a process begins its calls in any order and has several under
// way. No code of the firmware is used: this checks the rule, not the firmware. group_test.cpp
// compares the firmware in drawn orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

namespace {

constexpr int kProcesses = 3, kMostCalls = 3;

/// The rule, and two wrong ones, which the walk must find.
enum class Rule { kRight, kNoPid, kNoCount };

struct Call {
  bool partitions = false;
  std::vector<int> list;                ///< of group()
  std::array<int, kProcesses> value{};  ///< of partition()

  [[nodiscard]] bool has(int process) const {
    return partitions || std::ranges::find(list, process) != list.end();
  }
  /// The process that has rank 0 in this process's group.
  [[nodiscard]] int leader(int process) const {
    if (!partitions) return list.front();
    const auto first = std::ranges::find(value, value[static_cast<std::size_t>(process)]);
    return static_cast<int>(first - value.begin());
  }
  /// From whom a process hears of the counter of its leader, along a binomial tree; itself, if it
  /// is the leader or a partition, in which all hear of all.
  [[nodiscard]] int parent(int process) const {
    const auto rank = std::ranges::find(list, process) - list.begin();
    return list[static_cast<std::size_t>(rank & (rank - 1))];
  }
};

constexpr std::int8_t kNotYet = -1;
using ByProcess = std::array<std::int8_t, kProcesses>;
/// By process and call: what it took from its counter, and the identifier that it knows.
struct State {
  ByProcess counter{};
  std::array<ByProcess, kMostCalls> taken{}, known{};
  bool operator==(const State&) const = default;
};
struct HashOfBytes {
  std::size_t operator()(const State& s) const {
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(&s), sizeof s});
  }
};

class Walk {
 public:
  Walk(std::vector<Call> calls, Rule rule) : calls_(std::move(calls)), rule_(rule) {
    State start;
    for (ByProcess& of_call : start.taken) of_call.fill(kNotYet);
    start.known = start.taken;
    visit(start);
  }
  [[nodiscard]] const std::string& fault() const { return fault_; }
  [[nodiscard]] std::size_t states() const { return seen_.size(); }

 private:
  void visit(const State& s) {
    if (!fault_.empty() || !seen_.insert(s).second) return;
    bool ended = true;
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      for (int p = 0; p < kProcesses; ++p) {
        if (!calls_[c].has(p) || s.known[c][at(p)] != kNotYet) continue;
        ended = false;
        if (s.taken[c][at(p)] == kNotYet) {
          begin(s, c, p);
        } else {
          hear(s, c, p);
        }
      }
    }
    if (ended) look_at(s);
  }
  /// A leader takes the next number, and in a partition everybody does.
  void begin(State s, std::size_t c, int p) {
    const bool takes = calls_[c].partitions || calls_[c].leader(p) == p;
    s.taken[c][at(p)] = takes ? s.counter[at(p)] : std::int8_t{0};
    if (takes && rule_ != Rule::kNoCount) ++s.counter[at(p)];
    if (!calls_[c].partitions && calls_[c].leader(p) == p) s.known[c][at(p)] = id(s, c, p);
    visit(s);
  }
  /// A message comes that makes the identifier known.
  void hear(State s, std::size_t c, int p) {
    if (calls_[c].partitions) {
      for (const int taken : s.taken[c]) {
        if (taken == kNotYet) return;
      }
    } else if (s.known[c][at(calls_[c].parent(p))] == kNotYet) {
      return;
    }
    s.known[c][at(p)] =
        calls_[c].partitions ? id(s, c, calls_[c].leader(p)) : s.known[c][at(calls_[c].parent(p))];
    visit(s);
  }
  [[nodiscard]] std::int8_t id(const State& s, std::size_t c, int leader) const {
    return static_cast<std::int8_t>(10 * s.taken[c][at(leader)] +
                                    (rule_ == Rule::kNoPid ? 0 : leader));
  }

  void look_at(const State& s) {
    std::set<int> ids;
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      std::set<std::pair<int, int>> groups;  // leader, identifier
      std::set<int> leaders;
      for (int p = 0; p < kProcesses; ++p) {
        if (!calls_[c].has(p)) continue;
        leaders.insert(calls_[c].leader(p));
        groups.emplace(calls_[c].leader(p), s.known[c][at(p)]);
      }
      if (groups.size() != leaders.size()) fault_ = "members of a group disagree";
      for (const auto& [leader, known] : groups) {
        if (!ids.insert(known).second) fault_ = "two groups have the same identifier";
      }
    }
  }
  static std::size_t at(int process) { return static_cast<std::size_t>(process); }

  const std::vector<Call> calls_;
  const Rule rule_;
  std::unordered_set<State, HashOfBytes> seen_;
  std::string fault_;
};

/// All calls that there are: 15 lists and 8 partitions.
std::vector<Call> all_calls() {
  std::vector<Call> calls;
  std::vector<int> order = {0, 1, 2};
  std::set<std::vector<int>> lists;
  do {
    for (std::ptrdiff_t size = 1; size <= kProcesses; ++size) {
      lists.insert({order.begin(), order.begin() + size});
    }
  } while (std::ranges::next_permutation(order).found);
  for (const std::vector<int>& list : lists) calls.push_back({false, list, {}});
  for (int values = 0; values < 8; ++values) {
    calls.push_back({true, {}, {values & 1, values >> 1 & 1, values >> 2}});
  }
  return calls;
}

/// Lists of two, and partitions that leave processes 0 and 1 together.
bool is_for_three(const Call& call) {
  return call.partitions ? call.value[0] == 0 && call.value[1] == 0 : call.list.size() == 2;
}

/// Walks all programs of so many of these calls; gives how many show a fault.
std::size_t faults(const std::vector<Call>& all, std::size_t count, Rule rule,
                   std::size_t& states) {
  std::size_t found = 0;
  std::vector<std::size_t> program(count, 0);
  for (;;) {
    std::vector<Call> calls;
    for (const std::size_t call : program) calls.push_back(all[call]);
    const Walk walk(calls, rule);
    states += walk.states();
    found += walk.fault().empty() ? 0 : 1;
    // The order of a program's calls says nothing: only ascending ones.
    std::size_t last = count;
    while (last > 0 && program[last - 1] + 1 == all.size()) --last;
    if (last == 0) return found;
    const std::size_t next = program[last - 1] + 1;
    for (std::size_t i = last - 1; i < count; ++i) program[i] = next;
  }
}

TEST(GroupIdentifiers, AreUniqueAndTheSameAtAllMembersInEveryOrder) {
  std::size_t states = 0;
  std::vector<Call> calls = all_calls();
  EXPECT_EQ(calls.size(), 23U);
  for (const std::size_t count : {1U, 2U})
    EXPECT_EQ(faults(calls, count, Rule::kRight, states), 0U);
  std::erase_if(calls, [](const Call& call) { return !is_for_three(call); });
  EXPECT_EQ(calls.size(), 8U);
  EXPECT_EQ(faults(calls, 3, Rule::kRight, states), 0U);
  EXPECT_GT(states, 100'000U) << "that were walked";
}

TEST(GroupIdentifiers, OfOtherRulesAreNot) {
  std::size_t states = 0;
  EXPECT_GT(faults(all_calls(), 2, Rule::kNoPid, states), 0U);
  EXPECT_GT(faults(all_calls(), 2, Rule::kNoCount, states), 0U);
}

}  // namespace
