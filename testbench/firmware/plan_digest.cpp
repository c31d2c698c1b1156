#include "testbench/firmware/plan_digest.hpp"

#include "firmware/collectives/edn_broadcast.hpp"
#include "firmware/collectives/recursive_doubling.hpp"

namespace annelid::firmware {
namespace {

struct Digest {
  std::uint32_t value = 2166136261U;
  std::uint32_t plans = 0;

  void add(std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8)
      value = (value ^ ((word >> shift) & 0xFF)) * 16777619U;
  }
  void add(const BroadcastPlan& plan) {
    add(plan.parent ? plan.parent->word() : 0xFFFFFFFFU);
    add(static_cast<std::uint32_t>(plan.receive_step));
    for (const BroadcastPlan::Send& send : plan.sends()) add(send.to.word() << 8 | send.step);
    ++plans;
  }
  void add(BroadcastRule rule, Size size, int root_stride) {
    const auto at = [&](int i) {
      return Address{static_cast<std::uint8_t>(i % size.x), static_cast<std::uint8_t>(i / size.x)};
    };
    for (int root = 0; root < size.x * size.y; root += root_stride) {
      for (int self = 0; self < size.x * size.y; ++self) add(rule(at(self), size, at(root)));
    }
  }
};

}  // namespace

std::uint32_t plan_digest(std::uint32_t& plans) {
  Digest digest;
  digest.add(edn::plan, {4, 4, 1}, 1);
  digest.add(edn::plan, {8, 8, 1}, 1);
  digest.add(edn::plan, {16, 16, 1}, 7);
  digest.add(edn::plan, {64, 64, 1}, 611);
  digest.add(edn::plan, {256, 256, 1}, 50021);
  digest.add(recursive_doubling::plan, {1, 1, 1}, 1);
  digest.add(recursive_doubling::plan, {5, 3, 1}, 1);
  digest.add(recursive_doubling::plan, {16, 16, 1}, 11);
  digest.add(recursive_doubling::plan, {256, 256, 1}, 50021);
  plans += digest.plans;
  return digest.value;
}

}  // namespace annelid::firmware
