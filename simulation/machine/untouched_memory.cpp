#include "simulation/machine/untouched_memory.hpp"

#include <algorithm>
#include <span>

namespace annelid::simulation {
namespace {

/// The end of a buffer behind its first bytes.
Buffer behind(Buffer buffer, std::uint64_t bytes) {
  const std::uint64_t used = std::min(bytes, buffer.bytes);
  return {buffer.offset + used, buffer.bytes - used};
}

}  // namespace

const std::vector<Untouched>& UntouchedMemory::at(const reference::Node& node) {
  const Use use{buffers_.takes_part(node), collective_.calls(node), buffers_.source(node),
                buffers_.target(node)};
  if (use == use_) return parts_;
  use_ = use;
  parts_.clear();
  const bool in_place = collective_.operation() == reference::Operation::kBroadcast && use.member;
  const auto add = [this](const char* name, Buffer where) {
    if (where.bytes > 0) parts_.emplace_back(name, where);
  };
  const auto guards = layout_.guards();
  add("the bytes before SOURCE", guards[0]);
  add("the bytes behind SOURCE", guards[1]);
  add("the bytes behind TARGET", guards[2]);
  add("the bytes behind SCRATCH", guards[3]);
  add("the memory behind all buffers", {layout_.end, memory_bytes_ - layout_.end});
  if (!in_place) {
    add("SOURCE, of which nothing is used there", behind(layout_.source, use.source));
  }
  if (layout_.lengths.bytes > 0) {
    add("the bytes behind the list of lengths",
        {layout_.lengths.end(), layout_.end - layout_.lengths.end()});
    if (!use.called) add("the list of lengths", layout_.lengths);
  }
  add("TARGET, which is not written there", behind(layout_.target, use.target));
  if (!use.member) {
    const std::uint64_t compared = use.called ? comparison_bytes(collective_) : 0;
    add("SCRATCH, of a node that takes no part", behind(layout_.scratch, compared));
  }
  return parts_;
}

std::array<Buffer, 2> filled_parts(Buffer where) {
  constexpr std::uint64_t kPage = nic::NodeMemory::kPageBytes;
  const std::uint64_t first = (where.offset + kPage - 1) / kPage * kPage;  // whole pages
  const std::uint64_t last = where.end() / kPage * kPage;
  if (first >= last) return {where, {where.end(), 0}};
  return {Buffer{where.offset, first - where.offset}, Buffer{last, where.end() - last}};
}

std::byte Filler::at(std::uint64_t offset) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;
  return static_cast<std::byte>((offset * kGolden >> 56U) | 1U);
}

/// Calls f(offset, bytes) for each page, until it returns false.
template <typename F>
void Filler::for_each_part(Buffer where, F f) {
  constexpr std::uint64_t kPage = nic::NodeMemory::kPageBytes;
  for (std::uint64_t offset = where.offset; offset < where.end();) {
    const std::uint64_t within = offset % kPage;
    std::vector<std::byte>& page = pages_[offset / kPage];
    if (page.empty()) {
      page.resize(kPage);
      for (std::uint64_t i = 0; i < kPage; ++i) page.data()[i] = at(offset - within + i);
    }
    const std::uint64_t bytes = std::min(where.end() - offset, kPage - within);
    if (!f(offset, std::span<const std::byte>(page).subspan(within, bytes))) return;
    offset += bytes;
  }
}

void Filler::fill(nic::NodeMemory& memory, Buffer where) {
  for_each_part(where, [&](std::uint64_t offset, auto bytes) {
    memory.write(offset, bytes);
    return true;
  });
}

std::optional<std::uint64_t> Filler::first_difference(const nic::NodeMemory& memory, Buffer where) {
  std::optional<std::uint64_t> difference;
  for_each_part(where, [&](std::uint64_t offset, auto bytes) {
    difference = memory.first_difference(offset, bytes);
    return !difference.has_value();
  });
  return difference;
}

}  // namespace annelid::simulation
