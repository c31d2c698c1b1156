// Lists of policies: the units of which a configuration chooses one by an enumeration.
#pragma once

#include <type_traits>

namespace annelid::systemc {

/// The units of one policy, in the order of the enumeration that chooses among them. A unit is an
/// empty struct of static functions and constants. Its enumerator is `kKind`.
template <class First, class... Rest>
struct PolicyList {
  using Kind = std::remove_const_t<decltype(First::kKind)>;
  static constexpr int kCount = 1 + static_cast<int>(sizeof...(Rest));
  static constexpr bool kInOrder = [] {
    int place = static_cast<int>(First::kKind);
    return ((static_cast<int>(Rest::kKind) == ++place) && ...);
  }();
  static_assert(kInOrder, "a policy's list has the order of its enumeration");

  /// Returns f(unit) for the unit of a kind. All units are known to the compiler, so this is a
  /// comparison for each but the last of them, and no indirect call.
  template <typename F>
  [[gnu::always_inline]] static constexpr decltype(auto) with(Kind kind, F f) {
    if constexpr (sizeof...(Rest) > 0) {
      if (kind != First::kKind) return PolicyList<Rest...>::with(kind, f);
    }
    return f(First{});
  }
};

}  // namespace annelid::systemc
