#include "nic/node_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace annelid::nic {

static_assert(std::endian::native == std::endian::little, "load and store copy bytes as they are");

constexpr std::uint64_t kLines = 64, kLineBytes = NodeMemory::kPageBytes / kLines;

void NodeMemory::check(std::uint64_t offset, std::uint64_t bytes) const {
  if (contains(offset, bytes)) return;
  throw std::out_of_range("node memory: bytes " + std::to_string(offset) + " to " +
                          std::to_string(offset + bytes) + " of " + std::to_string(size_));
}

std::byte* NodeMemory::make(std::uint64_t page) {
  if (find(page) == nullptr) {
    own_.push_back(PagePool::take());
    put(page, own_.back().get());
  }
  return pages_[page].bytes;
}

void NodeMemory::put(std::uint64_t page, std::byte* bytes) {
  if (page >= pages_.size()) pages_.resize(page + 1);
  pages_[page] = {bytes, slow_lines(page)};
  forget_latest();
}

void NodeMemory::clear() {
  pages_.clear();
  watched_.reset();
  written_.clear();
  own_.clear();
  forget_latest();
}

void NodeMemory::watch(std::shared_ptr<const Ranges> ranges) {
  watched_ = std::move(ranges);
  written_.clear();
  for (std::uint64_t page = 0; page < pages_.size(); ++page) {
    if (pages_[page].bytes != nullptr) pages_[page].slow = slow_lines(page);
  }
  forget_latest();
}

/// A store of up to 8 bytes reaches 7 bytes into the line behind its own.
std::uint64_t NodeMemory::slow_lines(std::uint64_t page) const {
  constexpr std::uint64_t kReach = 7;
  const std::uint64_t begin = page * kPageBytes, end = begin + kPageBytes + kReach;
  std::uint64_t lines = 0;
  const auto add = [&](std::uint64_t from, std::uint64_t to) {
    const std::uint64_t low = std::max(from, begin + kReach) - begin - kReach;
    const std::uint64_t high = std::min(to, begin + kPageBytes) - begin;  // behind the last store
    if (low >= high) return;
    const std::uint64_t first = low / kLineBytes, last = (high - 1) / kLineBytes;
    lines |= ~std::uint64_t{0} >> (kLines - 1 - (last - first)) << first;
  };
  if (watched_) {
    const auto first = std::ranges::upper_bound(*watched_, begin, {}, &Range::end);
    for (auto w = first; w != watched_->end() && w->offset < end; ++w) add(w->offset, w->end());
  }
  if (size_ < end) add(size_, end);
  return lines;
}

void NodeMemory::note_write(std::uint64_t offset, std::uint64_t bytes) {
  if (bytes == 0) return;
  const auto first = std::ranges::upper_bound(*watched_, offset, {}, &Range::end);
  for (auto w = first; w != watched_->end() && w->offset < offset + bytes; ++w) {
    const auto range = static_cast<std::size_t>(w - watched_->begin());
    if (std::ranges::find(written_, range, &Written::range) != written_.end()) continue;
    written_.push_back({range, std::max(w->offset, offset)});
  }
}

std::optional<std::uint64_t> NodeMemory::watched_write(Range where) const {
  std::optional<std::uint64_t> first;
  for (const Written& written : written_) {
    const Range& range = (*watched_)[written.range];
    if (range.offset < where.offset || range.end() > where.end()) continue;
    if (!first || written.at < *first) first = written.at;
  }
  return first;
}

void NodeMemory::use(std::uint64_t offset, std::span<std::byte> bytes) {
  check(offset, 0);
  if (offset % kPageBytes != 0 || bytes.size() % kPageBytes != 0)
    throw std::invalid_argument("node memory: parts of pages");
  const std::uint64_t first = offset / kPageBytes, count = bytes.size() / kPageBytes;
  for (std::uint64_t i = 0; i < count; ++i) put(first + i, bytes.data() + i * kPageBytes);
}

