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
  void add(const BroadcastRule& rule, const Topology& self, Pid root) {
    const Group all = Group::all(self, {});
    BroadcastPlan plan;
    rule.find_parent(all, root, plan);
    add(plan.receive_step != 0 ? plan.parent.word() : 0xFFFFFFFFU);
    add(static_cast<std::uint32_t>(plan.receive_step));
    while (rule.next_step(all, root, plan)) {
      add(static_cast<std::uint32_t>(plan.step));
      for (const Address to : plan.sends()) add(to.word());
    }
    ++plans;
  }
  void add(const BroadcastRule& rule, Size size, Pid root_stride) {
    const Topology network({}, size);
    for (Pid root = 0; root < network.nodes(); root += root_stride) {
      for (Pid self = 0; self < network.nodes(); ++self) {
        add(rule, Topology(network.address(self), size), root);
      }
    }
  }
};

}  // namespace

std::uint32_t plan_digest(std::uint32_t& plans) {
  Digest digest;
  digest.add(edn_broadcast::kRule, {4, 4, 1}, 1);
  digest.add(edn_broadcast::kRule, {8, 8, 1}, 1);
  digest.add(edn_broadcast::kRule, {16, 16, 1}, 7);
  digest.add(edn_broadcast::kRule, {64, 64, 1}, 611);
  digest.add(edn_broadcast::kRule, {256, 256, 1}, 50021);
  digest.add(recursive_doubling::kRule, {1, 1, 1}, 1);
  digest.add(recursive_doubling::kRule, {5, 3, 1}, 1);
  digest.add(recursive_doubling::kRule, {16, 16, 1}, 11);
  digest.add(recursive_doubling::kRule, {256, 256, 1}, 50021);
  digest.add(recursive_doubling::kRule, {5, 6, 7}, 13);
  plans += digest.plans;
  return digest.value;
}

}  // namespace annelid::firmware
