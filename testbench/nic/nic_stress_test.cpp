// Thousands of random messages among all nodes of a mesh, in random cycles: nothing is lost,
// altered or reordered within a pair, whatever the buffers, the sleep, the order of evaluation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iostream>

#include "systemc/random.hpp"
#include "testbench/nic/lone_nic.hpp"
#include "testbench/nic/mesh.hpp"

namespace annelid::test {
namespace {

struct Message {
  NodeId from = 0, to = 0;
  std::uint32_t bytes = 0, room = 0, from_offset = 0, to_offset = 0;
  std::uint16_t tag = 0;
  std::uint32_t port = 0;
};

/// A node's orders. Each stream is in the order of the whole list of messages, so the oldest
/// message that is not complete can always go on, whatever the delays; a random delay before each
/// order makes nodes drift apart.
struct Node {
  std::deque<std::pair<std::size_t, Cycle>> sends, receives;  // message, delay
  Cycle send_at = 0, receive_at = 0;
  std::size_t sent = 0;
  std::vector<std::size_t> received;  // messages, in the order of completion
};

/// A processor that carries out a node's orders.
class Worker : public Processor {
 public:
  Worker(Nic& nic, Node& node, const std::vector<Message>& messages, const NetworkConfig& network)
      : nic_(nic), node_(node), messages_(messages), network_(network) {}

  void step(Cycle now) override {
    while (const std::uint32_t word = nic_.read(reg::kCompletion)) {
      const auto id = reg::kCompletionIdField.of(word);
      const bool receive = reg::kCompletionReceiveField.of(word) != 0;
      EXPECT_EQ(nic_.read(reg::kCompletionBytes), messages_[id].bytes);
      EXPECT_EQ(receive ? messages_[id].to : messages_[id].from, nic_.node());
      if (receive) {
        node_.received.push_back(id);
      } else {
        ++node_.sent;
      }
    }
    if (!node_.sends.empty() && node_.send_at <= now && nic_.read(reg::kSendSpace) > 0) {
      const auto id = node_.sends.front().first;
      const Message& m = messages_[id];
      post_send(nic_, {network_.address(m.to), m.from_offset, m.bytes, m.tag,
                       static_cast<std::uint16_t>(id), m.port});
      node_.sends.pop_front();
      if (!node_.sends.empty()) node_.send_at = now + node_.sends.front().second;
    }
    if (!node_.receives.empty() && node_.receive_at <= now && nic_.read(reg::kRecvSpace) > 0) {
      const auto id = node_.receives.front().first;
      const Message& m = messages_[id];
      post_receive(nic_, {network_.address(m.from), m.to_offset, m.room, m.tag,
                          static_cast<std::uint16_t>(id)});
      node_.receives.pop_front();
      if (!node_.receives.empty()) node_.receive_at = now + node_.receives.front().second;
    }
  }
  [[nodiscard]] Cycle next(Cycle now, bool event) const override {
    Cycle at = event ? now + 1 : kNever;
    if (!node_.sends.empty() && nic_space(reg::kSendSpace)) at = std::min(at, node_.send_at);
    if (!node_.receives.empty() && nic_space(reg::kRecvSpace)) at = std::min(at, node_.receive_at);
    return std::max(at, now + 1);
  }
  [[nodiscard]] std::string describe() const override { return "worker"; }

 private:
  [[nodiscard]] bool nic_space(std::uint32_t offset) const { return nic_.read(offset) > 0; }

  Nic& nic_;
  Node& node_;
  const std::vector<Message>& messages_;
  const NetworkConfig& network_;
};

class Stress {
 public:
  Stress(const NicConfig& config, std::uint64_t seed, std::size_t count, const std::string& name,
         bool polled = false)
      : mesh(config, name, polled), nodes_(config.network.nodes()) {
    Random random(seed);
    std::vector<std::uint32_t> used(nodes_.size(), 0);
    for (std::size_t id = 0; id < count; ++id) {
      messages_.push_back(random_message(random, config, used));
      const Message& m = messages_.back();
      nodes_[m.from].sends.emplace_back(id, delay(random));
      nodes_[m.to].receives.emplace_back(id, delay(random));
      fill(m, random);
    }
    for (NodeId n = 0; n < nodes_.size(); ++n) {
      mesh.nics[n]->load(
          std::make_unique<Worker>(*mesh.nics[n], nodes_[n], messages_, mesh.network.config()));
    }
  }

  void run() {
    mesh.fabric.run_until(20'000'000, [this] { return finished(); });
    ASSERT_TRUE(finished()) << describe();
    std::size_t received = 0;
    for (const Node& node : nodes_) received += node.received.size();
    EXPECT_EQ(received, messages_.size());
    for (const Message& m : messages_) {
      ASSERT_TRUE(bytes(m.from, m.from_offset, m.bytes) == bytes(m.to, m.to_offset, m.bytes));
      ASSERT_EQ(mesh.nics[m.to]->memory().load(m.to_offset + m.bytes, 1), 0U);
    }
    expect_pairs_in_order();
    EXPECT_EQ(mesh.fabric.flits_in_flight(), 0U);
    EXPECT_TRUE(mesh.idle());
  }

