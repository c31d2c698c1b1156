#include "testbench/nic/fuzz/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "testbench/nic/fuzz/reference.hpp"

namespace annelid::fuzz {

Counts& Counts::operator+=(const Counts& other) {
  const auto add = [](auto& to, const auto& from) { to += from; };
  add(wire.flits, other.wire.flits), add(wire.data, other.wire.data);
  add(wire.eager, other.wire.eager), add(wire.control, other.wire.control);
  add(wire.offers, other.wire.offers), add(wire.parks, other.wire.parks);
  add(wire.asks, other.wire.asks), add(wire.frees, other.wire.frees);
  add(wire.kept_hits, other.wire.kept_hits), add(wire.waiting_hits, other.wire.waiting_hits);
  add(wire.several, other.wire.several), add(wire.alternating, other.wire.alternating);
  add(messages, other.messages), add(flits, other.flits), add(own, other.own);
  add(strided, other.strided), add(triggered, other.triggered);
  add(explicit_port, other.explicit_port), add(quiet, other.quiet), add(empty, other.empty);
  add(longest, other.longest), add(combined, other.combined), add(chained, other.chained);
  add(failed, other.failed), add(eager_direct, other.eager_direct);
  add(eager_placed, other.eager_placed), add(sends_full, other.sends_full);
  add(receives_full, other.receives_full), add(unexpected, other.unexpected);
  return *this;
}

std::string to_string(const Counts& c) {
  std::ostringstream out;
  out << c.messages << " messages, " << c.flits << " flits (" << c.wire.flits
      << " on channels with control), " << c.own << " to the own node\n"
      << c.wire.data << " by offer (" << c.wire.kept_hits << " kept, " << c.wire.waiting_hits
      << " waiting), " << c.wire.eager << " eager (" << c.eager_direct << " seen direct, "
      << c.eager_placed << " placed)\n"
      << c.wire.control << " control: " << c.wire.offers << " offers, " << c.wire.parks
      << " parks, " << c.wire.asks << " asks, " << c.wire.frees << " frees, " << c.wire.several
      << " say several\n"
      << c.unexpected << " before their receive, " << c.triggered << " triggered, " << c.strided
      << " strided, " << c.explicit_port << " by explicit port, " << c.quiet << " quiet ends\n"
      << c.combined << " combined, " << c.chained << " of them behind another, " << c.failed
      << " failed, " << c.empty << " empty, " << c.longest << " of 64 KiB, " << c.wire.alternating
      << " alternations of virtual channels\n"
      << c.sends_full << " and " << c.receives_full << " times no place for a send, a receive\n";
  return out.str();
}

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
  [[nodiscard]] Cycle next(Cycle now, std::uint32_t pending_next) const override {
    if (pending_next != 0) return now + 1;
    // Without a place, or while it waits for another receive, a list is looked at in each cycle.
    return std::max(std::min(sends_.due, receives_.due), now + 1);
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
    const std::size_t after = list.orders[list.next].after;
    if (after != kNone && world_.records_[after].taken == kNever) return false;
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
      monitor_(plan_.config.network, plan_.config.eager_bytes),
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

/// What an accumulator holds at the start.
std::vector<std::byte> initial(const Message& receive) {
  Message filling{.bytes = receive.room, .type = receive.type};
  return content(filling, 1'000'000 + receive.target);
}

}  // namespace

void World::fill_sources() {
  for (std::size_t number = 0; number < plan_.messages.size(); ++number) {
    const Message& message = plan_.messages[number];
    const auto bytes = content(message, number);
    const std::size_t step = message.block == 0 ? bytes.size() : message.block;
    NodeMemory& memory = nics_[message.from]->memory();
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      memory.write(source_of(message, at),
                   std::span(bytes).subspan(at, std::min(step, bytes.size() - at)));
    }
    if (message.operation == reg::Operator::kNone) continue;
    nics_[message.to]->memory().write(message.target, initial(message));
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
  nic.write(reg::kRecvTag, m.tag);
  const bool combining = m.operation != reg::Operator::kNone;
  nic.write(reg::kRecvCombine, combining ? static_cast<std::uint32_t>(m.operation) |
                                               static_cast<std::uint32_t>(m.type) << 4 |
                                               (m.message_left ? 0x100 : 0)
                                         : 0);
  nic.write(reg::kRecvStage, m.stage);
  nic.write(reg::kRecvNotify, m.receive_notify);
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

// ---- What must hold -----------------------------------------------------------------------------

std::size_t World::message_of(std::size_t receive) const {
  const Lists& lists = lists_.at(stream_of(plan_.messages[receive]));
  const std::size_t rank = records_[receive].rank;
  return rank < lists.sent.size() ? lists.sent[rank] : kNone;
}

bool World::fails(std::size_t receive, std::size_t message) const {
  const Message& r = plan_.messages[receive];
  const std::uint32_t bytes = plan_.messages[message].bytes;
  if (bytes > r.room) return true;
  return r.operation != reg::Operator::kNone && bytes % (r.type == reg::Type::kInt64 ? 8 : 4) != 0;
}

void World::expect_bytes(std::size_t receive) {
  const Message& r = plan_.messages[receive];
  const std::size_t message = message_of(receive);
  const bool failed = fails(receive, message);
  std::vector<std::byte> expected;
  if (!failed) expected = content(plan_.messages[message], message);
  expected.resize(std::min<std::size_t>(r.room, expected.size() + 16));  // what must stay 0
  std::vector<std::byte> found(expected.size());
  nics_[r.to]->memory().read(r.target, found);
  const auto at = std::mismatch(found.begin(), found.end(), expected.begin()).first;
  EXPECT_EQ(at, found.end()) << "receive " << receive << " of message " << message << " from "
                             << r.from << " to " << r.to << " tag " << r.tag << ", byte "
                             << at - found.begin() << " of " << plan_.messages[message].bytes;
  EXPECT_EQ(nics_[r.to]->memory().load(r.target + r.room, 1), 0u) << "behind the room";
}

void World::expect_accumulators() {
  for (NodeId node = 0; node < plan_.nodes.size(); ++node) {
    std::map<std::uint32_t, std::vector<std::byte>> accumulators;  // by offset
    for (const std::size_t number : receive_gos_[node]) {
      const Message& r = plan_.messages[number];
      if (r.operation == reg::Operator::kNone) continue;
      auto& accumulator = accumulators.try_emplace(r.target, initial(r)).first->second;
      const std::size_t message = message_of(number);
      if (fails(number, message)) continue;
      reference_combine(r.operation, r.type, r.message_left, accumulator,
                        content(plan_.messages[message], message));
      ++counts_.combined;
    }
    for (const auto& [offset, expected] : accumulators) {
      std::vector<std::byte> found(expected.size());
      nics_[node]->memory().read(offset, found);
      EXPECT_TRUE(found == expected) << "accumulator " << offset << " of node " << node;
    }
  }
}

/// Also of failed receives, which nobody is told of.
void World::expect_counters() {
  for (NodeId node = 0; node < plan_.nodes.size(); ++node) {
    std::array<std::uint32_t, 256> expected{};
    for (const Message& m : plan_.messages) {
      if (m.from == node) ++expected[m.send_notify & 0xFF];
      if (m.to == node) ++expected[m.receive_notify & 0xFF];
    }
    for (std::uint32_t counter = 0; counter < 32; ++counter) {
      EXPECT_EQ(nics_[node]->read(reg::kCounter + 4 * counter), expected[counter])
          << "counter " << counter << " of node " << node;
    }
  }
}

void World::expect_triggers_in_time() {
  for (const Message& m : plan_.messages) {
    if (m.trigger == kNoCounter) continue;
    const auto number = static_cast<std::size_t>(&m - plan_.messages.data());
    const auto& cycles = increments_[m.from][m.trigger];
    auto reached =
        static_cast<std::uint64_t>(std::count_if(cycles.begin(), cycles.end(), [&](Cycle cycle) {
          return cycle < records_[number].entered;
        }));
    for (const std::size_t receive : receive_gos_[m.from]) {  // failed ones might have counted
      reached += (plan_.messages[receive].receive_notify & 0xFF) == m.trigger &&
                 fails(receive, message_of(receive));
    }
    EXPECT_GE(reached, m.threshold) << "message " << number << " was fired too early";
    ++counts_.triggered;
  }
}

void World::expect_nothing_left() {
  EXPECT_EQ(fabric_.flits_in_flight(), 0u);
  for (NodeId node = 0; node < nics_.size(); ++node) {
    Nic& nic = *nics_[node];
    EXPECT_TRUE(nic.idle()) << nic.describe_wait();
    EXPECT_EQ(nic.read(reg::kCompletion), 0u);
    EXPECT_EQ(nic.read(reg::kSendSpace), 64u);
    EXPECT_EQ(nic.read(reg::kRecvSpace), 64u);
    std::uint64_t failures = 0;
    for (const std::size_t receive : receive_gos_[node]) {
      failures += fails(receive, message_of(receive));
    }
    EXPECT_EQ(errors_[node], failures);
    EXPECT_EQ(nic.read(reg::kError) != 0, failures > 0);
    EXPECT_EQ(nic.read(reg::kEvent), failures > 0 ? reg::kEventError : 0u);
    counts_.failed += failures;
  }
  monitor_.expect_all_over();
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
  // Longer than any delay of a plan, and than a backlog of combining that keeps limited memory
  // busy: then nothing will ever happen again.
  constexpr Cycle kPatience = 250'000;
  fabric_.set_stall_limit(kPatience);
  const RunStatus status = fabric_.run_until(kNever, [this] {
    return ::testing::Test::HasFailure() || finished() || fabric_.now() > progress_ + kPatience;
  });
  ASSERT_FALSE(::testing::Test::HasFailure()) << "in cycle " << fabric_.now();
  ASSERT_TRUE(finished()) << to_string(status) << '\n' << describe();
  EXPECT_EQ(fabric_.run_until(kNever), RunStatus::kQuiet) << "something goes on";

  for (const auto& [stream, lists] : lists_) {
    ASSERT_EQ(lists.sent.size(), lists.received.size()) << "a message was lost";
  }
  for (std::size_t number = 0; number < plan_.messages.size(); ++number) {
    const Message& m = plan_.messages[number];
    const std::size_t message = message_of(number);
    ASSERT_TRUE(records_[number].received || fails(number, message));
    ASSERT_EQ(records_[number].taken == kNever, (m.receive_notify & kQuiet) != 0);
    if (m.operation == reg::Operator::kNone) expect_bytes(number);
    count(number);
  }
  expect_accumulators();
  expect_counters();
  expect_triggers_in_time();
  expect_nothing_left();
  counts_.wire = monitor_.counts();
}

void World::count(std::size_t number) {
  const Message& m = plan_.messages[number];
  const std::size_t message = message_of(number);
  const Record& record = records_[number];
  ++counts_.messages;
  counts_.flits += flits_of(m.bytes);
  counts_.own += m.from == m.to;
  counts_.strided += m.block != 0 && m.bytes > m.block;
  counts_.explicit_port += m.port != 0xFF;
  counts_.quiet += (m.send_notify & kQuiet) != 0;
  counts_.quiet += (m.receive_notify & kQuiet) != 0;
  counts_.empty += m.bytes == 0;
  counts_.longest += m.bytes > 65000;
  counts_.unexpected += records_[message].entered < record.posted;
  // Where nothing delays a flit at the receiver, a message that goes to its receive directly is
  // complete in the cycle after its tail was on the channel.
  const NicConfig& config = plan_.config;
  if (m.from == m.to || m.operation != reg::Operator::kNone || !record.received ||
      config.gamma != 0 || config.memory_flits != 0 || config.network.router.local_vcs != 1) {
    return;
  }
  const auto arrival = monitor_.arrival(m.from, m.to, records_[message].sequence);
  if (arrival.eager)
    ++(record.complete == arrival.tail + 1 ? counts_.eager_direct : counts_.eager_placed);
  else
    EXPECT_EQ(record.complete, arrival.tail + 1);
}

}  // namespace annelid::fuzz
