#include "reference/operations.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>
#include <tuple>

#include "reference/all_to_all/shift.hpp"
#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

std::size_t number_of(const Inputs& in, Node node) {
  return static_cast<std::size_t>(index_of(in.network, node));
}

std::span<const std::byte> part_of(const Bytes& of, std::uint64_t begin, std::uint64_t bytes) {
  return std::span(of).subspan(begin, bytes);
}

/// Which blocks a process's buffer has.
enum class Buffer : std::uint8_t {
  kByRank,   ///< a block of each rank
  kToEach,   ///< all-to-all: the process's blocks for each rank
  kFromEach  ///< all-to-all: the blocks for the process, from each rank
};

/// Where the blocks of a buffer lie: one behind the other.
class Blocks {
 public:
  Blocks(const Inputs& in, Buffer buffer, int own)
      : bytes_(in.bytes), ranks_(at(rank_count(in.network, in.ranks))) {
    if (in.lengths.empty()) return;
    begins_.push_back(0);
    for (std::size_t r = 0; r < ranks_; ++r) {
      const std::size_t which = buffer == Buffer::kByRank   ? r
                                : buffer == Buffer::kToEach ? at(own) * ranks_ + r
                                                            : r * ranks_ + at(own);
      begins_.push_back(begins_.back() + in.lengths.at(which));
    }
  }

  [[nodiscard]] std::uint64_t begin(std::size_t rank) const {
    return begins_.empty() ? rank * bytes_ : begins_[rank];
  }
  [[nodiscard]] std::uint64_t bytes(std::size_t rank) const {
    return begin(rank + 1) - begin(rank);
  }
  [[nodiscard]] std::uint64_t all() const { return begin(ranks_); }

 private:
  std::uint64_t bytes_;
  std::size_t ranks_;
  std::vector<std::uint64_t> begins_;  ///< of different lengths, and the end
};

/// A set of ranks; while it has one member only, it needs no memory.
class Contributors {
 public:
  explicit Contributors(std::size_t own) : own_(own) {}

  [[nodiscard]] std::size_t count() const {
    if (bits_.empty()) return 1;
    std::size_t n = 0;
    for (const std::uint64_t word : bits_) n += static_cast<std::size_t>(std::popcount(word));
    return n;
  }
  [[nodiscard]] bool has(std::size_t rank) const {
    return bits_.empty() ? rank == own_ : (bits_[rank / 64] >> (rank % 64) & 1) != 0;
  }
  /// How many members the two share.
  [[nodiscard]] std::size_t common(const Contributors& other) const {
    if (bits_.empty()) return other.has(own_) ? 1 : 0;
    if (other.bits_.empty()) return other.common(*this);
    std::size_t n = 0;
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      n += static_cast<std::size_t>(std::popcount(bits_[i] & other.bits_[i]));
    }
    return n;
  }
  void add(const Contributors& other, std::size_t ranks) {
    if (bits_.empty()) {
      bits_.resize((ranks + 63) / 64);
      set(own_);
    }
    if (other.bits_.empty()) return set(other.own_);
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= other.bits_[i];
  }

 private:
  void set(std::size_t rank) { bits_[rank / 64] |= std::uint64_t{1} << (rank % 64); }

  std::size_t own_;
  std::vector<std::uint64_t> bits_;
};

/// The rank whose block a shift brings to `own`, or nothing.
std::optional<int> shifted_from(const Inputs& in, int own) {
  const Shift shift = shift_of(in.parameter, in.parameter_0);
  const int ranks = rank_count(in.network, in.ranks);
  const int guess = static_cast<int>((std::int64_t{own} - shift.steps) % ranks);
  const int from = guess < 0 ? guess + ranks : guess;
  return shift.destination(ranks, from) == own ? std::optional(from) : std::nullopt;
}

struct Partial {
  Bytes value;
  Contributors contributors;
};

void take(Partial& to, const Partial& message, const Message& m, std::size_t step,
          std::size_t ranks, Operator op, ElementType type) {
  const std::size_t common = to.contributors.common(message.contributors);
  if (common == 0) {
    combine(op, type, to.value, message.value);
    to.contributors.add(message.contributors, ranks);
  } else if (common == to.contributors.count()) {
    to = message;
  } else {
    throw std::invalid_argument("step " + std::to_string(step) + ": " + to_string(m.from) + " -> " +
                                to_string(m.to) + " brings blocks that are combined already");
  }
}

}  // namespace

bool takes_part(const Inputs& in, Node node) {
  return rank_at(in.network, in.ranks, node).has_value();
}

std::uint64_t source_bytes(const Inputs& in, Node node) {
  if (!takes_part(in, node)) return 0;
  const int own = rank_of(in.network, in.ranks, node);
  switch (in.operation) {
    case Operation::kBarrier:
    case Operation::kSyncIn:
    case Operation::kSyncOut:
      return 0;
    case Operation::kScatter:
      return node == in.root ? Blocks(in, Buffer::kByRank, own).all() : 0;
    case Operation::kReduceScatter:
      return Blocks(in, Buffer::kByRank, own).all();
    case Operation::kAllToAll:
      return Blocks(in, Buffer::kToEach, own).all();
    default:
      return in.lengths.empty() ? in.bytes : in.lengths.at(at(own));
  }
}

