#include "reference/all_ports/port_rings.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>

#include "reference/rings/all_gather.hpp"
#include "reference/schedule/index.hpp"
#include "reference/schedule/lines.hpp"

namespace annelid::reference {
namespace {

int modulo(int value, int size) { return (value % size + size) % size; }

Node along_ring(const Network& net, Node n, std::size_t d, int by) {
  return moved(n, d, modulo(position(n, d) + by, net.size()[d]));
}

/// The ranks of all nodes that differ from n only in these dimensions, ascending.
std::vector<int> ranks_around(const Network& net, Node n, std::vector<std::size_t> dimensions) {
  std::vector<Node> nodes{n};
  std::ranges::sort(dimensions, std::greater<>());  // x last: ranks count it first
  for (const std::size_t d : dimensions) nodes = all_along(net, nodes, d);
  std::vector<int> ranks;
  ranks.reserve(nodes.size());
  for (const Node node : nodes) ranks.push_back(index_of(net, node));
  return ranks;
}

/// The bytes of each strand's pieces: a strand of every block, or a strand in parts.
class Lengths {
 public:
  Lengths(std::uint64_t bytes, const PortRings& rings)
      : strands_(bytes, static_cast<std::uint64_t>(rings.strands())) {}

  [[nodiscard]] std::uint64_t begin(int strand) const { return strands_.begin(at(strand)); }
  [[nodiscard]] std::uint64_t bytes(int strand) const {
    return strands_.bytes(at(strand), at(strand) + 1);
  }
  [[nodiscard]] Parts parts(int strand, int nodes) const {
    return {bytes(strand), static_cast<std::uint64_t>(nodes)};
  }

