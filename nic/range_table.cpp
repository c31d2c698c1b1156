#include "nic/range_table.hpp"

#include <bit>
#include <cassert>

namespace annelid::nic {
namespace {

bool collide(const ReceiveRanges& a, const ReceiveRanges& b) {
  if (a.staging.overlaps(b.staging) || a.staging.overlaps(b.target) ||
      a.target.overlaps(b.staging)) {
    return true;
  }
  const bool share = a.type == b.type && a.type != reg::Type::kBytes && a.target == b.target;
  return !share && a.target.overlaps(b.target);
}

bool collide(const ReceiveRanges& receive, const MemoryRange& send) {
  return send.overlaps(receive.target) || send.overlaps(receive.staging);
}
bool collide(const MemoryRange& send, const ReceiveRanges& receive) {
  return collide(receive, send);
}

template <typename Ranges, typename Other>
std::optional<Place> find(PlaceSet set, const std::array<Ranges, kPlaces>& ranges,
                          const Other& with) {
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
  receive_ranges_[place] = receive;
}

void RangeTable::add_send(Place place, const MemoryRange& send) {
  assert((sends_ >> place & 1) == 0);
  sends_ |= PlaceSet{1} << place;
  send_ranges_[place] = send;
}

}  // namespace annelid::nic
