#include "firmware/collectives/intercom/choice.hpp"

#include "firmware/collectives/intercom/divisors.hpp"

namespace annelid::firmware::intercom {
namespace {

using Operation = reg::Operation;

// The machine, in cycles: start-ups of a step, what a step takes besides its words, and what a
// further stage takes. A word of 8 bytes takes one cycle (beta). The NIC combines messages as they
// come, so gamma is 0.
constexpr std::uint32_t kDown = 850, kUp = 1500, kBucket = 1400;
constexpr std::uint32_t kBesides = 250, kStage = 600;

/// What the blocks' short algorithm takes more: they are put in order.
constexpr std::uint32_t kOrder = 1500;

/// A step whose busiest channel carries so many words. The core works while they travel.
std::uint32_t step(std::uint32_t start_up, std::uint32_t words) {
  return words + kBesides > start_up ? words + kBesides : start_up;
}

/// An MST scatter or gather: half of the words, a quarter, and so on.
struct Halving {
  std::uint32_t start_up, words;
  std::uint32_t count = 0, cycles = 0;  ///< of the steps so far

  void add_step() {
    ++count;
    words >>= 1;
    cycles += step(start_up, words);
  }
  /// The cycles of all steps, if so many more are behind those so far.
  std::uint32_t with(std::uint32_t more) {
    for (; more > 0 && (words >> 1) + kBesides > start_up; --more) add_step();
    return cycles + more * start_up;
  }
};

/// How an operation works on a vector.
struct OnVector {
  explicit OnVector(Operation operation)
      : tree(operation == Operation::kReduce ? kUp : kDown),
        all(operation == Operation::kAllReduce) {}
  std::uint32_t tree;  ///< start-up of the tree's steps, or of the faster tree's
  bool all;            ///< an all-reduce: one more tree, and rings in the place of long ones

  /// A step of the short vector algorithm, or one of each tree.
  [[nodiscard]] std::uint32_t short_step(std::uint32_t words) const {
    return step(tree, words) + (all ? step(kUp, words) : 0);
  }
  [[nodiscard]] std::uint32_t ring_step(std::uint32_t words) const {
    return step(kBucket, words) << (all ? 1 : 0);
  }
  /// Whether the short vector algorithm is the fastest one: start-ups are all that its steps take,
  /// and a long one has as many in its tree or, of an all-reduce, more in its rings.
  [[nodiscard]] bool is_short_best(std::uint32_t words) const { return words + kBesides <= tree; }
};

using PerDivisor = std::array<std::uint32_t, Divisors::kMost>;

// The prices in an extent. `left` numbers the divisor that is the number of members left to a
// dimension and all behind it, `d` that of the dimension's, and `then` that of those behind it.
// short_at() is called for each `left`, in ascending order, before the others are called with it.
// least(d) is at most stage(d, then), and ascends. With is_short_best(), no dimension need be
// tried.

/// A vector, near dimensions first: a stage of stride s has s messages on a channel of its extent,
/// each of the vector divided by s. So a size's two stages take the same time wherever they are in
/// the extent.
template <typename D>
class NearFirst {
 public:
  NearFirst(OnVector on, const D& divisors, std::uint32_t farther, std::uint32_t vector)
      : on_(on),
        divisors_(divisors),
        farther_(farther),
        farther_log_(log_up(farther)),
        vector_(vector),
        whole_(on.short_step(vector)),
        tree_{on.tree, vector} {}

  std::uint32_t short_at(std::uint32_t left) {
    const std::uint32_t size = divisors_[left], log = divisors_.log(left);
    while (tree_.count < log) tree_.add_step();
    long_[left] = 2 * kStage + (size - 1) * on_.ring_step(divisors_.quotient(vector_, left)) +
                  (on_.all ? 0 : tree_.cycles);
    std::uint32_t cycles = log * whole_;
    if (farther_ != 1) {
      const std::uint32_t all = D::kPowers ? farther_log_ + log : log_up(size * farther_);
      cycles += (all - log) * on_.short_step(divisors_.opposite(vector_, left));
    }
    return cycles;
  }
  [[nodiscard]] bool is_short_best() const { return false; }
  [[nodiscard]] std::uint32_t least(std::uint32_t d) const { return long_[d]; }
  [[nodiscard]] std::uint32_t stage(std::uint32_t d, std::uint32_t) const { return long_[d]; }

