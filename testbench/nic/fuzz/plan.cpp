#include "testbench/nic/fuzz/plan.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <tuple>

#include "base/random.hpp"

namespace annelid::nic::fuzz {

std::uint32_t Plan::take(NodeId node, std::uint64_t bytes, std::uint32_t align) {
  std::uint32_t& used = nodes[node].used;
  const std::uint32_t offset = (used + align - 1) / align * align;
  used = static_cast<std::uint32_t>(offset + bytes + 1);
  return offset;
}

std::size_t Plan::add(NodeId from, NodeId to, std::uint16_t tag, std::uint32_t bytes) {
  Message message{.from = from, .to = to, .tag = tag, .bytes = bytes, .room = bytes};
  message.source = take(from, bytes);
  message.target = take(to, bytes);
  messages.push_back(message);
  nodes[from].sends.push_back({messages.size() - 1});
  nodes[to].receives.push_back({messages.size() - 1});
  return messages.size() - 1;
}

std::uint64_t Plan::flits() const {
  std::uint64_t sum = 0;
  for (const Message& message : messages) sum += flits_of(message.bytes);
  return sum;
}

namespace {

constexpr std::size_t kWindow = 48;

std::uint32_t element(reg::Type type) {
  return type == reg::Type::kBytes ? 1 : type == reg::Type::kInt64 ? 8 : 4;
}

/// What all messages of a (from, to, tag) have in common.
struct Stream {
  reg::Type type = reg::Type::kBytes;
  std::uint32_t room = 0;  ///< of combining ones; of others the longest message, or less
  unsigned group = 0;      ///< of accumulators
  bool tight = false;      ///< messages may be too long
};

/// The accumulators of a node that may be shared.
struct Group {
  reg::Type type = reg::Type::kInt32;
  std::uint32_t room = 0;
  std::vector<std::uint32_t> accumulators;
};

class Generator {
 public:
  Generator(const NicConfig& config, const Traffic& traffic)
      : traffic_(traffic), random_(traffic.seed, 77) {
    plan_.config = config;
    plan_.nodes.resize(config.network.nodes());
    pattern_ = traffic.hot_spot ? 2 : below(4);
    tags_ = 1 + below(4);
    increments_.resize(plan_.nodes.size());
    for (NodeId node = 0; node < plan_.nodes.size(); ++node) groups_.push_back(make_groups(node));
  }

  Plan make() {
    for (std::uint64_t flits = 0; flits < traffic_.flits;) {
      plan_.messages.push_back(random_message());
      const Message& message = plan_.messages.back();
      flits += flits_of(message.bytes);
      plan_.nodes[message.from].sends.push_back({plan_.messages.size() - 1});
      plan_.nodes[message.to].receives.push_back({plan_.messages.size() - 1});
    }
    for (NodeId node = 0; node < plan_.nodes.size(); ++node) {
      arrange(plan_.nodes[node].sends, node);
      arrange(plan_.nodes[node].receives, node);
    }
    return std::move(plan_);
  }

 private:
  using Key = std::tuple<NodeId, NodeId, std::uint16_t>;

