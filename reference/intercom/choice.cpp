#include "reference/intercom/choice.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "reference/intercom/submesh.hpp"

namespace annelid::reference::intercom {
namespace {

constexpr std::size_t kMostSizes = 7;
constexpr int kLongestCut = 1024;

enum class Direction : std::uint8_t { kDown, kUp, kRound };

int logarithm(int p) {
  int steps = 0;
  for (int reached = 1; reached < p; reached *= 2) ++steps;
  return steps;
}

/// The smallest prime factor of p; p if there is none.
int smallest_factor(int p) {
  for (int q = 2; q * q <= p; ++q) {
    if (p % q == 0) return q;
  }
  return p;
}

/// What stages take.
class Stages {
 public:
  explicit Stages(const Times& times) : times_(times) {}

  /// MST broadcast or combine-to-one.
  [[nodiscard]] std::uint64_t whole(int steps, Direction direction, std::uint64_t words) const {
    return static_cast<std::uint64_t>(steps) * step(direction, words);
  }
  /// MST scatter or gather.
  [[nodiscard]] std::uint64_t halves(int steps, Direction direction, std::uint64_t words) const {
    std::uint64_t time = 0;
    for (int i = 1; i <= steps; ++i) time += step(direction, words >> i);
    return time;
  }
  /// Bucket collect or distributed combine.
  [[nodiscard]] std::uint64_t bucket(int members, std::uint64_t words) const {
    return times_.stage + static_cast<std::uint64_t>(members - 1) * step(Direction::kRound, words);
  }

 protected:
  const Times times_;

 private:
  [[nodiscard]] std::uint64_t step(Direction direction, std::uint64_t words) const {
    const std::uint64_t start_up = direction == Direction::kDown ? times_.down
                                   : direction == Direction::kUp ? times_.up
                                                                 : times_.ring;
    return std::max(start_up, words + times_.besides);
  }
};

/// The cheapest sizes from some rank on.
struct Rest {
  std::uint64_t time = 0;
  std::vector<int> sizes;
  bool is_long = true;
};

class Search : Stages {
 public:
  Search(Operation operation, const std::vector<int>& extents, std::uint64_t words,
         const Times& times)
      : Stages(times), operation_(operation), extents_(extents), words_(words) {
    for (const int extent : extents) borders_.push_back(borders_.back() * extent);
  }

  [[nodiscard]] int ranks() const { return borders_.back(); }
  [[nodiscard]] bool is_line() const { return extents_.size() == 1; }

  /// Whether the short algorithm on a vector takes hardly longer than one on no words.
  [[nodiscard]] bool is_short() const {
    const int steps = logarithm(ranks());
    return short_vector(steps, words_) - short_vector(steps, 0) <= times_.hardly;
  }

  /// A vector, near dimensions first: dimensions of a product `done` are behind us.
  const Rest& near_first(int done) {
    if (const auto known = known_.find(done); known != known_.end()) return known->second;
    if (done == ranks()) return known_[done];
    std::size_t i = 0;
    while (borders_[i + 1] <= done) ++i;
    const int in_extent = borders_[i + 1] / done;
    const std::uint64_t vector = words_ / static_cast<std::uint64_t>(borders_[i]);

    const int near = logarithm(in_extent), all = logarithm(ranks() / done);
    Rest best{short_vector(near, vector) +
                  short_vector(all - near, words_ / static_cast<std::uint64_t>(done)),
              {ranks() / done},
              false};
    const int lines = done / borders_[i];
    for (const int d : sizes_of(i, in_extent)) {
      const bool hindered = is_line() ? lines > 1 : lines > 2 && d > 2;
      compare(best, d, long_vector(d, vector, hindered), near_first(done * d));
    }
    return known_[done] = best;
  }

  /// A vector, far dimensions first: dimensions of a product `left` are before us, so a member has
  /// the vector in as many parts as all the others make.
  const Rest& far_first(int left) {
    if (const auto known = known_.find(left); known != known_.end()) return known->second;
    if (left == 1) return known_[left];
    std::size_t i = 0;
    while (borders_[i + 1] < left) ++i;
    const auto part = [this](int of) { return words_ / static_cast<std::uint64_t>(ranks() / of); };
    Rest best{short_vector(logarithm(left), part(left)), {left}, false};
    if (left == 2 && ranks() > 2 && operation_ == Operation::kAllReduce)
      best.time = std::numeric_limits<std::uint64_t>::max();
    for (const int d : sizes_of(i, left / borders_[i])) {
      const int stride = left / d, contention = stride / borders_[i];
      const int load = contention > 2 ? 2 * contention : contention;  // more than two go badly
      const std::uint64_t ring = bucket(d, part(stride) * static_cast<std::uint64_t>(load));
      const std::uint64_t both =
          operation_ == Operation::kAllReduce
              ? 2 * ring
              : times_.stage + ring + halves(logarithm(d), tree_direction(), part(left));
      compare(best, d, both, far_first(stride));
    }
    return known_[left] = best;
  }

  /// Blocks, far dimensions first: dimensions of a product `left` are before us.
  const Rest& blocks_far_first(int left) {
    if (const auto known = known_.find(left); known != known_.end()) return known->second;
    if (left == 1) return known_[left];
    std::size_t i = 0;
    while (borders_[i + 1] < left) ++i;
    Rest best{
        short_blocks(logarithm(left), words_ * static_cast<std::uint64_t>(left)), {left}, false};
    for (const int d : sizes_of(i, left / borders_[i])) {
      const int stride = left / d, contention = stride / borders_[i];
      const std::uint64_t message =
          words_ * static_cast<std::uint64_t>(stride) * static_cast<std::uint64_t>(contention);
      compare(best, d, bucket(d, message), blocks_far_first(stride));
    }
    return known_[left] = best;
  }