std::uint64_t target_bytes(const Inputs& in, Node node) {
  if (!takes_part(in, node)) return 0;
  const int own = rank_of(in.network, in.ranks, node);
  switch (in.operation) {
    case Operation::kBroadcast:
    case Operation::kBarrier:
    case Operation::kSyncIn:
    case Operation::kSyncOut:
      return 0;
    case Operation::kReduce:
      return node == in.root ? in.bytes : 0;
    case Operation::kExscan:
      return own == 0 ? 0 : in.bytes;
    case Operation::kShift:
      return shifted_from(in, own) ? in.bytes : 0;
    case Operation::kGather:
      return node == in.root ? Blocks(in, Buffer::kByRank, own).all() : 0;
    case Operation::kAllGather:
      return Blocks(in, Buffer::kByRank, own).all();
    case Operation::kAllToAll:
      return Blocks(in, Buffer::kFromEach, own).all();
    default:
      return in.lengths.empty() ? in.bytes : in.lengths.at(at(own));
  }
}

std::span<const std::byte> after_broadcast(const Inputs& in) {
  return in.source[number_of(in, in.root)];
}

std::vector<Bytes> combined(const Inputs& in, const Schedule& schedule, Operator op,
                            ElementType type) {
  const std::size_t ranks = in.source.size();
  std::vector<Partial> partials;
  partials.reserve(ranks);
  for (const Bytes& source : in.source) {
    partials.push_back({source, Contributors(partials.size())});
  }
  for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
    Step step = schedule.steps[s];
    std::ranges::sort(
        step, {}, [](const Message& m) { return std::tuple(m.to, m.from.z, m.from.y, m.from.x); });
    std::map<std::size_t, Partial> received;  // senders send what they had before the step
    for (const Message& m : step) {
      if (m.bytes != in.bytes) {
        throw std::invalid_argument("step " + std::to_string(s + 1) + ": " + to_string(m.from) +
                                    " -> " + to_string(m.to) + " does not carry one block");
      }
      const std::size_t to = number_of(in, m.to);
      const auto at = received.try_emplace(to, partials[to]).first;
      take(at->second, partials[number_of(in, m.from)], m, s + 1, ranks, op, type);
    }
    for (auto& [to, partial] : received) partials[to] = std::move(partial);
  }
  std::vector<Bytes> values;
  values.reserve(ranks);
  for (Partial& p : partials) values.push_back(std::move(p.value));
  return values;
}

Targets::Targets(const Inputs& inputs, const std::vector<Bytes>& reduced)
    : inputs_(inputs), reduced_(reduced), members_(members(inputs.network, inputs.ranks)) {}

/// Gather, at the root, and all-gather: all blocks, by rank.
std::span<const std::byte> Targets::all_blocks() {
  if (!all_.empty()) return all_;
  for (const Node node : members_) {
    const Bytes& source = inputs_.source[number_of(inputs_, node)];
    all_.insert(all_.end(), source.begin(), source.end());
  }
  return all_;
}

/// Scatter: the block of a rank.
std::span<const std::byte> Targets::scattered(int rank) const {
  const Blocks blocks(inputs_, Buffer::kByRank, rank);
  return part_of(inputs_.source[number_of(inputs_, inputs_.root)],
                 blocks.begin(reference::at(rank)), blocks.bytes(reference::at(rank)));
}

/// All-to-all: the blocks for a rank, by sender.
std::span<const std::byte> Targets::exchanged(int rank) {
  all_.clear();
  const std::size_t own = reference::at(rank);
  int sender = 0;
  for (const Node node : members_) {
    const Blocks blocks(inputs_, Buffer::kToEach, sender++);
    const auto mine =
        part_of(inputs_.source[number_of(inputs_, node)], blocks.begin(own), blocks.bytes(own));
    all_.insert(all_.end(), mine.begin(), mine.end());
  }
  return all_;
}

/// Shift: the block that goes to a rank; empty if none does.
std::span<const std::byte> Targets::shifted(int rank) const {
  const std::optional<int> from = shifted_from(inputs_, rank);
  if (!from) return {};
  return inputs_.source[number_of(inputs_, members_[reference::at(*from)])];
}

std::span<const std::byte> Targets::at(Node node) {
  if (target_bytes(inputs_, node) == 0) return {};
  const int rank = rank_of(inputs_.network, inputs_.ranks, node);
  switch (inputs_.operation) {
    case Operation::kReduce:
    case Operation::kAllReduce:
    case Operation::kScan:
    case Operation::kExscan:
    case Operation::kReduceScatter:
      return reduced_[number_of(inputs_, node)];
    case Operation::kScatter:
      return scattered(rank);
    case Operation::kTranspose:
      return inputs_.source[number_of(inputs_, {node.y, node.x, node.z})];
    case Operation::kAllToAll:
      return exchanged(rank);
    case Operation::kShift:
      return shifted(rank);
    default:
      return all_blocks();
  }
}

Bytes target_after(const Inputs& in, const std::vector<Bytes>& reduced, Node node) {
  Targets targets(in, reduced);
  const auto bytes = targets.at(node);
  return {bytes.begin(), bytes.end()};
}

}  // namespace annelid::reference