 private:
  Parts strands_;
};

template <typename MessagesOf, typename BytesOf>
Schedule schedule_of(int steps, MessagesOf messages_of, BytesOf bytes_of) {
  Schedule schedule;
  schedule.steps.reserve(at(steps));
  for (int s = 1; s <= steps; ++s) {
    const std::vector<StrandMessage> messages = messages_of(s);
    Step& step = schedule.steps.emplace_back();
    step.reserve(messages.size());
    for (const StrandMessage& m : messages) step.push_back({m.from, m.to, bytes_of(m), m.strand});
  }
  return schedule;
}

void require_squares(const Network& net) {
  require(net, {});
  if (!squares_supports(net)) {
    throw std::invalid_argument("all-gather and reduce-scatter by port rings: at most 4096 nodes");
  }
}

std::vector<std::size_t> to_numbers(const std::vector<int>& steps) {
  return {steps.begin(), steps.end()};
}

}  // namespace

PortRings::PortRings(const Network& net) : net_(net) {
  require(net, {});
  std::vector<std::size_t> counting = counting_dimensions(net);
  const bool both_ways = !counting.empty() && std::ranges::all_of(counting, [&](std::size_t d) {
    return is_wide_ring(net, d);
  });
  if (counting.empty()) counting.push_back(0);

  const std::size_t n = counting.size();
  for (std::size_t a = 0; a < n; ++a) {
    std::vector<std::size_t> order;
    for (std::size_t f = 0; f < n; ++f) order.push_back(counting[(a + f) % n]);
    strands_.push_back({1, order});
    if (both_ways) strands_.push_back({-1, order});
  }
  begins_.push_back(0);
  for (std::size_t f = 0; f < n; ++f) {
    int longest = 1;
    for (const Strand& s : strands_) longest = std::max(longest, net.size()[s.dimensions[f]]);
    begins_.push_back(begins_.back() + longest - 1);
  }
}

std::size_t PortRings::phase_of(int step) const {
  const auto behind = std::ranges::lower_bound(begins_, step);  // the first B_f >= step
  return static_cast<std::size_t>(behind - begins_.begin()) - 1;
}

std::vector<StrandMessage> PortRings::all_gather(int step) const {
  const std::size_t phase = phase_of(step);
  const int within = step - begins_[phase];
  std::vector<StrandMessage> messages;
  for (std::size_t k = 0; k < strands_.size(); ++k) {
    const auto& [direction, dimensions] = strands_[k];
    const std::size_t d = dimensions[phase];
    if (within >= net_.size()[d]) continue;
    const std::vector<std::size_t> earlier(dimensions.begin(),
                                           dimensions.begin() + static_cast<std::ptrdiff_t>(phase));
    for (int n = 0; n < net_.nodes(); ++n) {
      const Node from = node_at(net_, n);
      const Node to = along_ring(net_, from, d, direction);
      const Node origin = along_ring(net_, from, d, -(within - 1) * direction);
      for (const int rank : ranks_around(net_, origin, earlier)) {
        messages.push_back({from, to, static_cast<int>(k), at(rank), at(rank) + 1});
      }
    }
  }
  return messages;
}

std::vector<StrandMessage> PortRings::reduce_scatter(int step) const {
  std::vector<StrandMessage> messages = all_gather(steps() - step + 1);
  for (StrandMessage& m : messages) std::swap(m.from, m.to);
  return messages;
}

std::uint64_t PortRings::place(int strand, Node n) const {
  std::uint64_t place = 0;
  for (const std::size_t d : strands_[at(strand)].dimensions) {
    place = place * at(net_.size()[d]) + at(position(n, d));
  }
  return place;
}

/// The piece of the coordinate that lies so many places behind the sender's.
StrandMessage PortRings::part_message(const Strand& strand, std::size_t phase, Node from,
                                      int places_back) const {
  const auto& [direction, dimensions] = strand;
  const std::size_t d = dimensions[phase];
  Node first = along_ring(net_, from, d, -places_back * direction);
  std::uint64_t parts = 1;
  for (std::size_t later = phase + 1; later < dimensions.size(); ++later) {
    first = moved(first, dimensions[later], 0);
    parts *= at(net_.size()[dimensions[later]]);
  }
  const int number = static_cast<int>(&strand - strands_.data());
  const std::uint64_t place_of_first = place(number, first);
  return {from, along_ring(net_, from, d, direction), number, place_of_first,
          place_of_first + parts};
}

std::vector<StrandMessage> PortRings::all_reduce(int step) const {
  const bool combines = step <= steps();
  // The phases of the collect have the lengths of those before, in the order reversed.
  const std::size_t phase = phase_of(combines ? step : 2 * steps() - step + 1);
  const int within = combines ? step - begins_[phase] : step - (2 * steps() - begins_[phase + 1]);
  std::vector<StrandMessage> messages;
  for (const Strand& strand : strands_) {
    if (within >= net_.size()[strand.dimensions[phase]]) continue;
    for (int n = 0; n < net_.nodes(); ++n) {
      messages.push_back(
          part_message(strand, phase, node_at(net_, n), combines ? within : within - 1));
    }
  }
  return messages;
}

std::vector<std::size_t> PortRings::joins_of_all_gather() const {
  return to_numbers({begins_.begin() + 1, begins_.end() - 1});
}
std::vector<std::size_t> PortRings::joins_of_reduce_scatter() const {
  std::vector<int> joins;
  for (std::size_t f = phases() - 1; f > 0; --f) joins.push_back(steps() - begins_[f]);
  return to_numbers(joins);
}
std::vector<std::size_t> PortRings::joins_of_all_reduce() const {
  std::vector<int> joins(begins_.begin() + 1, begins_.end());
  for (std::size_t f = phases() - 1; f > 0; --f) joins.push_back(2 * steps() - begins_[f]);
  return to_numbers(joins);
}

Schedule port_rings_all_gather(const Network& net, std::uint64_t bytes) {
  require_squares(net);
  const PortRings rings(net);
  const Lengths lengths(bytes, rings);
  Schedule schedule = schedule_of(
      rings.steps(), [&](int s) { return rings.all_gather(s); },
      [&](const StrandMessage& m) { return lengths.bytes(m.strand); });
  schedule.joins = rings.joins_of_all_gather();
  return schedule;
}

Schedule port_rings_reduce_scatter(const Network& net, std::uint64_t bytes) {
  require_squares(net);
  const PortRings rings(net);
  const Lengths lengths(bytes, rings);
  Schedule schedule = schedule_of(
      rings.steps(), [&](int s) { return rings.reduce_scatter(s); },
      [&](const StrandMessage& m) { return lengths.bytes(m.strand); });
  schedule.joins = rings.joins_of_reduce_scatter();
  return schedule;
}

Schedule port_rings_all_reduce(const Network& net, std::uint64_t bytes) {
  const PortRings rings(net);
  const Lengths lengths(bytes, rings);
  Schedule schedule = schedule_of(
      2 * rings.steps(), [&](int s) { return rings.all_reduce(s); },
      [&](const StrandMessage& m) {
        return lengths.parts(m.strand, net.nodes()).bytes(m.first, m.end);
      });
  schedule.joins = rings.joins_of_all_reduce();
  return schedule;
}

// A node never sends in a step what it also combines in it, so the order within a step does not
// matter.

std::vector<std::vector<std::byte>> port_rings_reduce_scatter_results(
    const Network& net, std::uint64_t bytes, const std::vector<std::vector<std::byte>>& sources,
    Operator op, ElementType type) {
  const PortRings rings(net);
  const Lengths lengths(bytes, rings);
  std::vector<std::vector<std::byte>> partial = sources;
  const auto piece = [&](Node n, const StrandMessage& m) {
    return std::span(partial[at(index_of(net, n))])
        .subspan(m.first * bytes + lengths.begin(m.strand), lengths.bytes(m.strand));
  };
  for (int s = 1; s <= rings.steps(); ++s) {
    for (const StrandMessage& m : rings.reduce_scatter(s)) {
      combine(op, type, piece(m.to, m), piece(m.from, m));
    }
  }
  std::vector<std::vector<std::byte>> results;
  for (std::size_t rank = 0; rank < partial.size(); ++rank) {
    const auto block = std::span(partial[rank]).subspan(rank * bytes, bytes);
    results.emplace_back(block.begin(), block.end());
  }
  return results;
}

std::vector<std::byte> port_rings_all_reduce_result(
    const Network& net, const std::vector<std::vector<std::byte>>& blocks, Operator op,
    ElementType type) {
  const PortRings rings(net);
  const Lengths lengths(blocks.front().size(), rings);
  std::vector<std::vector<std::byte>> partial = blocks;
  const auto piece = [&](Node n, int strand, std::uint64_t first, std::uint64_t end) {
    const Parts parts = lengths.parts(strand, net.nodes());
    return std::span(partial[at(index_of(net, n))])
        .subspan(lengths.begin(strand) + parts.begin(first), parts.bytes(first, end));
  };
  for (int s = 1; s <= rings.steps(); ++s) {
    for (const StrandMessage& m : rings.all_reduce(s)) {
      combine(op, type, piece(m.to, m.strand, m.first, m.end),
              piece(m.from, m.strand, m.first, m.end));
    }
  }
  std::vector<std::byte> result = blocks.front();
  for (int strand = 0; strand < rings.strands(); ++strand) {
    const Parts parts = lengths.parts(strand, net.nodes());
    for (int n = 0; n < net.nodes(); ++n) {
      const Node owner = node_at(net, n);
      const std::uint64_t place = rings.place(strand, owner);
      std::ranges::copy(
          piece(owner, strand, place, place + 1),
          result.begin() + static_cast<std::ptrdiff_t>(lengths.begin(strand) + parts.begin(place)));
    }
  }
  return result;
}

}  // namespace annelid::reference
