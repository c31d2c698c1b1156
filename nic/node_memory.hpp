// A node's memory, shared by its core and the engines (docs/internals/nic/core.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nic/page_pool.hpp"

namespace annelid::nic {

/// Bytes at offsets 0 .. size()-1, which are all 0 at the start. A page is allocated when it is
/// first written, so a large memory costs only what is used. Throws std::out_of_range for offsets
/// outside.
class NodeMemory {
 public:
  static constexpr std::uint64_t kPageBytes = PagePool::kPageBytes;

  explicit NodeMemory(std::uint64_t size) : size_(size) {}

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool contains(std::uint64_t offset, std::uint64_t bytes) const {
    return offset <= size_ && bytes <= size_ - offset;
  }

  /// Reads a little-endian number of 0 to 8 bytes at any offset.
  [[nodiscard]] std::uint64_t load(std::uint64_t offset, std::uint32_t bytes) const;
  void store(std::uint64_t offset, std::uint64_t value, std::uint32_t bytes);

  /// Stores words of 8 bytes, one behind the other.
  void store(std::uint64_t offset, std::span<const std::uint64_t> words);

  void read(std::uint64_t offset, std::span<std::byte> to) const;
  void write(std::uint64_t offset, std::span<const std::byte> from);

  /// The first offset, from `offset` on, at which memory does not hold these bytes.
  [[nodiscard]] std::optional<std::uint64_t> first_difference(
      std::uint64_t offset, std::span<const std::byte> expected) const;

  /// The number of allocated pages.
  [[nodiscard]] std::size_t pages() const;
  /// The offset of the first allocated page that lies completely in these bytes.
  [[nodiscard]] std::optional<std::uint64_t> page_in(std::uint64_t offset,
                                                     std::uint64_t bytes) const;
  /// The number of writes so far, including the host's. If two values are equal, nothing was
  /// written in between.
  [[nodiscard]] std::uint64_t writes() const { return writes_; }
  struct Range {
    std::uint64_t offset = 0, bytes = 0;
    [[nodiscard]] std::uint64_t end() const { return offset + bytes; }
    friend bool operator==(const Range&, const Range&) = default;
  };
  /// Ranges of at least one byte each, in ascending order, without overlap.
  using Ranges = std::vector<Range>;
  /// Notes from now on, until clear(), whether somebody writes to these bytes, which stay writable.
  /// Memories may share the ranges.
  void watch(std::shared_ptr<const Ranges> ranges);
  /// Where a watched range that lies in these bytes was written first, or the lowest place of
  /// several. No value if none was written.
  [[nodiscard]] std::optional<std::uint64_t> watched_write(Range where) const;
  /// Sets all bytes to 0, frees all pages, and watches nothing.
  void clear();
  /// Lets these bytes be the bytes from `offset` on, which is at a page. They are whole pages, of
  /// which the last may reach behind the end, and they must live as long as the memory is used.
  void use(std::uint64_t offset, std::span<std::byte> bytes);

 private:
  void check(std::uint64_t offset, std::uint64_t bytes) const;
  [[nodiscard]] std::byte* find(std::uint64_t page) const {
    return page < pages_.size() ? pages_[page].bytes : nullptr;
  }
  /// Finds a page that is remembered, because engines use one page for many cycles.
  [[nodiscard]] std::byte* find_again(std::uint64_t page) const {
    if (page != latest_page_) {
      latest_page_ = page;
      latest_ = find(page);
      latest_slow_ = latest_ == nullptr ? 0 : pages_[page].slow;
    }
    return latest_;
  }
  void put(std::uint64_t page, std::byte* bytes);
  [[nodiscard]] std::uint64_t slow_lines(std::uint64_t page) const;
  void note_write(std::uint64_t offset, std::uint64_t bytes);
  void forget_latest() const { latest_page_ = ~std::uint64_t{0}; }
  std::byte* make(std::uint64_t page);

  std::uint64_t size_;
  std::uint64_t writes_ = 0;
  mutable std::uint64_t latest_page_ = ~std::uint64_t{0};
  mutable std::byte* latest_ = nullptr;
  mutable std::uint64_t latest_slow_ = 0;
  struct Page {
    std::byte* bytes = nullptr;
    /// A bit for each of 64 lines: a store that begins there may touch watched bytes, or bytes
    /// behind the end.
    std::uint64_t slow = 0;
  };
  std::vector<Page> pages_;  ///< up to the last one that was written
  std::shared_ptr<const Ranges> watched_;
  struct Written {
    std::size_t range = 0;  ///< its place among those that are watched
    std::uint64_t at = 0;   ///< where it was written first
  };
  std::vector<Written> written_;  ///< one for each range that was written
  std::vector<PagePool::Page> own_;
};

}  // namespace annelid::nic
