#include "testbench/nic/fuzz/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace annelid::nic::fuzz {

/// A node's firmware: posts in the order of its plan, and takes completions as soon as it can.
class World::Worker : public Processor {
 public:
  Worker(World& world, Nic& nic, const NodePlan& plan)
      : world_(world), nic_(nic), sends_{plan.sends}, receives_{plan.receives} {
    sends_.arm(0);
    receives_.arm(0);
  }

  void step(Cycle now) override {
    // Errors that the plan makes are looked at in the end; they must not keep the node awake.
    if (now == 0) nic_.write(reg::kEventEnable, reg::kEventCompletion);
    now_ = now;
    while (const std::uint32_t completion = nic_.read(reg::kCompletion)) {
      world_.take(nic_, completion);
    }
    while (may(sends_, reg::kSendSpace, world_.counts_.sends_full)) {
      world_.post_send(nic_, sends_.pop(now));
    }
    while (may(receives_, reg::kRecvSpace, world_.counts_.receives_full)) {
      world_.post_receive(nic_, receives_.pop(now));
    }
  }
  [[nodiscard]] Next next(Cycle now) const override {
    // Without a place, or while it waits for another receive, a list is looked at in each cycle.
    return {std::max(std::min(sends_.due, receives_.due), now + 1), ~0U};
  }
  [[nodiscard]] std::string describe() const override { return "worker"; }
  [[nodiscard]] Cycle now() const { return now_; }
  [[nodiscard]] bool done() const { return sends_.empty() && receives_.empty(); }

 private:
  struct List {
    const std::vector<Order>& orders;
    std::size_t next = 0;
    Cycle due = kNever;

    [[nodiscard]] bool empty() const { return next == orders.size(); }
    void arm(Cycle now) { due = empty() ? kNever : now + orders[next].delay; }
    std::size_t pop(Cycle now) {
      const std::size_t message = orders[next++].message;
      arm(now);
      return message;
    }
  };

  bool may(const List& list, std::uint32_t space, std::uint64_t& full) {
    if (list.due > now_) return false;
    const Order& order = list.orders[list.next];
    if ((order.after != kNone && world_.records_[order.after].taken == kNever) ||
        (order.after_sent != kNone && !world_.records_[order.after_sent].send_taken)) {
      ++world_.counts_.waited;
      return false;
    }
    if (nic_.read(space) > 0) return true;
    ++full;
    return false;
  }

  World& world_;
  Nic& nic_;
  List sends_, receives_;
  Cycle now_ = 0;
};

World::World(Plan plan, const std::string& name)
    : plan_(std::move(plan)),
      fabric_((name + "_fabric").c_str()),
      network_((name + "_network").c_str(), fabric_, plan_.config.network),
      monitor_(plan_.config),
      records_(plan_.messages.size()),
      receive_gos_(plan_.nodes.size()),
      increments_(plan_.nodes.size()) {
  EXPECT_LE(plan_.messages.size(), 65536u) << "ids and sequence numbers have 16 bits";
  for (NodeId node = 0; node < plan_.nodes.size(); ++node) {
    nics_.push_back(std::make_unique<Nic>((name + "_nic_" + std::to_string(node)).c_str(),
                                          plan_.config, node, fabric_));
    Nic& nic = *nics_.back();
    for (int l = 0; l < plan_.config.network.router.local_ports; ++l) {
      const auto port = static_cast<std::size_t>(l);
      network_.attach(node, l, nic.to_router[port], nic.from_router[port]);
    }
    auto worker = std::make_unique<Worker>(*this, nic, plan_.nodes[node]);
    workers_.push_back(worker.get());
    nic.load(std::move(worker));
    nic.set_observers(this, &monitor_);
  }
  fabric_.set_observer(&monitor_);
  fill_sources();
}

World::~World() = default;

