// NICs whose fabric executes many cycles of long messages at once, against the same NICs cycle by
// cycle.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "systemc/modules/elaboration.hpp"
#include "testbench/nic/list_script.hpp"
#include "testbench/nic/lone_nic.hpp"
#include "testbench/nic/mesh.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::test {
namespace {

constexpr Cycle kLimit = 1'000'000;
constexpr std::uint32_t kSumInt32 = 0x11;  // as RECV_COMBINE
constexpr std::uint16_t kTag = 5;

/// Lets the fabric execute many cycles at once.
struct Repeats : systemc::FabricObserver {
  explicit Repeats(bool wanted) : wanted_(wanted) {}
  [[nodiscard]] bool takes_repeats() const override { return wanted_; }
  void repeated(Cycle cycles) override { sum += cycles; }
  Cycle sum = 0;

 private:
  bool wanted_;
};

/// All that is left of a run of a 4x4 mesh.
struct Outcome {
  std::vector<nic::MessageRecord> messages;
  std::vector<std::vector<Taken>> completions;
  std::vector<std::vector<std::byte>> memory;
  Cycle repeated = 0;
};

nic::NicConfig config() {
  nic::NicConfig config = small_config();
  config.eager_bytes = 0;
  return config;
}

using Plan = std::function<void(Mesh&)>;

Outcome outcome_of(const nic::NicConfig& config, const Plan& plan, bool repeats) {
  const systemc::Elaboration elaboration;
  Mesh mesh(config);
  Repeats observer(repeats);
  mesh.fabric.set_observer(&observer);
  Outcome outcome;
  outcome.completions.resize(mesh.nics.size());
  for (std::size_t n = 0; n < mesh.nics.size(); ++n) {
    fill(mesh.nics[n]->memory(), 0, 0x8000, n);
    take_completions(*mesh.scripts[n], outcome.completions[n]);
  }
  plan(mesh);
  EXPECT_EQ(mesh.fabric.run_until(kLimit), systemc::RunStatus::kQuiet);
  EXPECT_TRUE(mesh.idle());
  EXPECT_TRUE(mesh.log.failures.empty());
  for (const auto& nic : mesh.nics) {
    outcome.memory.push_back(
        bytes_of(nic->memory(), 0, static_cast<std::uint32_t>(config.memory_bytes)));
  }
  outcome.messages = mesh.log.records();
  outcome.repeated = observer.sum;
  return outcome;
}

/// Returns the run with many cycles at once.
Outcome compare(const Plan& plan, const nic::NicConfig& config = test::config()) {
  const Outcome all = outcome_of(config, plan, false);
  Outcome some = outcome_of(config, plan, true);
  EXPECT_TRUE(same(all.messages, some.messages));
  EXPECT_EQ(all.completions, some.completions);
  EXPECT_TRUE(all.memory == some.memory);
  return some;
}

ReceiveOrder combining(std::uint32_t target, std::uint32_t stage, std::uint32_t bytes) {
  ReceiveOrder order;
  order.offset = target;
  order.combine = kSumInt32;
  order.stage = stage;
  order.bytes = bytes;
  return order;
}

/// Both ends of a message, at x, y of the mesh. The receive is posted in cycle 3.
void message(Mesh& mesh, Address from, Address to, std::uint32_t bytes, Cycle sent,
             ReceiveOrder receive = {}) {
  const systemc::NetworkConfig& network = mesh.network.config();
  receive.from = from;
  if (receive.bytes == 0) receive.bytes = bytes;
  receive.tag = receive.id = kTag;
  if (receive.offset == 0) receive.offset = 0x4000 + 0x1000 * network.id(from);
  mesh.scripts[network.id(to)]->at(3, [=](Registers& r) { post_receive(r, receive); });
  mesh.scripts[network.id(from)]->at(sent, [=](Registers& r) {
    post_send(r, {to, 0x100, bytes, kTag, kTag});
  });
}

TEST(CyclesAtOnce, GatherTheBlocksOfAMessageInTheirOrder) {
  constexpr std::uint32_t kBytes = 4000, kBlock = 16, kStride = 40;
  const Outcome some = compare([](Mesh& mesh) {
    mesh.scripts[15]->at(3, [](Registers& x) {
      post_receive(x, {{0, 0, 0}, 0x8211, kBytes, kTag, 2});
    });
    mesh.scripts[0]->at(3, [](Registers& x) {
      SendOrder order{{3, 3, 0}, 0, kBytes, kTag, 1};
      order.block = kBlock;
      order.stride = kStride;
      post_send(x, order);
    });
  });
  EXPECT_GT(some.repeated, 400U);
}

// The fabric executes a multiple of 8 cycles at once, so one of these ends just before the action.
// A node that slept before its first action is due in that cycle anyway: the second one counts.
class ActionCycle : public ::testing::TestWithParam<Cycle> {};
INSTANTIATE_TEST_SUITE_P(Of, ActionCycle, ::testing::Range<Cycle>(301, 309), ParameterName());

TEST_P(ActionCycle, OfASenderEndsWhatIsExecutedAtOnce) {
  const Outcome some = compare([](Mesh& mesh) {
    message(mesh, {0, 0, 0}, {3, 3, 0}, 4000, 3);
    message(mesh, {0, 0, 0}, {0, 1, 0}, 8, 201);
    message(mesh, {0, 0, 0}, {0, 2, 0}, 8, GetParam());
  });
  EXPECT_GT(some.repeated, 300U);
}

// The offer passes between flits of the message that its node sends through the same port.
TEST_P(ActionCycle, OfAReceiverLetsItsOfferPass) {
  nic::NicConfig with_control_vc = config();
  with_control_vc.network.router.control_vc = true;
  const auto plan = [](Mesh& mesh) {
    message(mesh, {0, 0, 0}, {3, 0, 0}, 4000, 3);
    const auto receive = [](std::uint32_t offset) {
      return [=](Registers& r) { post_receive(r, {{1, 0, 0}, offset, 64, kTag, kTag}); };
    };
    mesh.scripts[0]->at(201, receive(0x6000));
    mesh.scripts[0]->at(GetParam(), receive(0x6100));
    for (int i = 0; i < 2; ++i) {
      mesh.scripts[1]->at(3, [](Registers& r) { post_send(r, {{0, 0, 0}, 0, 64, kTag, kTag}); });
    }
  };
  const Outcome some = compare(plan, with_control_vc);
  EXPECT_GT(some.repeated, 300U);
}

/// A list at a node of the mesh, which the core starts.
void play(Mesh& mesh, NodeId node, const List& list, Cycle at) {
  constexpr std::uint32_t kOffset = 0xe000;
  list.store(mesh.nics[node]->memory(), kOffset);
  mesh.scripts[node]->at(2, [=](Registers& r) { set_list(r, 1, kOffset, list.counts()); });
  mesh.scripts[node]->at(at, [](Registers& r) { r.write(reg::kListGo, 1); });
}

// While its descriptors are fetched, and when a held send or a put back receive can go on, a list
// needs every cycle; the messages of others, and its own, go on beside it.
TEST_P(ActionCycle, OfAListIsFollowedByItsFetches) {
  const Outcome some = compare([](Mesh& mesh) {
    message(mesh, {0, 0, 0}, {3, 3, 0}, 8000, 3);
    play(mesh, 0,
         List()
             .receive({{1, 0, 0}, 0x6000, 2000, kTag, 0})
             .receive({{1, 0, 0}, 0x7000, 8, 9, 0}, {on_send(1)})
             .send({{0, 1, 0}, 0x6000, 2000, kTag, 0}, {on_receive(0)})
             .join({on_receive(0), on_send(0)})
             .send({{0, 1, 0}, 0x7000, 8, kTag, 0}, {on_receive(1)}),
         GetParam());
    play(mesh, 1,
         List()
             .send({{0, 0, 0}, 0x100, 2000, kTag, 0})
             .send({{0, 0, 0}, 0x100, 8, 9, 0}, {on_send(0)}),
         200);
    play(mesh, 4,
         List()
             .receive({{0, 0, 0}, 0x2000, 2000, kTag, 0})
             .receive({{0, 0, 0}, 0x3000, 8, kTag, 0}, {on_receive(0)}),
         100);
  });
  EXPECT_GT(some.repeated, 1000U);
}

// With one lane, the second of two equal messages is still being combined when it has arrived.
TEST(CyclesAtOnce, EndWhereACombineUnitCatchesUp) {
  nic::NicConfig slow = config();
  slow.combine_lanes = 1;
  const Outcome some = compare(
      [&](Mesh& mesh) {
        message(mesh, {0, 1, 0}, {1, 1, 0}, 2000, 3, combining(0x2000, 0x2800, 2000));
        message(mesh, {2, 1, 0}, {1, 1, 0}, 2000, 3, combining(0x3000, 0x3800, 2000));
        message(mesh, {1, 2, 0}, {1, 1, 0}, 8000, 3);
      },
      slow);
  EXPECT_GT(some.repeated, 100U);
}

// The younger of two receives of one accumulator has its whole message first. It completes in the
// middle of the older one's message, which is longer.
TEST(CyclesAtOnce, EndWhereAShorterReceiveHasWaitedForALongerOne) {
  constexpr std::uint32_t kTarget = 0x2000;
  const Outcome some = compare([](Mesh& mesh) {
    message(mesh, {0, 1, 0}, {1, 1, 0}, 4000, 800, combining(kTarget, 0x4000, 4000));
    message(mesh, {2, 1, 0}, {1, 1, 0}, 800, 3, combining(kTarget, 0x6000, 4000));
  });
  EXPECT_GT(some.repeated, 100U);
}

}  // namespace
}  // namespace annelid::test
