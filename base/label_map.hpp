// A map whose keys are labels of steps.
#pragma once

#include <array>
#include <cstdint>
#include <map>

namespace annelid {

/// Most labels that are looked up are the same few as those before them, so these are found without
/// a search.
template <typename T>
class LabelMap {
 public:
  LabelMap() = default;
  LabelMap(const LabelMap&) = delete;
  LabelMap& operator=(const LabelMap&) = delete;

  T& operator[](std::uint32_t label) {
    Known& known = known_[label % known_.size()];
    if (known.value == nullptr || known.label != label) known = {label, &map_[label]};
    return *known.value;
  }
  /// In ascending order of the labels.
  [[nodiscard]] std::map<std::uint32_t, T>& map() { return map_; }

 private:
  struct Known {
    std::uint32_t label = 0;
    T* value = nullptr;
  };
  std::map<std::uint32_t, T> map_;
  std::array<Known, 64> known_{};
};

}  // namespace annelid
