#include "firmware/collectives/intercom/choice.hpp"

namespace annelid::firmware::intercom {
namespace {

using Operation = reg::Operation;

// The machine, in cycles: start-ups of a step, what a step takes besides its words, and what a
// further stage takes. A word of 8 bytes takes one cycle (beta). The NIC combines messages as they
// come, so gamma is 0.
constexpr std::uint32_t kDown = 850, kUp = 1500, kBucket = 1400;
constexpr std::uint32_t kBesides = 250, kStage = 600;

/// A step whose busiest channel carries so many words. The core works while they travel.
std::uint32_t step(std::uint32_t start_up, std::uint32_t words) {
  return words + kBesides > start_up ? words + kBesides : start_up;
}
std::uint32_t steps(std::uint32_t count, std::uint32_t start_up, std::uint32_t words) {
  return count * step(start_up, words);
}
/// MST scatter or gather: half of the words, a quarter, and so on.
std::uint32_t halving(std::uint32_t count, std::uint32_t start_up, std::uint32_t words) {
  std::uint32_t cycles = 0;
  for (; count > 0 && words / 2 + kBesides > start_up; --count) {
    words /= 2;
    cycles += words + kBesides;
  }
  return cycles + count * start_up;
}

/// The logarithm of a size, rounded up: the steps of a minimum spanning tree. `count` may be that
/// of a smaller size.
std::uint32_t tree_steps(std::uint32_t size, std::uint32_t count = 0) {
  while ((std::uint32_t{1} << count) < size) ++count;
  return count;
}

/// The short vector algorithm of an operation on a vector.
std::uint32_t short_vector(Operation operation, std::uint32_t count, std::uint32_t words) {
  std::uint32_t cycles = 0;
  if (operation != Operation::kReduce) cycles += steps(count, kDown, words);
  if (operation != Operation::kBroadcast) cycles += steps(count, kUp, words);
  return cycles;
}
/// That of an operation on blocks.
std::uint32_t short_blocks(Operation operation, std::uint32_t count, std::uint32_t words) {
  if (operation == Operation::kAllGather)
    return halving(count, kUp, words) + steps(count, kDown, words);
  return steps(count, kUp, words) + halving(count, kDown, words);
}
/// Both stages of the long vector algorithm on a vector, in a dimension of so many members. A piece
/// is a member's.
std::uint32_t long_vector(Operation operation, std::uint32_t size, std::uint32_t log,
                          std::uint32_t words, std::uint32_t piece) {
  const std::uint32_t buckets = steps(size - 1, kBucket, piece);
  if (operation == Operation::kAllReduce) return 2 * kStage + 2 * buckets;
  const std::uint32_t start_up = operation == Operation::kReduce ? kUp : kDown;
  return 2 * kStage + buckets + halving(log, start_up, words);
}

/// Finds the cheapest dimensions, extent by extent from the last stage's back to the first one's.
/// In an extent, the members that are left to a dimension and all behind it are one of its
/// divisors.
class Chooser {
 public:
  Chooser(Operation operation, const Extents& extents) : operation_(operation), extents_(extents) {
    rest_[0] = {0, 1, 0, 0, false};
  }

  /// A vector, near dimensions first: a stage of stride s has s messages on a channel of its
  /// extent, each of the vector divided by s.
  HybridWords near_first(std::uint32_t words) {
    std::array<std::uint32_t, Extents::kMost> vector{};  // divided by all nearer extents
    for (std::uint32_t i = 0; i < extents_.count(); ++i) {
      vector[i] = words;
      words /= extents_[i];
    }
    for (std::uint32_t i = extents_.count(), farther = 1; i-- > 0; farther *= extents_[i]) {
      list_divisors(extents_[i]);
      price_vector(farther, vector[i]);
      take_cheapest(farther, 0);
    }
    return words_of(0);
  }

  /// A vector, far dimensions first: trees share no channel, and in rings of stride s as many
  /// messages do as the stride counts in its extent.
  HybridWords far_first(std::uint32_t words, std::uint32_t ranks) {
    const std::uint32_t rings = operation_ == Operation::kAllReduce ? 2 : 1;
    tree_ = rings == 2 ? 0 : operation_ == Operation::kReduce ? kUp : kDown;
    for (std::uint32_t i = 0, nearer = 1; i < extents_.count(); nearer *= extents_[i++]) {
      list_divisors(extents_[i]);
      price_shares(nearer, words, ranks / (nearer * extents_[i]), rings);
      take_cheapest(nearer, rings * kBucket);
    }
    return words_of(kFarFirst);
  }