// The fast path of both: 8 bytes of a page that exists, which is what engines move.
std::uint64_t NodeMemory::load(std::uint64_t offset, std::uint32_t bytes) const {
  std::uint64_t value = 0;
  const std::uint64_t within = offset % kPageBytes;
  const std::byte* page = find_again(offset / kPageBytes);
  if (bytes == 8 && within <= kPageBytes - 8 && page != nullptr && contains(offset, 8)) {
    std::memcpy(&value, page + within, 8);
  } else {
    read(offset, std::as_writable_bytes(std::span(&value, 1)).first(bytes));
  }
  return value;
}

void NodeMemory::store(std::uint64_t offset, std::uint64_t value, std::uint32_t bytes) {
  const std::uint64_t within = offset % kPageBytes;
  std::byte* const page = find_again(offset / kPageBytes);
  if (bytes == 8 && within <= kPageBytes - 8 && page != nullptr &&
      (latest_slow_ >> within / kLineBytes & 1) == 0) {
    std::memcpy(page + within, &value, 8);
    ++writes_;
  } else {
    write(offset, std::as_bytes(std::span(&value, 1)).first(bytes));
  }
}

void NodeMemory::store(std::uint64_t offset, std::span<const std::uint64_t> words) {
  write(offset, std::as_bytes(words));
  writes_ += words.size() - 1;
}

void NodeMemory::read(std::uint64_t offset, std::span<std::byte> to) const {
  check(offset, to.size());
  while (!to.empty()) {
    const std::uint64_t within = offset % kPageBytes;
    const std::size_t count = std::min<std::uint64_t>(to.size(), kPageBytes - within);
    if (const std::byte* page = find(offset / kPageBytes)) {
      std::memcpy(to.data(), page + within, count);
    } else {
      std::memset(to.data(), 0, count);
    }
    offset += count;
    to = to.subspan(count);
  }
}

void NodeMemory::write(std::uint64_t offset, std::span<const std::byte> from) {
  check(offset, from.size());
  ++writes_;
  if (watched_) note_write(offset, from.size());
  while (!from.empty()) {
    const std::uint64_t within = offset % kPageBytes;
    const std::size_t count = std::min<std::uint64_t>(from.size(), kPageBytes - within);
    std::memcpy(make(offset / kPageBytes) + within, from.data(), count);
    offset += count;
    from = from.subspan(count);
  }
}

std::optional<std::uint64_t> NodeMemory::first_difference(
    std::uint64_t offset, std::span<const std::byte> expected) const {
  static constexpr std::array<std::byte, kPageBytes> kUnwritten{};
  check(offset, expected.size());
  while (!expected.empty()) {
    const std::uint64_t within = offset % kPageBytes;
    const std::size_t count = std::min<std::uint64_t>(expected.size(), kPageBytes - within);
    const std::byte* const page = find(offset / kPageBytes);
    const std::byte* const found = (page != nullptr ? page : kUnwritten.data()) + within;
    if (std::memcmp(found, expected.data(), count) != 0) {
      return offset + static_cast<std::uint64_t>(
                          std::mismatch(found, found + count, expected.begin()).first - found);
    }
    offset += count;
    expected = expected.subspan(count);
  }
  return std::nullopt;
}

std::size_t NodeMemory::pages() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(pages_, [](const Page& page) { return page.bytes != nullptr; }));
}

std::optional<std::uint64_t> NodeMemory::page_in(std::uint64_t offset, std::uint64_t bytes) const {
  const std::uint64_t end = std::min<std::uint64_t>((offset + bytes) / kPageBytes, pages_.size());
  for (std::uint64_t page = (offset + kPageBytes - 1) / kPageBytes; page < end; ++page) {
    if (pages_[page].bytes != nullptr) return page * kPageBytes;
  }
  return std::nullopt;
}

}  // namespace annelid::nic
