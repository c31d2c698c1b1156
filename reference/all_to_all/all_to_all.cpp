#include "reference/all_to_all/all_to_all.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "reference/rings/all_gather.hpp"
#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

void require_all_to_all(const Network& net) {
  require_nodes(net);
  if (!squares_supports(net)) throw std::invalid_argument("all-to-all: at most 4096 nodes");
}

template <typename Bytes>
Schedule direct(const Network& net, Bytes bytes) {
  require_all_to_all(net);
  const int n = net.nodes();
  Schedule schedule;
  for (int i = 1; i < n; ++i) {
    Step step;
    for (int r = 0; r < n; ++r) {
      const int to = (r + i) % n;
      step.push_back({node_at(net, r), node_at(net, to), bytes(r, to)});
    }
    schedule.steps.push_back(std::move(step));
  }
  return schedule;
}

}  // namespace

Schedule direct_all_to_all(const Network& net, std::uint64_t bytes) {
  return direct(net, [bytes](int, int) { return bytes; });
}

Schedule direct_all_to_all(const Network& net, const std::vector<std::uint64_t>& lengths) {
  const std::size_t n = at(net.nodes());
  if (lengths.size() != n * n) {
    throw std::invalid_argument("all-to-all of " + std::to_string(n) + " ranks with " +
                                std::to_string(lengths.size()) + " lengths: expected " +
                                std::to_string(n * n));
  }
  return direct(net, [&](int from, int to) { return lengths[at(from) * n + at(to)]; });
}

Schedule token_all_to_all(const Network& net, std::uint64_t bytes) {
  require_all_to_all(net);
  const int n = net.nodes();
  Schedule schedule;
  for (int r = 0; r < n; ++r) {
    for (int i = 1; i < n; ++i) {
      schedule.steps.push_back({{node_at(net, r), node_at(net, (r + n - i) % n), bytes}});
    }
  }
  return schedule;
}

std::vector<std::uint32_t> radices_of(std::uint32_t parameter_1, std::uint32_t parameter_0) {
  constexpr std::uint32_t kHalf = 0xFFFF;
  const std::array<std::uint32_t, 4> given = {parameter_1 & kHalf, parameter_1 >> 16U,
                                              parameter_0 & kHalf, parameter_0 >> 16U};
  std::vector<std::uint32_t> radices;
  bool is_over = false;  // a 0 was there
  for (const std::uint32_t radix : given) {
    if (radix == 1) throw std::invalid_argument("a radix of 2 or more, or 0 for 2");
    if (radix != 0 && is_over) {
      throw std::invalid_argument("radix " + std::to_string(radix) + " after a radix of 0");
    }
    is_over = radix == 0;
    if (radix != 0) radices.push_back(radix);
  }
  if (radices.empty()) radices.push_back(2);
  return radices;
}

std::vector<IndexStep> index_steps(int n, std::span<const std::uint32_t> radices) {
  std::vector<IndexStep> steps;
  std::int64_t weight = 1;  // of the place
  for (int place = 0; weight < n; ++place) {
    const std::int64_t radix = radices[std::min(at(place), radices.size() - 1)];
    for (std::int64_t digit = 1; digit < radix && digit * weight < n; ++digit) {
      IndexStep step{place, static_cast<int>(digit * weight), {}};
      for (int d = step.shift; d < n; ++d) {
        if (d / weight % radix == digit) step.distances.push_back(d);
      }
      steps.push_back(std::move(step));
    }
    weight *= radix;
  }
  return steps;
}

Schedule radix_all_to_all(const Network& net, std::uint64_t bytes,
                          std::span<const std::uint32_t> radices) {
  require_all_to_all(net);
  const int n = net.nodes();
  Schedule schedule;
  for (const IndexStep& step : index_steps(n, radices)) {
    Step messages;
    for (int rank = 0; rank < n; ++rank) {
      messages.push_back({node_at(net, rank), node_at(net, (rank + step.shift) % n),
                          step.distances.size() * bytes});
    }
    schedule.steps.push_back(std::move(messages));
  }
  return schedule;
}

}  // namespace annelid::reference