  Mesh mesh;

 private:
  static Cycle delay(Random& random) {
    return random.below(50) == 0 ? random.below(20'000) : random.below(60);
  }

  Message random_message(Random& random, const NicConfig& config,
                         std::vector<std::uint32_t>& used) {
    static constexpr std::uint32_t kEdges[] = {0, 1, 7, 8, 9, 63, 64, 65};
    Message m;
    const auto nodes = static_cast<std::uint32_t>(nodes_.size());
    m.from = random.below(nodes);
    m.to = random.below(nodes);  // sometimes itself
    m.bytes = random.below(2) == 0 ? kEdges[random.below(8)] : random.below(600);
    m.room = m.bytes + random.below(3) * 5;
    m.tag = static_cast<std::uint16_t>(random());
    const auto ports = static_cast<std::uint32_t>(config.network.router.local_ports);
    m.port = random.below(3) == 0 ? random.below(ports) : reg::kPortByRoute;
    m.from_offset = take(used[m.from], m.room, random);
    m.to_offset = take(used[m.to], m.room, random);
    return m;
  }
  /// Bytes of a node that nothing else uses, with a gap behind them.
  static std::uint32_t take(std::uint32_t& used, std::uint32_t bytes, Random& random) {
    const std::uint32_t offset = used + random.below(9);
    used = offset + bytes + 1;
    return offset;
  }
  void fill(const Message& m, Random& random) {
    for (std::uint32_t i = 0; i < m.bytes; ++i) {
      mesh.nics[m.from]->memory().store(m.from_offset + i, random() & 0xff, 1);
    }
  }
  std::vector<std::byte> bytes(NodeId node, std::uint32_t offset, std::uint32_t count) const {
    std::vector<std::byte> data(count);
    mesh.nics[node]->memory().read(offset, data);
    return data;
  }

  [[nodiscard]] bool finished() const {
    for (const Node& node : nodes_) {
      if (!node.sends.empty() || !node.receives.empty()) return false;
    }
    return mesh.idle();
  }
  [[nodiscard]] std::string describe() const {
    std::string text = "cycle " + std::to_string(mesh.fabric.now()) + '\n';
    for (const auto& nic : mesh.nics) {
      text += to_string(nic->address()) + ":\n" + nic->describe_wait();
    }
    return text;
  }
  void expect_pairs_in_order() const {
    for (const Node& node : nodes_) {
      std::vector<std::size_t> last(nodes_.size(), 0);
      for (const std::size_t id : node.received) {
        const NodeId from = messages_[id].from;
        EXPECT_TRUE(last[from] <= id) << "reordered";
        last[from] = id;
      }
    }
  }

  std::vector<Message> messages_;
  std::vector<Node> nodes_;
};

std::uint64_t seed() {
  const char* text = std::getenv("ANNELID_SEED");
  const std::uint64_t value = text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
  std::cout << "ANNELID_SEED=" << value << '\n';
  return value;
}

NicConfig config_of(int ports, int vcs, int local_vcs, int depth) {
  NicConfig config = small_config(4, 4);
  config.network.router = {ports, vcs, local_vcs, depth};
  return config;
}

struct Shape {
  int ports, vcs, local_vcs, depth;
  friend std::ostream& operator<<(std::ostream& out, const Shape& s) {
    return out << 'L' << s.ports << 'V' << s.vcs << "VL" << s.local_vcs << 'D' << s.depth;
  }
};
class Random4x4 : public ::testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(Messages, Random4x4,
                         ::testing::Values(Shape{4, 1, 1, 4}, Shape{1, 1, 1, 1}, Shape{2, 2, 2, 2},
                                           Shape{3, 4, 1, 2}, Shape{4, 2, 3, 1}),
                         ::testing::PrintToStringParamName());

TEST_P(Random4x4, AreAllDeliveredBitExactAndInOrder) {
  const Shape& s = GetParam();
  Stress stress(config_of(s.ports, s.vcs, s.local_vcs, s.depth), seed(), 4000, "mesh");
  stress.run();
  EXPECT_EQ(stress.mesh.log.size(), 4000U);
}

TEST(Random4x4, GiveTheSameCyclesWhateverTheOrderOfEvaluationAndTheSleep) {
  const NicConfig config = config_of(4, 2, 2, 2);
  Stress normal(config, seed(), 2000, "normal"), again(config, seed(), 2000, "again"),
      reversed(config, seed(), 2000, "reversed"), polled(config, seed(), 2000, "polled", true);
  reversed.mesh.fabric.set_reversed(true);
  for (Stress* stress : {&normal, &again, &reversed, &polled}) stress->run();
  const auto log = normal.mesh.log.records();
  EXPECT_EQ(log.size(), 2000U);
  EXPECT_TRUE(same(log, again.mesh.log.records()));
  EXPECT_TRUE(same(log, reversed.mesh.log.records()));
  EXPECT_TRUE(same(log, polled.mesh.log.records()));
}

}  // namespace
}  // namespace annelid::test