 private:
  /// Which dimensions there may be where so many ranks of an extent are left.
  [[nodiscard]] std::vector<int> sizes_of(std::size_t extent, int left) const {
    if (extents_[extent] > kLongestCut) return {extents_[extent]};
    std::vector<int> sizes;
    for (int d = 2; d <= left; ++d) {
      if (left % d == 0) sizes.push_back(d);
    }
    return sizes;
  }

  static void compare(Rest& best, int size, std::uint64_t time, const Rest& rest) {
    if (rest.sizes.size() == kMostSizes || time + rest.time >= best.time) return;
    best = {time + rest.time, {size}, rest.is_long};
    best.sizes.insert(best.sizes.end(), rest.sizes.begin(), rest.sizes.end());
  }

  [[nodiscard]] std::uint64_t short_vector(int steps, std::uint64_t words) const {
    const std::uint64_t down = whole(steps, Direction::kDown, words);
    const std::uint64_t up = whole(steps, Direction::kUp, words);
    return operation_ == Operation::kBroadcast ? down
           : operation_ == Operation::kReduce  ? up
                                               : up + down;
  }
  /// All lines' messages together are as long as one would be without the other lines.
  [[nodiscard]] std::uint64_t long_vector(int d, std::uint64_t words, bool hindered) const {
    const std::uint64_t all = words / static_cast<std::uint64_t>(d);
    const std::uint64_t ring = bucket(d, hindered ? 2 * all : all);
    if (operation_ == Operation::kAllReduce) return 2 * ring;
    return times_.stage + ring + halves(logarithm(d), tree_direction(), words);
  }
  [[nodiscard]] Direction tree_direction() const {
    return operation_ == Operation::kBroadcast ? Direction::kDown : Direction::kUp;
  }
  [[nodiscard]] std::uint64_t short_blocks(int steps, std::uint64_t words) const {
    return times_.order +
           (operation_ == Operation::kAllGather
                ? halves(steps, Direction::kUp, words) + whole(steps, Direction::kDown, words)
                : whole(steps, Direction::kUp, words) + halves(steps, Direction::kDown, words));
  }

  Operation operation_;
  const std::vector<int>& extents_;
  std::uint64_t words_;
  std::vector<int> borders_{1};  ///< products of the nearer extents
  std::map<int, Rest> known_;
};

HybridChoice as_choice(const Rest& rest, bool far_first) {
  return {rest.sizes, rest.is_long, far_first};
}

/// A vector: near dimensions first on a mesh, far dimensions first on a line, and for an all-reduce
/// on a line whatever is faster.
HybridChoice on_vector(const Search& search, Operation operation) {
  Search by_near = search, by_far = search;
  if (!search.is_line()) return as_choice(by_near.near_first(1), false);
  const Rest& far = by_far.far_first(search.ranks());
  if (operation != Operation::kAllReduce) return as_choice(far, true);
  const Rest& near = by_near.near_first(1);
  return far.time < near.time ? as_choice(far, true) : as_choice(near, false);
}

}  // namespace

std::vector<int> extents_of(const Network& net, const Ranks& ranks) {
  const int p = rank_count(net, ranks);
  const auto [x, y, z] = net.size();
  std::vector<int> extents;
  if (ranks.listed) {
    const auto submesh = submesh_of(ranks.listed->nodes());
    if (!submesh) return p == 1 ? extents : std::vector{p};
    for (const std::size_t dimension : submesh->order) extents.push_back(submesh->size[dimension]);
    return extents;
  }
  if (ranks.embedding != Embedding::kRows || p % x != 0) {
    extents = {p};
  } else if (p / x % y != 0) {
    extents = {x, p / x};
  } else {
    extents = {x, y, p / x / y};
  }
  std::erase(extents, 1);
  return extents;
}

HybridChoice chosen_hybrid(Operation operation, const std::vector<int>& extents,
                           std::uint64_t bytes, bool in_order, const Times& times) {
  Search search(operation, extents, (bytes + 7) / 8, times);
  const int p = search.ranks();
  HybridChoice one_tree{{p}};
  switch (operation) {
    case Operation::kScatter:
      return one_tree;
    case Operation::kGather: {
      const int q = smallest_factor(p);
      const bool as_few_steps = logarithm(q) + logarithm(p / q) == logarithm(p);
      return q < p && as_few_steps ? HybridChoice{{q, p / q}, true, true} : one_tree;
    }
    case Operation::kBroadcast:
    case Operation::kReduce:
    case Operation::kAllReduce:
      if (in_order || p == 1 || search.is_short()) return one_tree;
      return on_vector(search, operation);
    case Operation::kAllGather:
    case Operation::kReduceScatter:
      if (in_order || p == 1) return one_tree;
      return as_choice(search.blocks_far_first(p), true);
    default:
      throw std::invalid_argument("InterCom does not have this operation");
  }
}

std::uint64_t share_of(const Request& request) {
  if (request.lengths.empty()) return request.bytes;
  const auto ranks = static_cast<std::uint64_t>(rank_count(request.network, request.ranks));
  std::uint64_t sum = 0;
  for (const std::uint64_t length : request.lengths) sum += length;
  return (sum + ranks - 1) / ranks;
}

HybridChoice chosen_hybrid(Operation operation, const Request& request, bool in_order,
                           const Times& times) {
  return chosen_hybrid(operation, extents_of(request.network, request.ranks), share_of(request),
                       in_order, times);
}

}  // namespace annelid::reference::intercom