namespace {

/// Where byte `at` of a send's message lies.
std::uint64_t source_of(const Message& message, std::uint64_t at) {
  if (message.block == 0) return message.source + at;
  return message.source + at / message.block * message.stride + at % message.block;
}

}  // namespace

std::vector<std::byte> World::content_of(std::size_t number) const {
  while (plan_.messages[number].forwards != kNone) number = plan_.messages[number].forwards;
  return content(plan_.messages[number], number);
}

void World::fill_sources() {
  for (std::size_t number = 0; number < plan_.messages.size(); ++number) {
    const Message& message = plan_.messages[number];
    if (message.forwards != kNone) continue;
    const auto bytes = content_of(number);
    const std::size_t step = message.block == 0 ? bytes.size() : message.block;
    NodeMemory& memory = nics_[message.from]->memory();
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      memory.write(source_of(message, at),
                   std::span(bytes).subspan(at, std::min(step, bytes.size() - at)));
    }
    if (message.operation == reg::Operator::kNone) continue;
    for (const std::uint32_t place : {message.target, message.operand}) {
      Message held = message;
      held.target = place;
      nics_[message.to]->memory().write(place, initial_accumulator(held));
    }
  }
}

// ---- What workers do ----------------------------------------------------------------------------

void World::post_send(Nic& nic, std::size_t number) {
  const Message& m = plan_.messages[number];
  nic.write(reg::kSendDestination, pack(plan_.config.network.address(m.to)));
  nic.write(reg::kSendOffset, m.source);
  nic.write(reg::kSendBytes, m.bytes);
  nic.write(reg::kSendTag, m.tag);
  nic.write(reg::kSendPort, m.port);
  nic.write(reg::kSendBlock, m.block);
  nic.write(reg::kSendStride, m.stride);
  nic.write(reg::kSendStep, static_cast<std::uint32_t>(number + 1));
  nic.write(reg::kSendTrigger, m.trigger);
  nic.write(reg::kSendThreshold, m.threshold);
  nic.write(reg::kSendNotify, m.send_notify);
  nic.write(reg::kSendGo, static_cast<std::uint32_t>(number));
}

void World::post_receive(Nic& nic, std::size_t number) {
  const Message& m = plan_.messages[number];
  nic.write(reg::kRecvSource, pack(plan_.config.network.address(m.from)));
  nic.write(reg::kRecvOffset, m.target);
  nic.write(reg::kRecvBytes, m.room);
  nic.write(reg::kRecvTag, m.tag | (m.in_turn ? 1U << 16 : 0));
  const bool combining = m.operation != reg::Operator::kNone;
  nic.write(reg::kRecvCombine, combining ? static_cast<std::uint32_t>(m.operation) |
                                               static_cast<std::uint32_t>(m.type) << 4 |
                                               (m.message_left ? 0x100 : 0) |
                                               (m.operand != m.target ? 0x200 : 0)
                                         : 0);
  nic.write(reg::kRecvStage, m.stage);
  nic.write(reg::kRecvOperand, m.operand);
  nic.write(reg::kRecvNotify, m.receive_notify);
  if (m.in_turn) turns_[{m.to, m.tag}].push_back(number);  // it may be matched at once
  nic.write(reg::kRecvGo, static_cast<std::uint32_t>(number));
  if (combining) {
    for (const std::size_t other : receive_gos_[m.to]) {
      const Message& o = plan_.messages[other];
      if (o.operation != reg::Operator::kNone && o.target == m.target &&
          !records_[other].received) {
        ++counts_.chained;
        break;
      }
    }
  }
  Lists& lists = lists_[stream_of(m)];
  records_[number].rank = lists.received.size();
  records_[number].posted = workers_[m.to]->now();
  lists.received.push_back(number);
  receive_gos_[m.to].push_back(number);
}

