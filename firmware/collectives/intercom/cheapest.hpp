// The fastest hybrid by the prices of prices.hpp: docs/internals/algorithms/intercom.md,
// "Choosing".
#pragma once

#include <array>
#include <cstdint>

#include "firmware/collectives/intercom/divisors.hpp"
#include "firmware/collectives/intercom/logical_mesh.hpp"

namespace annelid::firmware::intercom {

/// The cheapest dimensions, extent by extent from the last stage's back to the first one's. In an
/// extent, the members that are left to a dimension and all behind it are one of its divisors. The
/// cheapest hybrid of these members is found when a dimension before them asks for it.
class Cheapest {
 public:
  Cheapest() { rest_[0] = {0, 0, 0, 0}; }

  /// The short algorithm on all ranks of the extents behind.
  void add_short(std::uint32_t cycles) { rest_[++places_] = {cycles, kShort, 0, 1}; }

  /// An extent before those so far.
  template <typename D, typename Prices>
  void add_extent(const D& divisors, Prices&& prices) {
    const std::uint32_t last = divisors.last();
    if constexpr (!Prices::kAllLeft) {
      for (std::uint32_t left = 1; left < last; ++left) rest_[places_ + left].cycles = 0;
    }
    Extent<D, Prices>{divisors, prices, &rest_[places_], places_}.find(last);
    places_ += last;
  }

  [[nodiscard]] std::uint32_t cycles() const { return rest_[places_].cycles; }

  /// Writes down the path from the last place: all sizes but the last one.
  [[nodiscard]] HybridWords words(std::uint32_t order) const {
    HybridBuilder builder;
    const Rest* rest = &rest_[places_];
    for (; rest->sizes > 1; rest = &rest_[rest->next]) builder.add(rest->size);
    return builder.words(kNamed | order | (rest->size != kShort ? kLong : 0));
  }

 private:
  /// Three extents of 240 have 57 places and the one at their end.
  static constexpr std::uint32_t kMostPlaces = 64;
  /// In the place of a size. No dimension has one member. One of 65,536 is noted as 0; it is the
  /// last one, whose size is not in the words.
  static constexpr std::uint16_t kShort = 1;
  /// More than a dimension takes besides the words of its rings, for each of its members. (And
  /// quotients of words are rounded down: that is two cycles for each member that is left.)
  static constexpr std::uint32_t kNoWords = 1024;

  /// The cheapest hybrid of the ranks that are left at a place. Place 0: nothing is left.
  struct Rest {
    std::uint32_t cycles;  ///< 0: not known yet
    std::uint16_t size;    ///< of the next dimension; kShort: the short algorithm on all
    std::uint8_t next;     ///< the place behind it
    std::uint8_t sizes;    ///< dimensions
  };

  template <typename D, typename Prices>
  struct Extent {
    const D& divisors;
    Prices& prices;
    Rest* const rest;           ///< of the place behind the extent, and of its divisors
    const std::uint32_t place;  ///< behind the extent

    [[gnu::always_inline]] void find(std::uint32_t left) {
      if constexpr (Prices::kAllLeft) {
        for (std::uint32_t before = 1; before <= left; ++before) find_cheapest(before);
      } else {
        left == 1 ? find_prime() : find_composite(left);
      }
    }

   private:
    /// The short algorithm on all that are left, or one dimension.
    void find_prime() {
      rest[1] = {prices.short_at(1), kShort, 0, 1};
      if (prices.is_short_best(1)) return;
      const std::uint32_t cycles = prices.rings(1, 1, 0) + prices.tree(1, 1) + rest->cycles;
      if (cycles < rest[1].cycles) take(1, 1, 0, cycles);
    }
    void find_composite(std::uint32_t left) { find_cheapest(left); }

    /// The short algorithm, or a dimension and the rest behind it. A dimension that cannot be
    /// faster asks for no rest. Long dimensions are tried first: they leave little to find. If the
    /// words of a dimension's rings take too long, so do those of all shorter ones: of m members in
    /// t lines, (m/t - 1) rings carry t^2 words for each word, and t is m/2 at most.
    [[gnu::always_inline]] void find_cheapest(std::uint32_t left) {
      const std::uint32_t behind = rest->cycles;  // no rest takes less than all extents behind
      const std::uint32_t members = divisors[left];
      std::uint32_t limit = prices.short_at(left);
      rest[left] = {limit, kShort, 0, 1};
      if (prices.is_short_best(left)) return;
      for (std::uint32_t d = left, then = 0; d > 0; --d) {
        if (prices.least(d) + behind >= limit) continue;
        if constexpr (D::kPowers) {
          then = left - d;
        } else {
          const std::uint32_t size = divisors[d];
          std::uint32_t product = divisors[then] * size;
          while (product < members) product = divisors[++then] * size;
          if (product != members) continue;
        }
        std::uint32_t cycles = prices.rings(left, d, then);
        if constexpr (!Prices::kAllLeft) {
          if (cycles + prices.bound(then) >= limit) {
            if (cycles >= limit + kNoWords * divisors[d] + 2 * members) break;
            continue;
          }
          if (rest[then].cycles == 0 && then != 0) find(then);
          cycles += prices.tree(left, d);
        }
        cycles += rest[then].cycles;
        if (cycles < limit && take(left, d, then, cycles)) limit = cycles + 1;  // as fast: shorter
      }
    }

    /// Returns false if the sizes are too many.
    bool take(std::uint32_t left, std::uint32_t d, std::uint32_t then, std::uint32_t cycles) {
      if (rest[then].sizes == kMostDimensions) return false;
      rest[left] = {cycles, static_cast<std::uint16_t>(divisors[d]),
                    static_cast<std::uint8_t>(place + then),
                    static_cast<std::uint8_t>(rest[then].sizes + 1)};
      return true;
    }
  };

  std::uint32_t places_ = 0;
  std::array<Rest, kMostPlaces> rest_;
};

}  // namespace annelid::firmware::intercom
