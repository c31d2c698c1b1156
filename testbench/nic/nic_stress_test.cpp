// Thousands of random messages among all nodes of a mesh, in random cycles, with few tags and
// receives out of order: nothing is lost, altered or reordered within a pair and tag, whatever the
// buffers, the parameters of the NICs, the sleep, the order of evaluation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <map>
#include <tuple>

#include "base/random.hpp"
#include "systemc/network/node_text.hpp"
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

/// A node's orders. Sends are in the order of the whole list of messages; receives too, but for
/// blocks of kBlock that are shuffled, only within a pair and tag they keep their order. A block
/// has fewer receives than there are places, so the oldest message that is not complete can always
/// go on. A random delay before each order makes nodes drift apart.
struct Node {
  std::deque<std::pair<std::size_t, Cycle>> sends, receives;  // message, delay
  Cycle send_at = 0, receive_at = 0;
  std::size_t sent = 0;
  std::vector<std::size_t> received;  // messages, in the order of completion
};

/// A processor that carries out a node's orders.
class Worker : public nic::Processor {
 public:
  Worker(nic::Nic& nic, Node& node, const std::vector<Message>& messages,
         const systemc::NetworkConfig& network)
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
  [[nodiscard]] Next next(Cycle now) const override {
    Cycle at = kNever;
    if (!node_.sends.empty() && nic_space(reg::kSendSpace)) at = std::min(at, node_.send_at);
    if (!node_.receives.empty() && nic_space(reg::kRecvSpace)) at = std::min(at, node_.receive_at);
    return {std::max(at, now + 1), ~0U};
  }
  [[nodiscard]] std::string describe() const override { return "worker"; }

 private:
  [[nodiscard]] bool nic_space(std::uint32_t offset) const { return nic_.read(offset) > 0; }

  nic::Nic& nic_;
  Node& node_;
  const std::vector<Message>& messages_;
  const systemc::NetworkConfig& network_;
};

constexpr std::size_t kBlock = 32;

/// How often the protocol took each of its ways.
struct Ways : systemc::FabricObserver {
  void injected(Cycle, NodeId node, Port local, const systemc::Flit& flit) override {
    bool& header = header_comes[{node, local, flit.vc}];
    if (header) {
      const std::uint64_t kind = flit.data & 0xf;
      if (kind == 1) ++data;
      if (kind == 3) ++eager;
      if (kind == 2) {
        offer += flit.data >> 4 & 1;
        park += flit.data >> 5 & 1;
        ask += flit.data >> 6 & 1;
        free += flit.data >> 7 & 1;
      }
    }
    header = flit.head;
  }
  std::map<std::tuple<NodeId, Port, Vc>, bool> header_comes;
  std::uint64_t data = 0, eager = 0, offer = 0, park = 0, ask = 0, free = 0;
};