 private:
  const OnVector on_;
  const D& divisors_;
  const std::uint32_t farther_, farther_log_, vector_, whole_;
  Halving tree_;
  PerDivisor long_;
};

/// A vector on a line, far dimensions first: trees share no channel, and in rings of stride s as
/// many messages do as the stride counts. A share is what a member has before a dimension.
template <typename D>
class FarFirst {
 public:
  FarFirst(OnVector on, const D& divisors, std::uint32_t vector)
      : on_(on), divisors_(divisors), vector_(vector), least_(on.ring_step(0)) {
    round_[0] = on.ring_step(divisors.opposite(vector, 0));
  }

  std::uint32_t short_at(std::uint32_t left) {
    share_ = divisors_.opposite(vector_, left);
    const std::uint32_t log = log_[left] = divisors_.log(left);
    round_[left] = on_.ring_step(share_ * divisors_[left]);
    return log * on_.short_step(share_);
  }
  [[nodiscard]] bool is_short_best() const { return on_.is_short_best(share_); }
  [[nodiscard]] std::uint32_t least(std::uint32_t d) const {
    return 2 * kStage + (divisors_[d] - 1) * least_;
  }
  [[nodiscard]] std::uint32_t stage(std::uint32_t d, std::uint32_t then) const {
    const std::uint32_t tree = on_.all ? 0 : Halving{on_.tree, share_}.with(log_[d]);
    return 2 * kStage + (divisors_[d] - 1) * round_[then] + tree;
  }

 private:
  const OnVector on_;
  const D& divisors_;
  const std::uint32_t vector_, least_;
  std::uint32_t share_ = 0;
  PerDivisor round_, log_;
};

/// Blocks, far dimensions first, so that they need no other order. A message of stride s has s
/// blocks, and contends with as many as the stride counts in its extent.
template <typename D>
class Blocks {
 public:
  /// `near_words`: of the blocks of all nearer ranks.
  Blocks(bool gathers, const D& divisors, std::uint32_t nearer, std::uint32_t near_words)
      : halved_(gathers ? kUp : kDown),
        whole_(gathers ? kDown : kUp),
        divisors_(divisors),
        nearer_(nearer),
        nearer_log_(log_up(nearer)),
        near_words_(near_words) {}

  std::uint32_t short_at(std::uint32_t left) {
    const std::uint32_t size = divisors_[left], lines = divisors_[left - 1];
    round_[left - 1] = step(kBucket, near_words_ * lines * lines);
    const std::uint32_t all = D::kPowers ? nearer_log_ + left : log_up(nearer_ * size);
    const std::uint32_t words = near_words_ * size;
    return kOrder + all * step(whole_, words) + Halving{halved_, words}.with(all);
  }
  [[nodiscard]] bool is_short_best() const { return false; }
  [[nodiscard]] std::uint32_t least(std::uint32_t d) const {
    return kStage + (divisors_[d] - 1) * kBucket;
  }
  [[nodiscard]] std::uint32_t stage(std::uint32_t d, std::uint32_t then) const {
    return kStage + (divisors_[d] - 1) * round_[then];
  }

 private:
  const std::uint32_t halved_, whole_;  // start-ups of the steps of both trees
  const D& divisors_;
  const std::uint32_t nearer_, nearer_log_, near_words_;
  PerDivisor round_;
};

/// The cheapest dimensions, extent by extent from the last stage's back to the first one's. In an
/// extent, the members that are left to a dimension and all behind it are one of its divisors.
class Cheapest {
 public:
  Cheapest() { rest_[0] = {0, 0, 0, 0}; }

