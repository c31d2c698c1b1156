// One message under way, as a coroutine sees it: start it, do other things, await its completion.
#pragma once

#include <array>
#include <coroutine>
#include <cstdint>

#include "firmware/address.hpp"
#include "firmware/platform/stop.hpp"
#include "nic_registers.hpp"

namespace annelid::firmware {

class Context;
class Node;
class Transfer;

/// A message's other end and its bytes in node memory. `bytes` of a receive is the room, and `step`
/// is a label for logs and reports; neither changes what is sent.
struct Message {
  Address peer;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t tag = 0;   // 16 bits; must agree at both ends
  std::uint32_t step = 0;  // from 1
};

/// What a send can do besides (docs/nic.md, section 3). Counters are those of Context::counter().
struct SendOptions {
  std::uint32_t block = 0;   ///< bytes of a block, a multiple of 8; 0: the bytes are contiguous
  std::uint32_t stride = 0;  ///< bytes from block to block
  std::uint32_t port = reg::kPortByRoute;
  std::uint32_t trigger = reg::kNoCounter;  ///< held until this counter is at least the threshold
  std::uint32_t threshold = 0;
  std::uint32_t notify = reg::kNoCounter;  ///< incremented by the completion
};

/// What a receive can do besides.
struct ReceiveOptions {
  std::uint32_t combine = 0;  ///< combining(...), or 0: the message replaces what is there
  std::uint32_t stage = 0;    ///< offset of the staging area of a combining receive
  std::uint32_t notify = reg::kNoCounter;
};

/// A combining receive's `acc = acc op message`, or `acc = message op acc` (docs/nic.md, section
/// 5).
constexpr std::uint32_t combining(reg::Operator op, reg::Type type, bool message_left = false) {
  return reg::kRecvCombineOperatorField.in(static_cast<std::uint32_t>(op)) |
         reg::kRecvCombineTypeField.in(static_cast<std::uint32_t>(type)) |
         reg::kRecvCombineMessageLeftField.in(message_left ? 1 : 0);
}

/// Who waits for how many transfers.
struct Join {
  std::coroutine_handle<> waiter;
  std::uint32_t outstanding;
};

enum class Direction : std::uint8_t { kSend, kReceive };

/// A send or a receive, from its descriptor to its completion. Construction queues it at the NIC,
/// or, while all places of its direction are taken, in the node, in the order of construction.
/// Awaiting it gives the length of the message in bytes (0 for a send), at once if it is complete;
/// one coroutine may await it. The node keeps its address, so it cannot be moved; destroyed early,
/// it is forgotten but keeps its place until the NIC has completed it. One that fails completes
/// with 0 bytes, and makes its call's result TRANSFER_FAILED; the schedule goes on, so that no peer
/// waits for it.
class Transfer {
 public:
  Transfer(Context& context, Direction direction, const Message& message);
  Transfer(Context& context, const Message& message, const SendOptions& options);
  Transfer(Context& context, const Message& message, const ReceiveOptions& options);
  ~Transfer() {
    if (!complete_) forget();
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  [[nodiscard]] bool await_ready() const { return complete_; }
  void await_suspend(std::coroutine_handle<> waiter);
  std::uint32_t await_resume() const { return bytes_; }

  /// Makes `join` wait for this transfer too, if it is under way. Instead of awaiting it.
  void join(Join& join);

  // For the node.
  /// The NIC reports completion: resumes the coroutine that waits.
  void complete(std::uint32_t bytes, bool failed);
  [[nodiscard]] bool awaited() const { return join_ != nullptr; }
  [[nodiscard]] Direction direction() const { return direction_; }
  [[nodiscard]] const Message& message() const { return message_; }
  [[nodiscard]] std::uint32_t algorithm() const;

 private:
  friend class Node;
  friend class TransferTable;
  static constexpr std::uint16_t kQueued = 0xFFFF;  // has no id yet

  void forget();

  Context& context_;
  Join* join_ = nullptr;
  Message message_;
  // What most transfers do not need is not initialized.
  union {  // which one says direction_, if special_
    SendOptions send_;
    ReceiveOptions receive_;
  };
  union {
    Join own_join_;  // if a coroutine awaits this transfer alone
  };
  union {
    Transfer* next_;  // of those that wait for a place
  };
  std::uint32_t bytes_ = 0;
  std::uint16_t id_ = kQueued;
  Direction direction_;
  bool special_;
  bool complete_ = false;
};

/// The ids of one direction and the transfers that they belong to, and those that wait for an id.
/// The NIC has one place per id: having an id means having a place.
class TransferTable {
 public:
  static constexpr std::uint32_t kPlaces = 64;
  static_assert(kPlaces == reg::kSendPlaces && kPlaces == reg::kReceivePlaces);

  /// Ids are first_id .. first_id + kPlaces - 1: those of the directions differ, so that an error
  /// report's id names one transfer.
  explicit TransferTable(std::uint32_t first_id) : first_id_(first_id) {}

  [[nodiscard]] bool full() const { return in_use_ == kPlaces; }
  [[nodiscard]] std::uint32_t in_use() const { return in_use_; }
  /// An id that is not in use; there is one.
  std::uint32_t take(Transfer* transfer) {
    const std::uint32_t released = ever_used_ - in_use_++;
    const std::uint32_t place = released != 0 ? released_[released - 1] : ever_used_++;
    transfers_[place] = transfer;
    return first_id_ + place;
  }
  /// The id's transfer, nullptr if it was forgotten; the id is free again.
  Transfer* release(std::uint32_t id) {
    const std::uint32_t place = id - first_id_;
    if (place >= ever_used_ || transfers_[place] == nullptr) {
      stop("the NIC completed a transfer that is not under way");
    }
    Transfer* transfer = transfers_[place];
    transfers_[place] = nullptr;
    released_[ever_used_ - in_use_--] = static_cast<std::uint8_t>(place);
    return transfer == forgotten() ? nullptr : transfer;
  }
  void forget(std::uint32_t id);
  /// A transfer with an id that a coroutine waits for, nullptr if there is none.
  [[nodiscard]] Transfer* awaited();

  [[nodiscard]] Transfer* first_queued() const { return first_queued_; }
  void enqueue(Transfer& transfer);
  void dequeue();
  void remove(const Transfer& transfer);

 private:
  /// Stands for a transfer that was destroyed before its completion; no transfer has this address.
  Transfer* forgotten() { return reinterpret_cast<Transfer*>(this); }

  std::uint32_t first_id_;
  std::uint32_t ever_used_ = 0, in_use_ = 0;    // ids
  std::array<Transfer*, kPlaces> transfers_;    // of ids that were used ever; nullptr: not now
  std::array<std::uint8_t, kPlaces> released_;  // as many as were used and are not now
  Transfer* first_queued_ = nullptr;
  Transfer** last_queued_ = &first_queued_;
};

}  // namespace annelid::firmware
