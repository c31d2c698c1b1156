// A group of InterCom: an array of nodes (Barnett and others 1994, Section 9).
#pragma once

#include <cstdint>

#include "firmware/kit/kit.hpp"

namespace annelid::firmware::kit {

/// The array of a call as a group. Its list lies in node memory, which whoever makes the group
/// gives back.
class ArrayGroup {
 public:
  ArrayGroup(const unsigned* array, std::uint32_t size) : size_(array == nullptr ? 0 : size) {
    if (array == nullptr) {
      if (size == 0) result_ = reg::CallResult::kSuccess;
      size_ = node().topology().nodes();
      return;
    }
    list(array, size);
  }
  [[nodiscard]] reg::CallResult result() const { return result_; }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] const Group& group() const { return listed_ ? group_ : *node().groups().find(0); }

 private:
  void list(const unsigned* array, std::uint32_t size);

  reg::CallResult result_ = reg::CallResult::kBadArgument;
  std::uint32_t size_;
  bool listed_ = false;
  Group group_;
};

}  // namespace annelid::firmware::kit
