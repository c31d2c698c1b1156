#include "firmware/collectives/exchanges/eliminations.hpp"

namespace annelid::firmware {

std::uint32_t Eliminations::peer(std::uint32_t z, std::uint32_t offset) const {
  std::uint32_t at = position_ & (bit(z) - 1);
  const std::uint32_t of_group = group(z) + offset;
  if (of_group + 1 < groups(z)) return (of_group << z) + at;
  for (; z > 0; --z) {
    if ((at & bit(z - 1)) == 0) return ((groups(z - 1) - 2) << (z - 1)) + at;
    at -= bit(z - 1);
  }
  return ranks_ - 1;
}

Move Eliminations::sent(std::uint32_t z, std::uint32_t second) const {
  if (!is_here(z)) return {};
  const Move::Run all = run(z), lower = halves(z) ? all.half(false) : all;
  const Move::Run upper = halves(z) ? all.half(true) : all;
  if (!in_three(z)) {
    if ((second == 1) != is_late(z)) return {};
    return {partner(z), is_upper(z) ? lower : upper};
  }
  if (z == left_) {
    if (second == 0) return {peer(z, 1), lower};
    return halves(z) ? Move{peer(z, 2), upper} : Move{};
  }
  if (is_upper(z)) return second == 1 ? Move{partner(z), lower} : Move{};
  if (halves(z)) return second == 0 ? Move{leaver(z), upper} : Move{};
  return second == 1 ? Move{partner(z), all} : Move{};
}

Move Eliminations::received(std::uint32_t z, std::uint32_t second) const {
  if (!is_here(z)) return {};
  const Move::Run all = run(z), lower = halves(z) ? all.half(false) : all;
  const Move::Run upper = halves(z) ? all.half(true) : all;
  if (!in_three(z)) {
    if ((second == 1) != is_late(z)) return {};
    return {partner(z), is_upper(z) ? upper : lower};
  }
  if (z == left_) return second == 0 && halves(z) ? Move{peer(z, 1), upper} : Move{};
  if (!is_upper(z)) return {second == 0 ? leaver(z) : partner(z), lower};
  if (second == 0) return {};
  return {halves(z) ? leaver(z) : partner(z), upper};
}

Move Eliminations::result_sent(std::uint32_t z) const {
  if (z < halvings_ || z >= left_ || !in_three(z) || is_upper(z)) return {};
  return {leaver(z), run(z)};
}

Move Eliminations::result_received() const { return {peer(left_, 1), run(left_)}; }

Move Eliminations::gather_sent(const Eliminations& root, std::uint32_t z,
                               std::uint32_t second) const {
  if (!is_here(z) || z == left_) return {};
  const Move::Run own = run(z + 1);
  if (root.left_ == z) {
    return in_three(z) && is_upper(z) == (second == 1) ? Move{leaver(z), own} : Move{};
  }
  if (second == 1 || group(z + 1) != root.group(z + 1)) return {};
  return group(z) == root.group(z) ? Move{} : Move{partner(z), own};
}

Move Eliminations::gather_received(const Eliminations& root, std::uint32_t z,
                                   std::uint32_t second) const {
  if (!is_here(z)) return {};
  if (root.left_ == z) {
    return z == left_ ? Move{peer(z, 1 + second), run(z).half(second == 1)} : Move{};
  }
  if (z == left_ || second == 1 || group(z) != root.group(z)) return {};
  return {partner(z), run(z).half(!is_upper(z))};
}

}  // namespace annelid::firmware