  /// The short algorithm on all ranks of the extents behind.
  void add_short(std::uint32_t cycles) { rest_[++places_] = {cycles, kShort, 0, 1}; }

  /// For each divisor: the short algorithm on all that are left, or a dimension and the rest behind
  /// it.
  template <typename D, typename Prices>
  void add_extent(const D& divisors, Prices&& prices) {
    const std::uint32_t end = places_, last = divisors.last();
    Rest* const rest = &rest_[end];
    const std::uint32_t behind = rest->cycles;  // no rest takes less than all extents behind
    for (std::uint32_t left = 1; left <= last; ++left) {
      std::uint32_t best = prices.short_at(left), best_d = 0, best_then = 0;
      const std::uint32_t members = divisors[left];
      if (!prices.is_short_best()) {
        std::uint32_t limit = best - behind;
        for (std::uint32_t d = 1, then = left - 1; d <= left; ++d) {
          if (prices.least(d) >= limit) break;  // as all longer ones
          if constexpr (!D::kPowers) {
            const std::uint32_t size = divisors[d];
            while (divisors[then] * size > members) --then;
            if (divisors[then] * size != members) continue;
          }
          const std::uint32_t cycles = prices.stage(d, then) + rest[then].cycles;
          if (cycles < best && rest[then].sizes != kMostDimensions) {
            best = cycles;
            limit = best - behind;
            best_d = d;
            best_then = then;
          }
          --then;
        }
      }
      rest[left] = {best, kShort, 0, 1};
      if (best_d == 0) continue;
      rest[left].size = static_cast<std::uint16_t>(divisors[best_d]);
      rest[left].next = static_cast<std::uint8_t>(end + best_then);
      rest[left].sizes = static_cast<std::uint8_t>(rest[best_then].sizes + 1);
    }
    places_ = end + last;
  }

  /// Writes down the path from the last place: all sizes but the last one.
  [[nodiscard]] HybridWords words(std::uint32_t order) const {
    HybridWords words{0, kNamed | order};
    std::uint32_t bit = 0, width_bit = kFlagBits;
    const Rest* rest = &rest_[places_];
    for (; rest->sizes > 1; rest = &rest_[rest->next]) {
      std::uint32_t width = 2;
      while (rest->size >> width != 0) ++width;
      words.sizes |= std::uint32_t{rest->size} << bit;
      words.flags |= width << width_bit;
      bit += width;
      width_bit += kWidthBits;
    }
    if (rest->size != kShort) words.flags |= kLong;
    return words;
  }

 private:
  /// Three extents of 240 have 57 places and the one at their end.
  static constexpr std::uint32_t kMostPlaces = 64;
  static constexpr std::uint16_t kShort = 0;

  /// The cheapest hybrid of the ranks that are left at a place. Place 0: nothing is left.
  struct Rest {
    std::uint32_t cycles;
    std::uint16_t size;  ///< of the next dimension; kShort: the short algorithm on all
    std::uint8_t next;   ///< the place behind it
    std::uint8_t sizes;  ///< dimensions
  };

