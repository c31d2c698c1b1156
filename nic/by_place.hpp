// What the NIC keeps for each place.
#pragma once

#include <cassert>
#include <vector>

#include "interface/place.hpp"

namespace annelid::nic {

/// Values by place. The lowest free place is always taken, so places that were never needed use no
/// memory.
template <typename T>
class ByPlace {
 public:
  /// References to other values may become invalid.
  void set(Place place, const T& value) {
    if (place >= values_.size()) values_.resize(place + 1u);
    values_[place] = value;
  }
  [[nodiscard]] T& operator[](Place place) {
    assert(place < values_.size() && "a place that was never in use");
    return values_[place];
  }
  [[nodiscard]] const T& operator[](Place place) const {
    assert(place < values_.size() && "a place that was never in use");
    return values_[place];
  }

 private:
  std::vector<T> values_;
};

}  // namespace annelid::nic
