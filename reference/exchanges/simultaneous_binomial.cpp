#include "reference/exchanges/simultaneous_binomial.hpp"

#include <numeric>

namespace annelid::reference {

DataFlow simultaneous_binomial_scan(int ranks, bool exclusive) {
  const auto at = [](int rank) { return static_cast<std::size_t>(rank); };
  DataFlow flow(ranks, 1);
  std::vector<int> partial(at(ranks));  // with the own block
  std::iota(partial.begin(), partial.end(), 0);
  std::vector<int> received(partial.size(), Combinations::kNone);  // the messages alone
  for (int step = 1, distance = 1; distance < ranks; ++step, distance *= 2) {
    const std::vector<int> before = partial;
    for (int r = 0; r + distance < ranks; ++r) {
      flow.send(step, {r, r + distance, 0, 1, before[at(r)]});
      int &all = partial[at(r + distance)], &others = received[at(r + distance)];
      all = flow.values.combine(before[at(r)], all);
      others = flow.values.combine(before[at(r)], others);
    }
  }
  for (int r = 0; r < ranks; ++r) {
    const int value = (exclusive ? received : partial)[at(r)];
    if (value != Combinations::kNone) flow.results.push_back({r, r + 1, 0, 1, value});
  }
  return flow;
}

}  // namespace annelid::reference
