// A node on a fake NIC, for coroutines that no host has asked for.
#pragma once

#include "firmware/communication/point_to_point.hpp"
#include "testbench/firmware/support/fake_bus.hpp"

namespace annelid::firmware {

inline reg::CallResult refuse_calls(Context&, std::optional<Task>&) {
  return reg::CallResult::kUnknownOperation;
}

/// Node (1, 2) of 8 x 4.
struct FakeNode {
  FakeBus bus{Address{1, 2, 0}, Size{8, 4, 1}};
  Node node{Registers(bus), Memory(bus), refuse_calls};
  Context& me = node.idle_context();
};

}  // namespace annelid::firmware
