// Records what a process does in a call, as a list of descriptors (docs/internals/nic/lists.md).
#pragma once

#include <array>
#include <cstdint>

#include "firmware/platform/node.hpp"

namespace annelid::firmware {

/// Runs the tasks of a call without the NIC. Each transfer that they make becomes a descriptor, and
/// is complete as soon as a task awaits it. A transfer depends on all that its strand had awaited
/// before. A strand is a task that start() has run beside others, with the tasks that it awaits. So
/// the list keeps the order that the tasks keep, and no other.
///
/// While it records, the node's tables are closed (TransferTable), so that each transfer comes
/// here.
class Recorder : private Recording {
 public:
  /// The list is written at `offset` of node memory, a multiple of 8, where there are `room` bytes.
  Recorder(Node& node, std::uint32_t offset, std::uint32_t room);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Records the call whose words and group `me` has. Gives the result of the call, or
  /// DOES_NOT_FIT if it waits for what a list does not know: counters. No other coroutine of the
  /// node may be ready to run.
  reg::CallResult record(Context& me, Node::Serve serve);

  /// The bytes of the list. It is in node memory only if it fits there.
  [[nodiscard]] std::uint32_t bytes() const {
    return (receives_ + sends_) * reg::kListDescriptorBytes;
  }
  [[nodiscard]] bool fits() const {
    return bytes() <= room_ && receives_ <= reg::kMaxListTransfers &&
           sends_ <= reg::kMaxListTransfers;
  }
  /// LIST_COUNTS.
  [[nodiscard]] std::uint32_t counts() const {
    return reg::kListCountsReceivesField.in(receives_) | reg::kListCountsSendsField.in(sends_);
  }

 private:
  static constexpr std::uint32_t kStrands = 8;   // at a time
  static constexpr std::uint32_t kMembers = 12;  // of a frontier
  static constexpr std::uint32_t kDependencies = 3;

  /// A transfer that a strand has awaited, as descriptors name it, and the strand's count of events
  /// when it was added.
  struct Member {
    std::uint16_t transfer, since;
  };
  struct Strand {
    Task::promise_type* top = nullptr;  // nullptr: there is no such strand
    Transfer* waits = nullptr;          // for which its innermost task waits
    std::uint16_t events = 0;           // transfers that were added
    std::uint16_t forked = 0;           // events of the strand that started it, at the start
    std::uint32_t count = 0;
    /// What was awaited, without what these members depend on themselves. The oldest is first.
    std::array<Member, kMembers> members{};

    [[nodiscard]] bool has(std::uint16_t transfer) const;
    void drop(std::uint32_t i);
  };
  struct Descriptor {
    std::array<std::uint32_t, reg::kListDescriptorBytes / 4> words{};
  };

  // What happens in the tasks.
  void made(Transfer& transfer);
  void forgotten(const Transfer& transfer);
  void started(Task::Handle task);
  void joined(Task::Handle task);

  void play(Task::Handle call);
  void resume(Task::promise_type& task, Strand& strand);
  void complete_awaited(Strand& strand);
  void observe(Strand& strand, Transfer& transfer);
  void add(Strand& strand, std::uint16_t transfer);
  void join_oldest(Strand& strand);
  [[nodiscard]] Strand& strand_of(Task::promise_type& task);
  [[nodiscard]] Strand* next_strand();
  std::uint16_t write_send(Descriptor& descriptor, const Strand& strand, std::uint32_t members);
  std::uint16_t write_receive(Descriptor& descriptor, const Strand& strand);
  static void put_dependencies(Descriptor& descriptor, const Strand& strand, std::uint32_t members);
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] std::uint32_t send_place(std::uint32_t i) const;
  void write(std::uint32_t at, const Descriptor& descriptor) const;
  [[nodiscard]] Descriptor read(std::uint32_t at) const;
  void order();

  Node& node_;
  std::uint32_t offset_, room_;
  std::uint32_t receives_ = 0, sends_ = 0;
  bool recordable_ = true;
  Transfer* first_ = nullptr;  // of the transfers that nobody has awaited yet
  Transfer* last_ = nullptr;
  Strand* current_ = nullptr;
  std::array<Strand, kStrands> strands_{};
};

}  // namespace annelid::firmware