  /// Blocks, far dimensions first, so that they need no other order. A message of stride s has s
  /// blocks.
  HybridWords blocks_far_first(std::uint32_t words) {
    for (std::uint32_t i = 0, nearer = 1; i < extents_.count(); nearer *= extents_[i++]) {
      list_divisors(extents_[i]);
      price_blocks(nearer, words);
      take_cheapest(nearer, kBucket);
    }
    return words_of(kFarFirst);
  }

 private:
  /// 840 has 32 divisors; three extents of 240 have 57 places and the one at their end.
  static constexpr std::uint32_t kMostPlaces = 64, kMostDivisors = 32;
  using PerDivisor = std::array<std::uint32_t, kMostDivisors>;

  /// The cheapest hybrid of the ranks that are left at a place.
  struct Rest {
    std::uint32_t cycles;
    std::uint16_t size;  ///< of the next dimension
    std::uint8_t next;   ///< the place behind it
    std::uint8_t sizes;  ///< dimensions
    bool is_short;       ///< template
  };

  void list_divisors(std::uint32_t size) {
    size_[0] = 1;
    last_ = 1;
    PerDivisor high;
    std::uint32_t highs = 0;
    if (size <= Extents::kLongestCut) {
      for (std::uint32_t d = 2; d * d <= size; ++d) {
        const std::uint32_t other = size / d;
        if (other * d != size) continue;
        size_[last_++] = d;
        if (other != d) high[highs++] = other;
      }
    }
    while (highs > 0) size_[last_++] = high[--highs];
    size_[last_] = size;
  }

  /// Of a vector: each size's two stages, wherever they are in the extent; and the short algorithm,
  /// with steps in this extent and in those behind it.
  void price_vector(std::uint32_t farther, std::uint32_t vector) {
    PerDivisor piece;
    for (std::uint32_t k = 0; k <= last_; ++k) piece[k] = k == 0 ? vector : vector / size_[k];
    std::uint32_t near = 0, all = 0;
    for (std::uint32_t k = 1; k <= last_; ++k) {
      near = tree_steps(size_[k], near);
      all = tree_steps(size_[k] * farther, all);
      long_[k] = long_vector(operation_, size_[k], near, vector, piece[k]);
      round_[k - 1] = 0;
      short_[k] = short_vector(operation_, near, vector) +
                  short_vector(operation_, all - near, piece[last_ - k]);
    }
  }

  /// Of blocks: a stage takes rounds that depend on its stride.
  void price_blocks(std::uint32_t nearer, std::uint32_t block) {
    std::uint32_t all = 0;
    for (std::uint32_t k = 1; k <= last_; ++k) {
      const std::uint32_t ranks = nearer * size_[k], contention = size_[k - 1];
      all = tree_steps(ranks, all);
      long_[k] = kStage;
      round_[k - 1] = step(kBucket, block * nearer * contention * contention);
      short_[k] = short_blocks(operation_, all, block * ranks);
    }
  }

  /// Of a vector, far dimensions first. A share is what a member has before a dimension.
  void price_shares(std::uint32_t nearer, std::uint32_t vector, std::uint32_t farther,
                    std::uint32_t rings) {
    std::uint32_t all = 0, log = 0;
    share_[0] = vector / (size_[last_] * farther);
    for (std::uint32_t k = 1; k <= last_; ++k) {
      log_[k] = log = tree_steps(size_[k], log);
      all = tree_steps(nearer * size_[k], all);
      share_[k] = vector / (size_[last_ - k] * farther);
      long_[k] = 2 * kStage;
      round_[k - 1] = rings * step(kBucket, share_[k - 1] * size_[k - 1]);
      short_[k] = short_vector(operation_, all, share_[k]);
    }
  }

  /// For each divisor: the short algorithm on all that are left, or a dimension and the rest behind
  /// it. `least` is the shortest round.
  void take_cheapest(std::uint32_t behind, std::uint32_t least) {
    const std::uint32_t end = places_;
    for (std::uint32_t left = 1; left <= last_; ++left) {
      Rest best = {short_[left], static_cast<std::uint16_t>(size_[left] * behind), 0, 1, true};
      for (std::uint32_t d = 1, then = left; d <= left; ++d) {
        const std::uint32_t size = size_[d];
        if (long_[d] + (size - 1) * least >= best.cycles) break;  // as all longer ones
        while (size_[then] * size > size_[left]) --then;
        if (size_[then] * size != size_[left]) continue;
        const Rest& rest = rest_[end + then];
        std::uint32_t cycles = long_[d] + (size - 1) * round_[then] + rest.cycles;
        if (tree_ != 0) cycles += halving(log_[d], tree_, share_[left]);
        if (cycles >= best.cycles || rest.sizes == kMostDimensions) continue;
        best = {cycles, static_cast<std::uint16_t>(size), static_cast<std::uint8_t>(end + then),
                static_cast<std::uint8_t>(rest.sizes + 1), rest.is_short};
      }
      rest_[++places_] = best;
    }
  }

