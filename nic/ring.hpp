// A first-in first-out queue with a fixed number of places.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>

namespace annelid::nic {

template <typename T, std::size_t kRoom>
class Ring {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const T& front() const {
    assert(count_ > 0);
    return elements_[first_];
  }
  void push(const T& element) {
    assert(count_ < kRoom);
    elements_[(first_ + count_++) % kRoom] = element;
  }
  T pop() {
    const T oldest = front();
    first_ = (first_ + 1) % kRoom;
    --count_;
    return oldest;
  }

 private:
  std::array<T, kRoom> elements_{};
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace annelid::nic
