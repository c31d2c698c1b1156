// Large arrays of which little may be used.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace annelid::systemc {

/// An array whose bytes are all 0 at first. Only the pages that are written use memory.
template <typename T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// To be called once.
  T* resize(std::size_t size) {
    items_.reset(static_cast<T*>(std::calloc(size, sizeof(T))));
    if (items_ == nullptr && size > 0) throw std::bad_alloc();
    return items_.get();
  }
  [[nodiscard]] T* data() const { return items_.get(); }

 private:
  struct Free {
    void operator()(T* items) const { std::free(items); }
  };
  std::unique_ptr<T[], Free> items_;
};

}  // namespace annelid::systemc
