#include "reference/trees/halving.hpp"

#include <algorithm>

namespace annelid::reference {
namespace {

struct Half {
  int first, length, holder;
};

enum class Larger { kLower, kUpper, kHolders };  // of the two halves of an odd length

int lower_length(const Half& s, Larger larger) {
  const int most = (s.length + 1) / 2;
  switch (larger) {
    case Larger::kLower:
      return most;
    case Larger::kUpper:
      return s.length - most;
    default:
      return s.holder < s.first + most ? most : s.length - most;
  }
}

Halvings halved(int size, int holder, Larger larger) {
  Halvings steps;
  std::vector<Half> segments{{0, size, holder}};
  while (std::ranges::any_of(segments, [](const Half& s) { return s.length > 1; })) {
    std::vector<Half> halves;
    std::vector<Halving> step;
    for (const Half& s : segments) {
      if (s.length == 1) continue;
      const int lower = lower_length(s, larger);
      const int middle = s.first + lower;
      Half below{s.first, lower, s.holder}, above{middle, s.length - lower, s.holder};
      Half& other = s.holder < middle ? above : below;
      other.holder = s.holder < middle ? middle : middle - 1;
      step.push_back({s.holder, other.holder, other.first, other.length});
      halves.push_back(below);
      halves.push_back(above);
    }
    steps.push_back(std::move(step));
    segments = std::move(halves);
  }
  return steps;
}

}  // namespace

Halvings halved_line(int size, int holder) { return halved(size, holder, Larger::kLower); }

Halvings halved_line_keeping_more(int size, int holder) {
  return halved(size, holder, Larger::kHolders);
}

Halvings halved_ring(int size, int holder) {
  Halvings steps = halved(size, 0, Larger::kUpper);
  for (auto& step : steps) {
    for (Halving& h : step) {
      h.from = (h.from + holder) % size;
      h.to = (h.to + holder) % size;
      h.first = (h.first + holder) % size;
    }
  }
  return steps;
}

}  // namespace annelid::reference
