#include "reference/all_to_all.hpp"

#include <stdexcept>
#include <utility>

#include "reference/all_gather.hpp"
#include "reference/index.hpp"

namespace annelid::reference {
namespace {

void require_all_to_all(const Network& net) {
  require(net, {});
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

std::vector<IndexStep> index_steps(int n, std::uint32_t radix) {
  if (radix == 1) {
    throw std::invalid_argument("a radix of 2 or more, or 0 for 2");
  }
  const std::int64_t r = radix == 0 ? 2 : std::int64_t{radix};
  std::vector<IndexStep> steps;
  int place = 0;
  for (std::int64_t power = 1; power < n; power *= r, ++place) {
    for (std::int64_t digit = 1; digit < r && digit * power < n; ++digit) {
      IndexStep step{place, static_cast<int>(digit * power), {}};
      for (int d = step.shift; d < n; ++d) {
        if (d / power % r == digit) step.distances.push_back(d);
      }
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

Schedule radix_all_to_all(const Network& net, std::uint64_t bytes, std::uint32_t radix) {
  require_all_to_all(net);
  const int n = net.nodes();
  Schedule schedule;
  for (const IndexStep& step : index_steps(n, radix)) {
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
