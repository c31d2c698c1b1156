// What must hold when a receive is complete, and at the end of a run.
#include <gtest/gtest.h>

#include <algorithm>

#include "testbench/nic/fuzz/reference.hpp"
#include "testbench/nic/fuzz/world.hpp"

namespace annelid::nic::fuzz {

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
  if (!failed) expected = content_of(message);
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
      Message other = r;
      other.target = r.operand;
      const std::vector<std::byte> operand =
          accumulators.try_emplace(r.operand, initial_accumulator(other)).first->second;
      auto& target = accumulators.try_emplace(r.target, initial_accumulator(r)).first->second;
      const std::size_t message = message_of(number);
      if (fails(number, message)) continue;
      const std::vector<std::byte> content = content_of(message);
      // What lies behind the message's end stays.
      std::copy_n(operand.begin(), content.size(), target.begin());
      reference_combine(r.operation, r.type, r.message_left, target, content);
      ++counts_.combined;
      counts_.apart += r.operand != r.target;
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
      config.memory_flits != 0 || config.network.router.all_local_vcs() != 1) {
    return;
  }
  const auto arrival = monitor_.arrival(m.from, m.to, records_[message].sequence);
  const bool direct = record.complete == arrival.tail + 1 + config.gamma;
  EXPECT_TRUE(direct || (arrival.eager && record.complete > arrival.tail + 1 + config.gamma));
  if (arrival.eager) ++(direct ? counts_.eager_direct : counts_.eager_placed);
}

}  // namespace annelid::nic::fuzz