  std::uint32_t below(std::uint32_t bound) { return random_.below(bound); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

  std::vector<Group> make_groups(NodeId node) {
    static constexpr std::array kTypes{reg::Type::kInt32, reg::Type::kUint32, reg::Type::kInt64,
                                       reg::Type::kFloat32};
    static constexpr std::array kRooms{8u, 64u, 72u, 256u, 800u};
    std::vector<Group> groups(2);
    for (Group& group : groups) {
      group.type = kTypes[below(4)];
      group.room = kRooms[below(5)] + (element(group.type) == 4 && one_in(2) ? 4 : 0);
      const std::uint32_t count = 1 + below(3);
      for (unsigned i = 0; i < count; ++i) {
        group.accumulators.push_back(plan_.take(node, group.room, one_in(2) ? 8 : 1));
      }
    }
    return groups;
  }

  std::uint32_t random_bytes() {
    static constexpr std::array kEdges{0u,  0u,  1u,  7u,    8u,    9u,   16u,
                                       63u, 64u, 65u, 4095u, 4096u, 4097u};
    const std::uint32_t kind = below(1000);
    if (kind < 400) return kEdges[below(10)];
    if (kind < 850) return below(200);
    if (kind < 860) return kEdges[below(13)];
    if (kind < 999) return below(2000);
    return 65536 - below(20);
  }

  const Stream& stream_of(const Key& key) {
    const auto [at, fresh] = streams_.try_emplace(key);
    Stream& stream = at->second;
    if (!fresh) return stream;
    if (one_in(4)) {
      stream.group = below(2);
      const Group& group = groups_[std::get<1>(key)][stream.group];
      stream.type = group.type;
      stream.room = group.room;
    } else {
      stream.tight = one_in(12);
      stream.room = stream.tight ? below(300) : one_in(6) ? 65536 : 4100;
    }
    return stream;
  }

  NodeId random_peer(NodeId from) {
    const auto nodes = static_cast<NodeId>(plan_.nodes.size());
    if (one_in(16)) return from;
    switch (pattern_) {
      case 0:
        return below(nodes);
      case 1:
        return (from + 1 + below(2)) % nodes;  // neighbours
      case 2:
        return one_in(2) ? 0 : below(nodes);  // a hot spot
      default:
        return nodes - 1 - from;  // one partner
    }
  }

  Message random_message() {
    Message message;
    message.from = below(static_cast<std::uint32_t>(plan_.nodes.size()));
    message.to = random_peer(message.from);
    message.tag = static_cast<std::uint16_t>(below(tags_) * 0x3333);
    const Stream& stream = stream_of({message.from, message.to, message.tag});
    message.type = stream.type;
    random_send(message, stream);
    random_receive(message, stream);
    message.send_notify = random_notify(message.from);
    message.receive_notify = random_notify(message.to);
    return message;
  }

  void random_send(Message& message, const Stream& stream) {
    const std::uint32_t unit = element(stream.type);
    message.bytes = random_bytes();
    if (!stream.tight) message.bytes = std::min(message.bytes, stream.room);
    if (stream.type != reg::Type::kBytes) {
      message.bytes = one_in(2) ? stream.room : below(stream.room / unit + 1) * unit;
      if (one_in(200)) message.bytes += 1 + below(unit - 1);  // a fragment of an element
    }
    const auto ports = static_cast<std::uint32_t>(plan_.config.network.router.local_ports);
    if (one_in(3)) message.port = below(ports);
    std::uint64_t extent = message.bytes;
    if (one_in(6)) {
      message.block = 8 * (1 + below(12));
      message.stride = message.block + (one_in(4) ? 0 : below(40));
      extent = std::uint64_t{message.bytes / message.block + 1} * message.stride;
    }
    message.source = plan_.take(message.from, extent);
    // Everything older at this node will have happened some day.
    if (one_in(8)) {
      message.trigger = below(32);
      const std::uint32_t planned = increments_[message.from][message.trigger];
      message.threshold =
          planned == 0 || one_in(4) ? planned : planned - below(std::min(planned, 3u));
    }
  }

  void random_receive(Message& message, const Stream& stream) {
    message.room = stream.room;
    if (stream.type == reg::Type::kBytes) {
      // Rooms of a stream are alike, so that every message of it fits in every receive; memory is
      // given for the longest that there can be.
      message.target = plan_.take(message.to, message.room, one_in(3) ? 8 : 1);
      return;
    }
    const Group& group = groups_[message.to][stream.group];
    message.target =
        group.accumulators[below(static_cast<std::uint32_t>(group.accumulators.size()))];
    message.operand = message.target;
    if (one_in(2)) {
      message.operand =
          group.accumulators[below(static_cast<std::uint32_t>(group.accumulators.size()))];
    }
    message.stage = plan_.take(message.to, message.room, one_in(3) ? 8 : 1);
    message.operation = static_cast<reg::Operator>(1 + below(7));
    message.message_left = one_in(2);
  }

  std::uint32_t random_notify(NodeId node) {
    std::uint32_t notify = kNoCounter;
    if (one_in(2)) {
      notify = below(32);
      ++increments_[node][notify];
    }
    return one_in(4) ? notify | kQuiet : notify;
  }

  /// Permutes orders within a window, and gives them delays. Those of one stream stay in order, and
  /// so do receives with one accumulator, as the younger ones wait for the older.
  void arrange(std::vector<Order>& orders, NodeId node) {
    std::vector<std::pair<std::size_t, std::size_t>> keys;  // where to, place now
    std::map<Key, std::size_t> last;
    std::map<std::uint32_t, std::size_t> last_of_accumulator;
    const auto window = static_cast<std::uint32_t>(one_in(3) ? 1 : kWindow);
    for (std::size_t i = 0; i < orders.size(); ++i) {
      const Message& message = plan_.messages[orders[i].message];
      std::size_t& before = last[{message.from, message.to, message.tag}];
      before = std::max(before, i + below(window));
      if (message.operation != reg::Operator::kNone && message.to == node) {
        std::size_t& target = last_of_accumulator[message.target];
        std::size_t& operand = last_of_accumulator[message.operand];
        before = target = operand = std::max({before, target, operand});
      }
      keys.emplace_back(before, i);
    }
    std::stable_sort(keys.begin(), keys.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Order> arranged;
    arranged.reserve(keys.size());
    for (const auto& key : keys) arranged.push_back(orders[key.second]);
    orders = std::move(arranged);
    if (traffic_.causal) let_wait(orders, node);
    for (Order& order : orders) {
      if (one_in(3)) continue;  // in the cycle of the order before
      order.delay = below(2 * traffic_.pace + 1);
      if (one_in(100)) order.delay += below(100 * traffic_.pace + 1);
    }
    if (!orders.empty() && traffic_.skew > 0 && one_in(2)) {
      orders.front().delay += below(static_cast<std::uint32_t>(traffic_.skew));
    }
  }

  /// Some orders wait for receives of their node. These are older than everything that is still to
  /// be posted, so the oldest message that is not complete waits for nothing.
  void let_wait(std::vector<Order>& orders, NodeId node) {
    std::vector<std::size_t> awaited;  // receives that have a completion to take
    for (std::size_t number = 0; number < plan_.messages.size(); ++number) {
      const Message& message = plan_.messages[number];
      if (message.to == node && (message.receive_notify & kQuiet) == 0) awaited.push_back(number);
    }
    std::size_t oldest = plan_.messages.size();
    for (auto order = orders.rbegin(); order != orders.rend(); ++order) {
      oldest = std::min(oldest, order->message);
      if (!one_in(6)) continue;
      const auto end = std::lower_bound(awaited.begin(), awaited.end(), oldest);
      const auto back = static_cast<std::ptrdiff_t>(1 + below(4));
      if (end - awaited.begin() >= back) order->after = *(end - back);
    }
  }

  Traffic traffic_;
  Random random_;
  Plan plan_;
  std::uint32_t pattern_ = 0, tags_ = 1;
  std::vector<std::vector<Group>> groups_;  // by node
  std::map<Key, Stream> streams_;
  std::vector<std::array<std::uint32_t, 32>> increments_;  // of the counters, by node
};

}  // namespace

Plan random_plan(const NicConfig& config, const Traffic& traffic) {
  return Generator(config, traffic).make();
}

std::vector<std::byte> content(const Message& message, std::size_t number) {
  Random random(number, 4711);
  std::vector<std::byte> bytes(message.bytes + 8);
  if (message.type == reg::Type::kFloat32) {
    for (std::size_t at = 0; at < message.bytes; at += 4) {
      // Small multiples of powers of two, whose sums depend on their order; now and then any bits.
      const auto mantissa = static_cast<float>(static_cast<int>(random.below(2001)) - 1000);
      float value = mantissa * static_cast<float>(1 << random.below(28));
      if (random.below(50) == 0) value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
      std::memcpy(&bytes[at], &value, 4);
    }
  } else {
    for (std::size_t at = 0; at < message.bytes; at += 8) {
      const std::uint64_t word = random();
      std::memcpy(&bytes[at], &word, 8);
    }
  }
  bytes.resize(message.bytes);
  return bytes;
}

std::vector<std::byte> initial_accumulator(const Message& receive) {
  Message filling;
  filling.bytes = receive.room;
  filling.type = receive.type;
  return content(filling, 1'000'000 + receive.target);
}

}  // namespace annelid::nic::fuzz
