// The reference's choice of a hybrid, as the tests of the firmware write hybrids.
#pragma once

#include <utility>
#include <vector>

#include "reference/intercom/choice.hpp"
#include "testbench/firmware/intercom/intercom_check.hpp"

namespace annelid::firmware {

/// An operation of InterCom, as the reference calls it.
inline reference::Operation in_catalogue(reg::Operation operation) {
  switch (operation) {
    case reg::Operation::kBroadcast:
      return reference::Operation::kBroadcast;
    case reg::Operation::kScatter:
      return reference::Operation::kScatter;
    case reg::Operation::kGather:
      return reference::Operation::kGather;
    case reg::Operation::kAllGather:
      return reference::Operation::kAllGather;
    case reg::Operation::kReduce:
      return reference::Operation::kReduce;
    case reg::Operation::kAllReduce:
      return reference::Operation::kAllReduce;
    default:
      return reference::Operation::kReduceScatter;
  }
}

/// Without other times: of firmware on the host, as most tests run it.
inline TestHybrid reference_choice(
    reg::Operation operation, const std::vector<int>& extents, std::uint64_t bytes,
    bool in_order = false,
    const reference::intercom::Times& times = reference::intercom::kHostTimes) {
  const reference::HybridChoice c =
      reference::intercom::chosen_hybrid(in_catalogue(operation), extents, bytes, in_order, times);
  return {{c.sizes.begin(), c.sizes.end()}, c.is_long, c.far_first};
}

}  // namespace annelid::firmware
