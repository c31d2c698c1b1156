#include "reference/intercom_rows.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>

#include "reference/intercom/schedule.hpp"
#include "reference/operations.hpp"
#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

using intercom::Collective;

bool runs_everywhere(const Network&) { return true; }
bool promises_nothing(const Network&) { return false; }

/// The sizes; one of all ranks if the request names none.
std::vector<int> sizes_of(const Request& r) {
  const int p = rank_count(r.network, r.ranks);
  return r.hybrid.sizes.empty() ? std::vector{p} : r.hybrid.sizes;
}

template <Collective kCollective>
intercom::StagedSchedule staged(const Request& r) {
  using intercom::LogicalMesh;
  const int p = rank_count(r.network, r.ranks);
  const LogicalMesh mesh(sizes_of(r), r.hybrid.far_first ? intercom::Nearness::kFarFirst
                                                         : intercom::Nearness::kNearFirst);
  if (mesh.ranks() != p) {
    throw std::invalid_argument("a logical mesh of " + std::to_string(mesh.ranks()) +
                                " ranks for " + std::to_string(p));
  }
  std::vector<std::uint64_t> counts = r.lengths;
  if (counts.empty()) counts.assign(intercom::has_blocks(kCollective) ? at(p) : 1, r.bytes);
  const int root = intercom::has_root(kCollective) ? rank_of(r.network, r.ranks, r.root) : 0;
  return intercom::schedule_of(
      {kCollective, root, counts},
      {mesh, r.hybrid.is_long ? intercom::Template::kLong : intercom::Template::kShort});
}

template <Collective kCollective>
Schedule hybrid_schedule(const Request& r) {
  require(r.network, r.root);
  return messages_of(staged<kCollective>(r), members(r.network, r.ranks));
}

/// A reduction is in order if what is combined is always one run of ranks with its neighbour.
bool hybrid_keeps_order(const Request& r) {
  const std::vector<int> sizes = sizes_of(r);
  const auto in_pieces = sizes.end() - (r.hybrid.is_long ? 0 : 1);
  const bool in_pairs = std::all_of(sizes.begin(), in_pieces, [](int d) { return d <= 2; });
  const auto lines = std::ranges::count_if(sizes, [](int d) { return d > 1; });
  return in_pairs && (lines < 2 || !r.hybrid.far_first);
}

/// Plays the messages on the contents of all processes.
template <Collective kCollective>
std::vector<Bytes> hybrid_results(const Inputs& in, const Request& r, Operator op,
                                  ElementType type) {
  if (!commutes(op) && !hybrid_keeps_order(r)) {
    throw std::invalid_argument("operands out of the order of the ranks, and " +
                                std::string(name_of(op)) + " does not commute");
  }
  const intercom::StagedSchedule schedule = staged<kCollective>(r);
  const auto range = [](auto& bytes, std::uint64_t first, std::uint64_t length) {
    return std::span(bytes).subspan(first, length);
  };
  // Where the blocks begin by rank, and in the vector by place.
  const auto ends_of = [&](const auto& ranks) {
    std::vector<std::uint64_t> ends{0};
    for (const int rank : ranks) {
      ends.push_back(ends.back() + (in.lengths.empty() ? in.bytes : in.lengths[at(rank)]));
    }
    return ends;
  };
  std::vector<int> by_rank(schedule.block_order.size());
  std::iota(by_rank.begin(), by_rank.end(), 0);
  const auto begin_of = ends_of(by_rank), place_begin = ends_of(schedule.block_order);

  const std::vector<Node> nodes = members(in.network, in.ranks);
  std::vector<Bytes> vectors;
  for (const Node node : nodes) {
    const Bytes& source = in.source[at(index_of(in.network, node))];
    vectors.push_back(source);
    for (std::size_t place = 0; place < schedule.block_order.size(); ++place) {
      std::ranges::copy(range(source, begin_of[at(schedule.block_order[place])],
                              place_begin[place + 1] - place_begin[place]),
                        vectors.back().begin() + static_cast<std::ptrdiff_t>(place_begin[place]));
    }
  }
  for (const intercom::StagedStep& step : schedule.steps) {
    std::vector<Bytes> sent;  // as it was before the step
    for (const intercom::Transfer& t : step.transfers) {
      const auto bytes = range(vectors[at(t.from)], t.first, t.length);
      sent.emplace_back(bytes.begin(), bytes.end());
    }
    for (std::size_t i = 0; i < sent.size(); ++i) {
      const intercom::Transfer& t = step.transfers[i];
      const auto here = range(vectors[at(t.to)], t.first, t.length);
      if (t.combine && t.from > t.to) {
        combine(op, type, here, sent[i]);
      } else {
        if (t.combine) combine(op, type, sent[i], here);
        std::ranges::copy(sent[i], here.begin());
      }
    }
  }

  std::vector<Bytes> results(at(in.network.nodes()));
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    Bytes& result = results[at(index_of(in.network, nodes[rank]))];
    if (schedule.block_order.empty()) {
      result = std::move(vectors[rank]);
      continue;
    }
    const auto found = std::ranges::find(schedule.block_order, static_cast<int>(rank));
    const auto place = static_cast<std::size_t>(found - schedule.block_order.begin());
    const auto block =
        range(vectors[rank], place_begin[place], place_begin[place + 1] - place_begin[place]);
    result.assign(block.begin(), block.end());
  }
  return results;
}

template <Collective kCollective>
constexpr Algorithm intercom_row(Operation operation) {
  Algorithm a{operation,
              "intercom",
              28,
              "every network",
              runs_everywhere,
              hybrid_schedule<kCollective>,
              promises_nothing,
              true};
  a.takes_lengths = intercom::has_blocks(kCollective);
  return a;
}
template <Collective kCollective>
constexpr Algorithm combining_row(Operation operation) {
  Algorithm a = intercom_row<kCollective>(operation);
  a.keeps_order = hybrid_keeps_order;
  a.results = hybrid_results<kCollective>;
  return a;
}

using enum Operation;
constexpr auto kIntercomRows = std::to_array<Algorithm>({
    intercom_row<Collective::kBroadcast>(kBroadcast),
    combining_row<Collective::kCombineToOne>(kReduce),
    intercom_row<Collective::kGather>(kGather),
    intercom_row<Collective::kScatter>(kScatter),
    intercom_row<Collective::kCollect>(kAllGather),
    combining_row<Collective::kCombineToAll>(kAllReduce),
    combining_row<Collective::kDistributedCombine>(kReduceScatter),
});

}  // namespace

std::span<const Algorithm> intercom_rows() { return kIntercomRows; }

}  // namespace annelid::reference
