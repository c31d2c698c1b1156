// VC selection (docs/internals/microarchitecture.md, section 5.2): a policy unit for each. The
// router kernel asks the unit which of several free VCs a head takes.
//
// A unit has no registers. All units keep the pointers of an output in one byte: bit w says that VC
// w is the pointer of its class.
#pragma once

#include <bit>
#include <cstdint>
#include <iterator>

#include "systemc/network/config.hpp"
#include "systemc/network/policy.hpp"

namespace annelid::systemc {

/// The pointers of an output after reset: the lowest data VC of each class.
std::uint8_t first_vc_pointers(const RouterConfig& router, int output);
/// The data VCs of the class that data VC `vc` of an output belongs to, a bit for each. None for a
/// control VC, which has no pointer.
std::uint8_t vcs_beside(const RouterConfig& router, int output, int vc);

/// The lowest of the free VCs.
struct LowestVc {
  static constexpr VcSelectionKind kKind = VcSelectionKind::kLowest;
  static constexpr bool kPlanes = true;     ///< PlaneKernel::find_free_vcs has it, too
  static constexpr bool kPointers = false;  ///< it reads and moves the pointers

  /// Bit w of `free`, which is not 0: VC w is free. `pointers`: of the output. `credits(w)`: of
  /// VC w.
  template <typename Credits>
  static constexpr unsigned pick(unsigned free, unsigned /*pointers*/, Credits /*credits*/) {
    return static_cast<unsigned>(std::countr_zero(free));
  }
};

/// The free VCs of a class in turn: behind the VC that was taken last, its class's pointer.
struct RotatingVc {
  static constexpr VcSelectionKind kKind = VcSelectionKind::kRotating;
  static constexpr bool kPlanes = true;
  static constexpr bool kPointers = true;

  /// All VCs in `free` are of one class and one kind. `pointers` has no bit of another class; of
  /// control VCs none at all.
  template <typename Credits>
  static constexpr unsigned pick(unsigned free, unsigned pointers, Credits /*credits*/) {
    const unsigned behind = free & ~(pointers - 1);
    return static_cast<unsigned>(std::countr_zero(behind != 0 ? behind : free));
  }
  /// The pointers after a head has taken VC `vc`, whose class has the data VCs in `beside`.
  static constexpr std::uint8_t after(unsigned pointers, unsigned vc, unsigned beside) {
    const unsigned higher = beside & ~((2u << vc) - 1), next = higher != 0 ? higher : beside;
    return static_cast<std::uint8_t>((pointers & ~beside) | (next & (~next + 1)));
  }
};

/// The free VC with the most credits; of several, the lowest.
struct MostCreditsVc {
  static constexpr VcSelectionKind kKind = VcSelectionKind::kMostCredits;
  static constexpr bool kPlanes = false;
  static constexpr bool kPointers = false;

  template <typename Credits>
  static constexpr unsigned pick(unsigned free, unsigned /*pointers*/, Credits credits) {
    auto best = static_cast<unsigned>(std::countr_zero(free));
    for (unsigned rest = free & (free - 1); rest != 0; rest &= rest - 1) {
      const auto w = static_cast<unsigned>(std::countr_zero(rest));
      if (credits(w) > credits(best)) best = w;
    }
    return best;
  }
};

/// All of them, in the order of VcSelectionKind.
using VcSelections = PolicyList<LowestVc, RotatingVc, MostCreditsVc>;
static_assert(VcSelections::kCount == std::ssize(parameters::kVcSelectionValues),
              "a unit for each name");

}  // namespace annelid::systemc
