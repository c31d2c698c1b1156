// Sorting words in node memory.
#pragma once

#include <cstdint>

#include "firmware/platform/memory.hpp"

namespace annelid::firmware {

/// Heapsort of `count` words at `offset`. It needs no extra memory and O(n log n) steps, or n steps
/// if the words are already in order. `before(a, b)` must order any two different words.
template <typename Before>
void sort(Memory memory, std::uint32_t offset, std::uint32_t count, Before before) {
  const auto get = [&](std::uint32_t i) { return memory.load<std::uint32_t>(offset + 4 * i); };
  const auto put = [&](std::uint32_t i, std::uint32_t v) { memory.store(offset + 4 * i, v); };

  std::uint32_t in_order = 1;
  while (in_order < count && before(get(in_order - 1), get(in_order))) ++in_order;
  if (in_order >= count) return;

  // Puts `value` at `hole` or below it, in the heap of the first `end` words.
  const auto sift = [&](std::uint32_t hole, std::uint32_t end, std::uint32_t value) {
    for (std::uint32_t child = 2 * hole + 1; child < end; child = 2 * hole + 1) {
      if (child + 1 < end && before(get(child), get(child + 1))) ++child;
      if (!before(value, get(child))) break;
      put(hole, get(child));
      hole = child;
    }
    put(hole, value);
  };
  for (std::uint32_t i = count / 2; i-- > 0;) sift(i, count, get(i));
  for (std::uint32_t end = count - 1; end > 0; --end) {
    const std::uint32_t last = get(end);
    put(end, get(0));
    sift(0, end, last);
  }
}

}  // namespace annelid::firmware
