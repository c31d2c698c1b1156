#include "nic/range_table.hpp"

#include <bit>
#include <cassert>

namespace annelid::nic {
namespace {

bool uses(const ReceiveRanges& receive, const MemoryRange& range) {
  return range.overlaps(receive.target) || range.overlaps(receive.staging) ||
         range.overlaps(receive.operand);
}

/// The combine unit keeps the order of two receives that share a whole target or operand. It cannot
/// do so for a staging area, which messages fill when they come.
bool collide(const ReceiveRanges& older, const ReceiveRanges& younger) {
  if (!older.combining() && !younger.combining()) return older.target.overlaps(younger.target);
  if (uses(older, younger.staging)) return true;
  if (older.staging != older.target && uses(younger, older.staging)) return true;
  const bool may_share = older.type == younger.type;
  const auto clash = [may_share](const MemoryRange& a, const MemoryRange& b) {
    return a.overlaps(b) && !(may_share && a == b);
  };
  return clash(older.target, younger.target) || clash(older.target, younger.operand) ||
         clash(older.operand, younger.target);
}

bool collide(const ReceiveRanges& receive, const MemoryRange& send) {
  return send.overlaps(receive.target) || send.overlaps(receive.staging);
}
bool collide(const MemoryRange& send, const ReceiveRanges& receive) {
  return collide(receive, send);
}

template <typename Ranges, typename Other>
std::optional<Place> find(PlaceSet set, const ByPlace<Ranges>& ranges, const Other& with) {
  for (; set != 0; set &= set - 1) {
    const auto place = static_cast<Place>(std::countr_zero(set));
    if (collide(ranges[place], with)) return place;
  }
  return std::nullopt;
}

}  // namespace

MemoryRange send_range(std::uint32_t offset, std::uint32_t bytes, std::uint32_t block,
                       std::uint32_t stride) {
  if (block == 0 || bytes == 0) return {offset, std::uint64_t{offset} + bytes};
  const std::uint64_t before = (bytes - 1) / block;  // blocks before the one with the last byte
  return {offset, offset + before * stride + (bytes - before * block)};
}

std::optional<RangeTable::Collision> RangeTable::check(const ReceiveRanges& receive) const {
  if (const auto place = find(receives_, receive_ranges_, receive)) return Collision{true, *place};
  if (const auto place = find(sends_, send_ranges_, receive)) return Collision{false, *place};
  return std::nullopt;
}

std::optional<RangeTable::Collision> RangeTable::check(const MemoryRange& send) const {
  if (const auto place = find(receives_, receive_ranges_, send)) return Collision{true, *place};
  return std::nullopt;
}

void RangeTable::add_receive(Place place, const ReceiveRanges& receive) {
  assert((receives_ >> place & 1) == 0);
  receives_ |= PlaceSet{1} << place;
  receive_ranges_.set(place, receive);
}

void RangeTable::add_send(Place place, const MemoryRange& send) {
  assert((sends_ >> place & 1) == 0);
  sends_ |= PlaceSet{1} << place;
  send_ranges_.set(place, send);
}

}  // namespace annelid::nic