  /// Writes down the path from the last place: all sizes but the last one.
  [[nodiscard]] HybridWords words_of(std::uint32_t order) const {
    HybridWords words{0, kNamed | order};
    if (!rest_[places_].is_short) words.flags |= kLong;
    std::uint32_t bit = 0, width_bit = kFlagBits;
    for (const Rest* rest = &rest_[places_]; rest->sizes > 1; rest = &rest_[rest->next]) {
      std::uint32_t width = 0;
      while (rest->size >> width != 0) ++width;
      words.sizes |= std::uint32_t{rest->size} << bit;
      words.flags |= width << width_bit;
      bit += width;
      width_bit += kWidthBits;
    }
    return words;
  }

  Operation operation_;
  const Extents& extents_;
  std::uint32_t last_ = 0, places_ = 0;
  std::uint32_t tree_ = 0;  // start-up of a tree's steps; 0: there are no trees
  PerDivisor size_, short_, long_, round_, share_, log_;  // of the extent
  std::array<Rest, kMostPlaces> rest_;                    // place 0: nothing is left
};

bool combines(Operation operation) {
  return operation == Operation::kReduce || operation == Operation::kAllReduce ||
         operation == Operation::kReduceScatter;
}

/// Whether the short algorithm on a vector is so fast that others could win no more than choosing
/// takes.
bool is_short_fast(Operation operation, std::uint32_t ranks, std::uint32_t words) {
  constexpr std::uint32_t kWorthChoosing = 4000;
  const std::uint32_t count = tree_steps(ranks);
  return short_vector(operation, count, words) <=
         short_vector(operation, count, 0) + kWorthChoosing;
}

}  // namespace

Extents::Extents(const Group& group, std::uint32_t parameter_2, std::uint32_t ranks) {
  const SubmeshSizes submesh = group.submesh();
  for (std::uint32_t i = 0; i < submesh.count(); ++i) add(submesh[i]);
  if (submesh.count() > 0) return;
  const bool by_rows =
      group.is_all() && (parameter_2 & 0xFF) == static_cast<std::uint32_t>(Ranks::Embedding::kRows);
  const Topology& network = group.topology();
  const std::uint32_t row = network.x().value(), rows = network.x().quotient(ranks);
  if (!by_rows || rows * row != ranks) {
    add(ranks);
    return;
  }
  add(row);
  const std::uint32_t column = network.y().value(), planes = network.y().quotient(rows);
  if (planes * column == rows) {
    add(column);
    add(planes);
  } else {
    add(rows);
  }
}

HybridWords choose_hybrid(Operation operation, const Extents& extents, std::uint32_t bytes,
                          bool in_order) {
  const HybridWords one_tree{0, kNamed};
  if (in_order || extents.count() == 0 || operation == Operation::kScatter ||
      operation == Operation::kGather)
    return one_tree;
  const std::uint32_t words = (bytes + 7) / 8;
  if (operation == Operation::kAllGather || operation == Operation::kReduceScatter)
    return Chooser(operation, extents).blocks_far_first(words);
  std::uint32_t ranks = 1;
  for (std::uint32_t i = 0; i < extents.count(); ++i) ranks *= extents[i];
  if (is_short_fast(operation, ranks, words)) return one_tree;
  // In a line, trees share channels only with near dimensions first.
  if (extents.count() == 1) return Chooser(operation, extents).far_first(words, ranks);
  return Chooser(operation, extents).near_first(words);
}

void choose_unless_named(Context& me, std::uint32_t ranks, std::uint32_t bytes) {
  const Call& call = me.call();
  if (is_named(call)) return;
  const bool in_order =
      combines(call.operation()) &&
      call.operator_code() == static_cast<std::uint32_t>(reg::CoreOperator::kAffine);
  const HybridWords words = choose_hybrid(
      call.operation(), Extents(me.group(), call.parameter(2), ranks), bytes, in_order);
  me.choose_hybrid(words.sizes, words.flags | call.word(reg::CallWord::kFlags));
}

}  // namespace annelid::firmware::intercom
