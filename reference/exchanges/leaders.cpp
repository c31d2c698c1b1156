#include "reference/exchanges/leaders.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

/// ceil(log2 n).
int log2_up(int n) { return std::bit_width(static_cast<unsigned>(n) - 1U); }

/// Ranks for one leader: 2^k, but not more than `most` doublings.
int group_size(std::uint32_t k, int most) {
  return 1 << std::min(k, static_cast<std::uint32_t>(most));
}

/// A flow while it is built: what each rank knows, and the last step.
struct Building {
  explicit Building(int ranks) : flow(ranks, 1), known(at(ranks)) {
    std::iota(known.begin(), known.end(), 0);
  }

  void send(int from, int to, int value) { flow.send(step, {from, to, 0, 1, value}); }
  /// Sends all that the sender knows, and returns it.
  int send_known(int from, int to) {
    send(from, to, known[at(from)]);
    return known[at(from)];
  }

  DataFlow flow;
  std::vector<int> known;
  int step = 0;
};

/// Leaders whose number is a power of two: everyone with the one that differs in a bit.
void exchange_in_pairs(Building& b, int leaders, int group) {
  for (int bit = 1; bit < leaders; bit *= 2) {
    ++b.step;
    for (int low = 0; low < leaders; ++low) {
      if ((low & bit) != 0) continue;
      const int a = low * group, c = (low + bit) * group;
      b.send_known(a, c);
      b.send_known(c, a);
      b.known[at(a)] = b.known[at(c)] = b.flow.values.combine(b.known[at(a)], b.known[at(c)]);
    }
  }
}

/// Any number of leaders, over a circulant graph. Windows hold the leaders behind one's own.
void exchange_in_windows(Building& b, int leaders, int group) {
  std::vector<int> window(at(leaders), Combinations::kNone);
  int width = 0;
  const auto own = [&](int j) { return b.known[at(j * group)]; };
  for (int bit = log2_up(leaders) - 1; bit >= 0; --bit) {
    const int with_own = ((leaders - 1) >> bit) & 1;
    const int distance = width + with_own;
    ++b.step;
    std::vector<int> sent(at(leaders));
    for (int j = 0; j < leaders; ++j) {
      sent[at(j)] = with_own != 0 ? b.flow.values.combine(own(j), window[at(j)]) : window[at(j)];
      b.send(j * group, (j + leaders - distance) % leaders * group, sent[at(j)]);
    }
    for (int j = 0; j < leaders; ++j) {
      window[at(j)] = b.flow.values.combine(window[at(j)], sent[at((j + distance) % leaders)]);
    }
    width += distance;
  }
  for (int j = 0; j < leaders; ++j) {
    b.known[at(j * group)] = b.flow.values.combine(own(j), window[at(j)]);
  }
}

}  // namespace

bool leaders_keep_order(int ranks, std::uint32_t k) {
  const int group = group_size(k, log2_up(ranks));
  return std::has_single_bit(static_cast<unsigned>((ranks + group - 1) / group));
}

DataFlow leaders_all_reduction(int ranks, std::uint32_t k) {
  Building b(ranks);
  const int group = group_size(k, log2_up(ranks)), leaders = (ranks + group - 1) / group;
  for (int distance = 1; distance < group; distance *= 2) {
    ++b.step;
    for (int r = distance; r < ranks; r += 2 * distance) {
      const int value = b.send_known(r, r - distance);
      int& below = b.known[at(r - distance)];
      below = b.flow.values.combine(below, value);
    }
  }
  if (leaders_keep_order(ranks, k)) {
    exchange_in_pairs(b, leaders, group);
  } else {
    exchange_in_windows(b, leaders, group);
  }
  for (int distance = group / 2; distance > 0; distance /= 2) {
    ++b.step;
    for (int r = 0; r + distance < ranks; r += 2 * distance) {
      b.known[at(r + distance)] = b.send_known(r, r + distance);
    }
  }
  for (int r = 0; r < ranks; ++r) b.flow.results.push_back({r, r + 1, 0, 1, b.known[at(r)]});
  return b.flow;
}

DataFlow leaders_scan(int ranks, std::uint32_t k, bool exclusive) {
  Building b(ranks);
  std::vector<int> received(at(ranks), Combinations::kNone);  // the messages alone
  const auto receive = [&](int rank, int value) {
    for (int* all : {&b.known[at(rank)], &received[at(rank)]}) {
      *all = b.flow.values.combine(value, *all);
    }
  };
  const int group = group_size(k, std::bit_width(static_cast<unsigned>(ranks)) - 1);
  for (int distance = 1; distance < group; distance *= 2) {
    ++b.step;
    for (int r = distance - 1; r + distance < ranks; r += 2 * distance) {
      receive(r + distance, b.send_known(r, r + distance));
    }
  }
  const int leaders = ranks / group;
  const auto leader = [&](int j) { return (j + 1) * group - 1; };
  for (int distance = 1; distance < leaders; distance *= 2) {
    ++b.step;
    for (int j = leaders - 1 - distance; j >= 0; --j) {  // a receiver has sent before
      receive(leader(j + distance), b.send_known(leader(j), leader(j + distance)));
    }
  }
  for (int distance = group / 2; distance > 0; distance /= 2) {
    if (3 * distance > ranks) continue;  // nobody is there to receive
    ++b.step;
    for (int r = 2 * distance - 1; r + distance < ranks; r += 2 * distance) {
      receive(r + distance, b.send_known(r, r + distance));
    }
  }
  for (int r = 0; r < ranks; ++r) {
    const int value = (exclusive ? received : b.known)[at(r)];
    if (value != Combinations::kNone) b.flow.results.push_back({r, r + 1, 0, 1, value});
  }
  return b.flow;
}

}  // namespace annelid::reference
