// The pages of all node memories in a process.
#pragma once

#include <cstddef>
#include <memory>

namespace annelid::nic {

/// Pages lie in large regions of memory, which the operating system gives at once, in huge pages
/// where it has them. One by one they would cost a page fault each, in every run.
///
/// In a collective all nodes use the same offsets at the same time. So pages are not a power of two
/// apart: otherwise all these places would compete for the same few sets of the processor's caches.
class PagePool {
 public:
  static constexpr std::size_t kPageBytes = 4096;

  struct GiveBack {
    void operator()(std::byte* page) const;
  };
  using Page = std::unique_ptr<std::byte[], GiveBack>;

  /// A page of zeros. Throws std::bad_alloc. Any thread may call it, and destroy pages.
  [[nodiscard]] static Page take();
};

}  // namespace annelid::nic