void World::take(Nic& nic, std::uint32_t completion) {
  const std::size_t number = completion & 0xFFFF;
  ASSERT_LT(number, records_.size());
  const bool receive = (completion >> 30 & 1) != 0, failed = (completion >> 29 & 1) != 0;
  const Message& m = plan_.messages[number];
  ASSERT_EQ(receive ? m.to : m.from, nic.node());
  ASSERT_EQ((receive ? m.receive_notify : m.send_notify) & kQuiet, 0u);
  const std::uint32_t bytes = nic.read(reg::kCompletionBytes);
  if (receive) {
    ASSERT_EQ(records_[number].taken, kNever) << "a completion twice";
    records_[number].taken = workers_[m.to]->now();
    const std::size_t message = message_of(number);
    ASSERT_NE(message, kNone) << "received what was not sent";
    EXPECT_EQ(bytes, plan_.messages[message].bytes);
    EXPECT_EQ(failed, fails(number, message));
    if (m.operation == reg::Operator::kNone) expect_bytes(number);
    return;
  }
  EXPECT_FALSE(failed);
  EXPECT_EQ(bytes, m.bytes);
  EXPECT_TRUE(records_[number].sent);
  records_[number].send_taken = true;
  // Its bytes may be overwritten from now on.
  for (std::uint64_t at = 0; at < m.bytes; at += 8) {
    nic.memory().store(source_of(m, at), 0xDEADDEADDEADDEAD,
                       static_cast<std::uint32_t>(std::min<std::uint64_t>(8, m.bytes - at)));
  }
}

// ---- What NICs say ------------------------------------------------------------------------------

void World::send_posted(Cycle now, const MessageInfo& info) {
  ASSERT_GE(info.step, 1u);
  const std::size_t number = info.step - 1;
  const Message& m = plan_.messages.at(number);
  ASSERT_EQ(std::tie(m.from, m.to, m.tag, m.bytes),
            std::tie(info.source, info.destination, info.tag, info.bytes));
  Record& record = records_[number];
  ASSERT_EQ(record.entered, kNever) << "a send twice";
  record.entered = now;
  record.sequence = info.sequence;
  auto& pair = pairs_[{info.source, info.destination}];
  EXPECT_EQ(info.sequence, pair.size());
  Lists& lists = lists_[stream_of(m)];
  // Sends that wait for no counter enter in the order of their go.
  if (m.trigger == kNoCounter) {
    for (auto other = lists.sent.rbegin(); other != lists.sent.rend(); ++other) {
      if (plan_.messages[*other].trigger != kNoCounter) continue;
      EXPECT_LT(*other, number);
      break;
    }
  }
  record.sent_rank = lists.sent.size();
  lists.sent.push_back(number);
  pair.push_back(number);
  monitor_.posted(now, m.from, m.to, m.tag, m.bytes);
}

void World::send_completed(Cycle now, const MessageInfo& info) {
  const std::size_t number = info.step - 1;
  const Message& m = plan_.messages.at(number);
  EXPECT_FALSE(records_[number].sent) << "a send's completion twice";
  records_[number].sent = true;
  ++sends_complete_;
  progress_ = now;
  const std::uint32_t counter = m.send_notify & 0xFF;
  if (counter != kNoCounter) increments_[m.from][counter].push_back(now);
}

// Offers go in turn, so messages that take them come in turn; others may come before.
void World::matched(Cycle now, NodeId node, const MatchInfo& match) {
  using How = MatchInfo::How;
  if (match.how == How::kSendOffered || match.how == How::kSendEager) return;
  const auto found = turns_.find({node, match.tag});
  if (found == turns_.end()) return;
  auto& turns = found->second;
  const auto own = std::ranges::find_if(
      turns, [&](std::size_t receive) { return plan_.messages[receive].from == match.peer; });
  ASSERT_NE(own, turns.end()) << "node " << node << " cycle " << now;
  if (match.how == How::kReceiveData) {
    EXPECT_EQ(own, turns.begin()) << "node " << node << " tag " << match.tag << " cycle " << now
                                  << ": from node " << match.peer << " before node "
                                  << plan_.messages[turns.front()].from;
    ++counts_.in_turn;
  }
  turns.erase(own);
}

