// A first-in first-out queue that keeps its memory, so that it allocates only when it grows.
#pragma once

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace annelid::nic {

template <typename T>
class Fifo {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t size() const { return count_; }
  /// The element `i` places behind the oldest.
  [[nodiscard]] const T& operator[](std::size_t i) const {
    assert(i < count_);
    return ring_[wrap(first_ + i)];
  }
  [[nodiscard]] const T& front() const { return (*this)[0]; }

  void push(const T& value) {
    if (count_ == ring_.size()) grow();
    ring_[wrap(first_ + count_)] = value;
    ++count_;
  }
  T pop() {
    assert(count_ > 0);
    T value = ring_[first_];
    first_ = wrap(first_ + 1);
    --count_;
    return value;
  }

 private:
  /// The number of places is a power of two.
  [[nodiscard]] std::size_t wrap(std::size_t place) const { return place & (ring_.size() - 1); }
  void grow() {
    std::vector<T> larger(ring_.empty() ? 4 : 2 * ring_.size());
    for (std::size_t i = 0; i < count_; ++i) larger[i] = (*this)[i];
    ring_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> ring_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace annelid::nic