  std::uint32_t places_ = 0;
  std::array<Rest, kMostPlaces> rest_;
};

HybridWords near_first(Operation operation, const Extents& extents, std::uint32_t words) {
  const OnVector on(operation);
  std::array<std::uint32_t, Extents::kMost> vector;  // divided by all nearer extents
  std::uint32_t count = 0, farther = 1;
  for (; count < extents.count() && !on.is_short_best(words); ++count) {
    vector[count] = words;
    words = quotient(words, extents[count]);
  }
  Cheapest cheapest;
  if (count < extents.count()) {
    for (std::uint32_t i = count; i < extents.count(); ++i) farther *= extents[i];
    cheapest.add_short(log_up(farther) * on.short_step(words));
  }
  for (std::uint32_t i = count; i-- > 0; farther *= extents[i]) {
    with_divisors(extents[i], [&](const auto& divisors) {
      cheapest.add_extent(divisors, NearFirst(on, divisors, farther, vector[i]));
    });
  }
  return cheapest.words(0);
}

HybridWords far_first(Operation operation, std::uint32_t ranks, std::uint32_t words) {
  Cheapest cheapest;
  with_divisors(ranks, [&](const auto& divisors) {
    cheapest.add_extent(divisors, FarFirst(OnVector(operation), divisors, words));
  });
  return cheapest.words(kFarFirst);
}

/// Whether 2 x 2 x ... is the fastest for blocks of so few words: start-ups are all that its steps
/// take. A dimension of 2 then takes 2,000 cycles, and no other hybrid takes so little for each
/// factor of 2.
bool are_twos_best(const Extents& extents, std::uint32_t ranks, std::uint32_t words) {
  if ((ranks & (ranks - 1)) != 0 || ranks >> kMostDimensions > 1) return false;
  for (std::uint32_t i = 0; i < extents.count(); ++i) {
    const std::uint32_t lines = extents[i] / 2;
    if (step(kBucket, words * lines * lines) > kBucket) return false;
    words *= extents[i];
  }
  return true;
}
HybridWords twos(std::uint32_t ranks) {
  const std::uint32_t named = log_up(ranks) - 1;  // the last one is in no word
  const std::uint32_t sizes = 0xAAAAAAAA, widths = 0x22222222;
  return {sizes & ((1U << (2 * named)) - 1),
          kNamed | kLong | kFarFirst | (widths & ((1U << (kWidthBits * named)) - 1)) << kFlagBits};
}

HybridWords blocks_far_first(Operation operation, const Extents& extents, std::uint32_t ranks,
                             std::uint32_t words) {
  if (are_twos_best(extents, ranks, words)) return twos(ranks);
  Cheapest cheapest;
  for (std::uint32_t i = 0, nearer = 1; i < extents.count(); ++i) {
    with_divisors(extents[i], [&](const auto& divisors) {
      cheapest.add_extent(divisors,
                          Blocks(operation == Operation::kAllGather, divisors, nearer, words));
    });
    nearer *= extents[i];
    words *= extents[i];
  }
  return cheapest.words(kFarFirst);
}

/// A gather of at least two dimensions, the first one as small as possible, if that takes no more
/// steps than one tree.
HybridWords gather(std::uint32_t ranks) {
  std::uint32_t size = 2;
  while (size * size <= ranks && quotient(ranks, size) * size != ranks) size += size == 2 ? 1 : 2;
  if (size * size > ranks) return {0, kNamed};
  const std::uint32_t log = log_up(size);
  if (log + log_up(quotient(ranks, size)) != log_up(ranks)) return {0, kNamed};
  const std::uint32_t width = size >> log == 0 ? log : log + 1;
  return {size, kNamed | kLong | kFarFirst | width << kFlagBits};
}

bool combines(Operation operation) {
  return operation == Operation::kReduce || operation == Operation::kAllReduce ||
         operation == Operation::kReduceScatter;
}

/// Whether the short algorithm on a vector is so fast that others could win no more than choosing
/// takes.
bool is_short_fast(Operation operation, std::uint32_t ranks, std::uint32_t words) {
  constexpr std::uint32_t kWorthChoosing = 4000;
  const OnVector on(operation);
  return log_up(ranks) * (on.short_step(words) - on.short_step(0)) <= kWorthChoosing;
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
  if (operation == Operation::kScatter || extents.count() == 0) return one_tree;
  std::uint32_t ranks = extents[0];
  for (std::uint32_t i = 1; i < extents.count(); ++i) ranks *= extents[i];
  if (operation == Operation::kGather) return gather(ranks);
  if (in_order) return one_tree;
  const std::uint32_t words = (bytes + 7) / 8;
  if (operation == Operation::kAllGather || operation == Operation::kReduceScatter)
    return blocks_far_first(operation, extents, ranks, words);
  if (is_short_fast(operation, ranks, words)) return one_tree;
  // In a line, trees share channels only with near dimensions first.
  return extents.count() == 1 ? far_first(operation, ranks, words)
                              : near_first(operation, extents, words);
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