void World::received(Cycle now, const MessageInfo& info) {
  const auto& pair = pairs_[{info.source, info.destination}];
  ASSERT_LT(info.sequence, pair.size()) << "received what was not sent";
  const std::size_t number = pair[info.sequence];
  const Message& m = plan_.messages[number];
  EXPECT_EQ(std::tie(m.tag, m.bytes), std::tie(info.tag, info.bytes));
  const Lists& lists = lists_[stream_of(m)];
  const std::size_t rank = records_[number].sent_rank;
  ASSERT_LT(rank, lists.received.size()) << "received without a receive";
  Record& record = records_[lists.received[rank]];
  EXPECT_FALSE(record.received) << "a receive's completion twice";
  record.received = true;
  record.complete = now;
  ++receives_complete_;
  progress_ = now;
  const Message& receive = plan_.messages[lists.received[rank]];
  const std::uint32_t counter = receive.receive_notify & 0xFF;
  if (counter != kNoCounter) increments_[receive.to][counter].push_back(now);
}

void World::trapped(Cycle now, NodeId node, const Trap& trap) {
  ADD_FAILURE() << "node " << node << " trapped in cycle " << now << ", cause " << trap.cause;
}

void World::failed(Cycle now, NodeId node, reg::ErrorCause cause, const std::string& text) {
  if (cause != reg::ErrorCause::kTooLong && cause != reg::ErrorCause::kBadCombine) {
    ADD_FAILURE() << "node " << node << " in cycle " << now << ": " << text;
  }
  ++errors_[node];
}

// ---- The run ------------------------------------------------------------------------------------

bool World::finished() const {
  if (sends_complete_ < plan_.messages.size()) return false;
  for (const Worker* worker : workers_) {
    if (!worker->done()) return false;
  }
  return std::all_of(nics_.begin(), nics_.end(), [](const auto& nic) { return nic->idle(); });
}

std::string World::describe() const {
  std::ostringstream text;
  text << "cycle " << fabric_.now() << ", " << sends_complete_ << " sends and "
       << receives_complete_ << " receives of " << plan_.messages.size() << " complete\n";
  for (const auto& nic : nics_) {
    const Address a = nic->address();
    text << int{a.x} << ',' << int{a.y} << ',' << int{a.z} << ":\n" << nic->describe_wait();
  }
  return text.str();
}

void World::run() {
  constexpr Cycle kPatience = 250'000;  // longer than any delay of a plan
  const systemc::RunStatus status = fabric_.run_until(kNever, [this] {
    return ::testing::Test::HasFailure() || finished() || fabric_.now() > progress_ + kPatience;
  });
  ASSERT_FALSE(::testing::Test::HasFailure()) << "in cycle " << fabric_.now();
  ASSERT_TRUE(finished()) << to_string(status) << '\n' << describe();
  EXPECT_EQ(fabric_.run_until(kNever), systemc::RunStatus::kQuiet) << "something goes on";

  for (const auto& [stream, lists] : lists_) {
    ASSERT_EQ(lists.sent.size(), lists.received.size()) << "a message was lost";
  }
  for (std::size_t number = 0; number < plan_.messages.size(); ++number) {
    const Message& m = plan_.messages[number];
    const std::size_t message = message_of(number);
    ASSERT_TRUE(records_[number].received || fails(number, message));
    ASSERT_EQ(records_[number].taken == kNever, (m.receive_notify & kQuiet) != 0);
    if (m.operation == reg::Operator::kNone && !plan_.reused) expect_bytes(number);
    count(number);
  }
  expect_accumulators();
  expect_counters();
  expect_triggers_in_time();
  expect_nothing_left();
  counts_.wire = monitor_.counts();
}

}  // namespace annelid::nic::fuzz