class Stress {
 public:
  Stress(const nic::NicConfig& config, std::uint64_t seed, std::size_t count,
         const std::string& name, bool polled = false)
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
    for (Node& node : nodes_) shuffle(node.receives, random);
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
    EXPECT_EQ(mesh.log.failures, std::vector<std::string>{});
  }

  Mesh mesh;

 private:
  static Cycle delay(Random& random) {
    return random.below(50) == 0 ? random.below(20'000) : random.below(60);
  }

  Message random_message(Random& random, const nic::NicConfig& config,
                         std::vector<std::uint32_t>& used) {
    static constexpr std::uint32_t kEdges[] = {0, 1, 7, 8, 9, 63, 64, 65};
    Message m;
    const auto nodes = static_cast<std::uint32_t>(nodes_.size());
    m.from = random.below(nodes);
    m.to = random.below(nodes);  // sometimes itself
    m.bytes = random.below(2) == 0 ? kEdges[random.below(8)] : random.below(600);
    m.room = m.bytes + random.below(3) * 5;
    m.tag = static_cast<std::uint16_t>(random.below(3));
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
    return mesh.fabric.flits_in_flight() == 0 && mesh.idle();
  }
  [[nodiscard]] std::string describe() const {
    std::string text = "cycle " + std::to_string(mesh.fabric.now()) + '\n';
    for (const auto& nic : mesh.nics) {
      text += systemc::node_text(nic->address(), 2) + ":\n" + nic->describe_wait();
    }
    return text;
  }
  /// Each receive got the message that was meant for it, as the bytes show: which is the order of
  /// the protocol. It says nothing of the order of completion.
  void shuffle(std::deque<std::pair<std::size_t, Cycle>>& receives, Random& random) const {
    const auto key = [this](std::size_t id) {
      return std::pair(messages_[id].from, messages_[id].tag);
    };
    for (std::size_t begin = 0; begin < receives.size(); begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, receives.size());
      for (std::size_t i = begin + 1; i < end; ++i) {  // insertion at random, behind its equals
        std::size_t lowest = i;
        while (lowest > begin && key(receives[lowest - 1].first) != key(receives[i].first)) {
          --lowest;
        }
        const std::size_t to = lowest + random.below(static_cast<std::uint32_t>(i - lowest) + 1);
        for (std::size_t j = i; j > to; --j) std::swap(receives[j], receives[j - 1]);
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

nic::NicConfig config_of(int ports, int vcs, int local_vcs, int depth) {
  nic::NicConfig config = small_config(4, 4);
  config.network.router = {ports, vcs, local_vcs, depth};
  return config;
}

struct Shape {
  const char* name;
  int ports, vcs, local_vcs, depth;
  std::uint32_t eager_bytes = 64;
  Cycle alpha = 0, gamma = 0;
  std::uint32_t memory_flits = 0;
  bool half_duplex = false;
  bool control_vc = false;
  friend std::ostream& operator<<(std::ostream& out, const Shape& s) { return out << s.name; }

  [[nodiscard]] nic::NicConfig config() const {
    nic::NicConfig config = config_of(ports, vcs, local_vcs, depth);
    config.eager_bytes = eager_bytes;
    config.alpha = alpha;
    config.gamma = gamma;
    config.memory_flits = memory_flits;
    config.half_duplex = half_duplex;
    config.network.router.control_vc = control_vc;
    return config;
  }
};
class Random4x4 : public ::testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(
    Messages, Random4x4,
    ::testing::Values(Shape{"Default", 4, 1, 1, 4}, Shape{"OnePortDepth1", 1, 1, 1, 1},
                      Shape{"TwoPorts", 2, 2, 2, 2}, Shape{"ManyVcs", 3, 4, 1, 2},
                      Shape{"ManyLocalVcs", 4, 2, 3, 1}, Shape{"Overtaking", 4, 8, 8, 2, 512},
                      Shape{"NoEager", 4, 1, 1, 4, 0}, Shape{"AllEager", 2, 1, 1, 4, 1024},
                      Shape{"AlphaGamma", 4, 1, 1, 4, 64, 17, 9},
                      Shape{"OneAccess", 4, 1, 2, 4, 64, 0, 0, 1},
                      Shape{"ThreeAccesses", 4, 1, 1, 2, 64, 3, 0, 3},
                      Shape{"HalfDuplex", 4, 1, 1, 4, 64, 0, 0, 0, true},
                      Shape{"HalfDuplexOneAccess", 2, 2, 2, 2, 128, 0, 5, 1, true},
                      Shape{"ControlVc", 4, 1, 1, 4, 64, 0, 0, 0, false, true},
                      Shape{"ControlVcOnePort", 1, 2, 2, 1, 0, 0, 0, 1, true, true}),
    ::testing::PrintToStringParamName());

TEST_P(Random4x4, AreAllDeliveredBitExactAndInTheOrderOfTheirTag) {
  Stress stress(GetParam().config(), seed(), 4000, "mesh");
  Ways ways;
  for (auto& nic : stress.mesh.nics) nic->set_observers(&stress.mesh.log, &ways);
  stress.run();
  EXPECT_EQ(stress.mesh.log.size(), 4000U);
  std::uint64_t own = 0;
  for (const nic::MessageRecord& record : stress.mesh.log.records()) {
    own += record.info.source == record.info.destination ? 1U : 0U;
  }
  EXPECT_EQ(ways.data + ways.eager, 4000 - own);
  EXPECT_EQ(ways.free, ways.eager);
  EXPECT_EQ(ways.offer, ways.data + ways.park) << "an offer is answered by data or sent back";
  EXPECT_GT(ways.park, 50U);
  EXPECT_GT(ways.ask, 30U);
  EXPECT_GE(ways.eager, GetParam().eager_bytes == 0 ? 0U : 500U);
  EXPECT_GT(own, 100U);
}

class Same4x4 : public ::testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(
    Messages, Same4x4,
    ::testing::Values(Shape{"TwoVcs", 4, 2, 2, 2}, Shape{"All", 3, 2, 2, 2, 64, 7, 11, 2, true},
                      Shape{"ControlVc", 3, 1, 1, 2, 64, 7, 11, 2, true, true}),
    ::testing::PrintToStringParamName());

TEST_P(Same4x4, GiveTheSameCyclesWhateverTheOrderOfEvaluationAndTheSleep) {
  const nic::NicConfig config = GetParam().config();
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
