#include "testbench/firmware/plan_digest.hpp"

#include "firmware/collectives/edn/edn_mesh.hpp"
#include "firmware/collectives/edn/edn_optimal.hpp"
#include "firmware/collectives/edn/edn_torus.hpp"
#include "firmware/collectives/intercom/choice.hpp"
#include "firmware/collectives/intercom/prices.hpp"
#include "firmware/collectives/trees/line_doubling.hpp"
#include "firmware/collectives/trees/recursive_doubling.hpp"
#include "firmware/collectives/trees/single_level.hpp"

namespace annelid::firmware {
namespace {

struct Digest {
  std::uint32_t value = 2166136261U;
  std::uint32_t plans = 0;

  void add(std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8)
      value = (value ^ ((word >> shift) & 0xFF)) * 16777619U;
  }
  void add(const TreeRule& rule, Frame frame) {
    if (!rule.fits(frame)) return;
    TreePlan plan;
    rule.find_parent(frame, frame.self(), plan);
    add(plan.receive_step != 0 ? plan.parent.word() : 0xFFFFFFFFU);
    add(static_cast<std::uint32_t>(plan.receive_step));
    while (rule.next_step(frame, frame.self(), plan)) {
      add(static_cast<std::uint32_t>(plan.step));
      for (const Address to : plan.sends()) add(to.word());
    }
    if (rule.subtree != nullptr) add(rule.subtree(frame, frame.self()));
    ++plans;
  }
  void add(const TreeRule& rule, Size size, Pid root_stride, std::uint32_t rings = 0,
           std::uint32_t parameter = 0, bool reversed = false) {
    const Topology network({}, size, rings);
    for (Pid root = 0; root < network.nodes(); root += root_stride) {
      for (Pid self = 0; self < network.nodes(); ++self) {
        const Topology at_self(network.address(self), size, rings);
        add(rule, Frame(Group::all(at_self, {}), root, parameter, reversed));
      }
    }
  }
  /// The hybrids of InterCom that processes choose.
  void add_choices(const std::array<std::uint32_t, 3>& sizes) {
    for (std::uint32_t bytes = 0; bytes < 200'000; bytes += bytes / 4 + 20) {
      for (const reg::Operation operation :
           {reg::Operation::kBroadcast, reg::Operation::kAllGather, reg::Operation::kReduce,
            reg::Operation::kAllReduce, reg::Operation::kReduceScatter}) {
        const intercom::HybridWords words = intercom::choose_hybrid<intercom::CoreTimes>(
            operation, intercom::Extents(sizes), bytes, false);
        add(words.sizes);
        add(words.flags);
        ++plans;
      }
    }
  }
};

}  // namespace

std::uint32_t plan_digest(std::uint32_t& plans) {
  Digest digest;
  digest.add(edn_mesh::kRule, {4, 4, 1}, 1);
  digest.add(edn_mesh::kRule, {8, 8, 1}, 1);
  digest.add(edn_mesh::kRule, {16, 16, 1}, 7);
  digest.add(edn_mesh::kRule, {64, 64, 1}, 611);
  digest.add(edn_mesh::kRule, {256, 256, 1}, 50021);
  digest.add(edn_mesh::kRule, {20, 10, 1}, 17, 0, 1, true);
  digest.add(edn_mesh::kRule, {12, 24, 1}, 17);
  digest.add(edn_mesh::kRule, {14, 14, 1}, 17);
  digest.add(edn_mesh::kRule, {8, 32, 1}, 17);
  digest.add(edn_mesh::kRule, {8, 8, 15}, 97, 0, 1);
  digest.add(edn_mesh::kRule, {8, 8, 12}, 97, 0, 0, true);
  digest.add(single_level::kRule, {12, 8, 1}, 7);
  digest.add(recursive_doubling::kRule, {1, 1, 1}, 1);
  digest.add(recursive_doubling::kRule, {5, 3, 1}, 1);
  digest.add(recursive_doubling::kRule, {16, 16, 1}, 11);
  digest.add(recursive_doubling::kRule, {256, 256, 1}, 50021);
  digest.add(recursive_doubling::kRule, {5, 6, 7}, 13);
  digest.add(recursive_doubling::kRule, {5, 6, 7}, 13, 0, 0, true);
  digest.add(dimensional::kRule, {7, 6, 3}, 5);
  digest.add(cyclic_doubling::kRule, {7, 6, 3}, 5);
  digest.add(u_torus::kRule, {8, 16, 1}, 5, 3);
  digest.add(edn_torus::kRule, {2, 2, 9}, 5, 7);
  digest.add(edn_torus::kRule, {8, 8, 9}, 71, 7);
  digest.add(edn_torus::kRule, {8, 8, 50}, 611, 3, 1);
  digest.add(edn_torus::kRule, {256, 256, 1}, 50021, 3);
  digest.add(edn_optimal::kRule, {12, 7, 1}, 5);
  digest.add(edn_optimal::kRule, {5, 16, 1}, 3);
  digest.add(edn_optimal::kRule, {3, 7, 1}, 1);
  digest.add(edn_optimal::kRule, {11, 21, 1}, 37, 3);
  digest.add(edn_optimal::kRule, {9, 8, 5}, 41);
  digest.add(edn_optimal::kRule, {9, 8, 5}, 41, 5, 0, true);
  digest.add(edn_optimal::kRule, {100, 33, 1}, 1001);
  digest.add(edn_optimal::kRule, {256, 256, 1}, 50021);
  digest.add_choices({64, 1, 1});
  digest.add_choices({30, 16, 1});
  digest.add_choices({7, 5, 4});
  plans += digest.plans;
  return digest.value;
}

}  // namespace annelid::firmware
