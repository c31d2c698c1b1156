// Runs a plan on a network of NICs, and compares what comes out with a matching by lists: the k-th
// message of a (from, to, tag) belongs to the k-th receive of it, whatever happens on the way.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "nic/nic.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/nic/fuzz/counts.hpp"
#include "testbench/nic/fuzz/plan.hpp"
#include "testbench/nic/fuzz/wire_monitor.hpp"

namespace annelid::nic::fuzz {

class World : public NicObserver {
 public:
  World(Plan plan, const std::string& name);
  ~World() override;

  /// Runs to the end; every difference is a failure of the test.
  void run();

  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] systemc::Fabric& fabric() { return fabric_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  /// The cycle in which the receive's completion was taken, kNever before; quiet ones never are.
  [[nodiscard]] Cycle received_at(std::size_t message) const { return records_[message].taken; }

 private:
  class Worker;
  using Stream = std::tuple<NodeId, NodeId, std::uint16_t>;
  /// A (from, to, tag): messages in the order of their sends and of their receives.
  struct Lists {
    std::vector<std::size_t> sent, received;
  };
  struct Record {
    std::size_t rank = 0;                 ///< of its receive in the stream's list
    std::size_t sent_rank = 0;            ///< of its send
    bool send_taken = false;              ///< its send's completion
    bool sent = false, received = false;  ///< complete
    std::uint16_t sequence = 0;
    Cycle entered = kNever;   ///< its send's start-up
    Cycle posted = kNever;    ///< its receive's go
    Cycle complete = kNever;  ///< its receive
    Cycle taken = kNever;     ///< its receive's completion
  };

  // NicObserver.
  void send_posted(Cycle now, const MessageInfo& info) override;
  void matched(Cycle now, NodeId node, const MatchInfo& match) override;
  void send_completed(Cycle now, const MessageInfo& info) override;
  void received(Cycle now, const MessageInfo& info) override;
  void trapped(Cycle now, NodeId node, const Trap& trap) override;
  void failed(Cycle now, NodeId node, reg::ErrorCause cause, const std::string& text) override;

  static Stream stream_of(const Message& message) {
    return {message.from, message.to, message.tag};
  }
  /// What the message carries.
  [[nodiscard]] std::vector<std::byte> content_of(std::size_t number) const;
  void fill_sources();
  void post_send(Nic& nic, std::size_t number);
  void post_receive(Nic& nic, std::size_t number);
  void take(Nic& nic, std::uint32_t completion);
  /// The message that a receive got, kNone if there is none yet.
  [[nodiscard]] std::size_t message_of(std::size_t receive) const;
  [[nodiscard]] bool fails(std::size_t receive, std::size_t message) const;
  void expect_bytes(std::size_t receive);
  void expect_accumulators();
  void expect_counters();
  void expect_triggers_in_time();
  void expect_nothing_left();
  void count(std::size_t number);
  [[nodiscard]] bool finished() const;
  [[nodiscard]] std::string describe() const;

  Plan plan_;
  systemc::Fabric fabric_;
  systemc::Network network_;
  WireMonitor monitor_;
  std::vector<std::unique_ptr<Nic>> nics_;
  std::vector<Worker*> workers_;
  std::map<Stream, Lists> lists_;
  std::map<std::pair<NodeId, NodeId>, std::vector<std::size_t>> pairs_;  ///< by sequence number
  std::vector<Record> records_;                                          ///< by message
  std::vector<std::vector<std::size_t>> receive_gos_;                    ///< by node
  /// By node and tag: receives in turn that have no message yet, in the order of their posting.
  std::map<std::pair<NodeId, std::uint16_t>, std::deque<std::size_t>> turns_;
  /// By node and counter: the cycles of its increments.
  std::vector<std::array<std::vector<Cycle>, 32>> increments_;
  std::size_t sends_complete_ = 0, receives_complete_ = 0;
  Cycle progress_ = 0;  ///< when one was completed last
  std::map<NodeId, std::uint64_t> errors_;
  Counts counts_;
};

}  // namespace annelid::nic::fuzz
