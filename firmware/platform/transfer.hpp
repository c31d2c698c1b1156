// A message in progress, from the view of a coroutine. A coroutine starts it, does other things,
// and awaits its completion.
#pragma once

#include <array>
#include <coroutine>
#include <cstdint>

#include "firmware/address.hpp"
#include "firmware/platform/stop.hpp"
#include "interface/registers.hpp"

namespace annelid::firmware {

class Context;
class Node;
class Recorder;
class Transfer;

/// A message's other end and its bytes in node memory. For a receive, `bytes` is the room. `step`
/// is a label for logs and reports. It does not change what is sent.
struct Message {
  Address peer;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t tag = 0;   // 16 bits; must agree at both ends
  std::uint32_t step = 0;  // from 1
};

/// What a send waits for and counts for: until the counter is at least the threshold it is held,
/// and its completion increments another one.
struct Hold {
  std::uint32_t trigger = reg::kNoCounter, threshold = 0, notify = reg::kNoCounter;
};

/// Further options of a send (docs/internals/nic/registers.md). Counters are those of
/// Context::counter().
struct SendOptions {
  std::uint32_t block = 0;   ///< bytes of a block, a multiple of 8; 0: the bytes are contiguous
  std::uint32_t stride = 0;  ///< bytes from block to block
  std::uint32_t port = reg::kPortByRoute;
  std::uint32_t trigger = reg::kNoCounter;  ///< held until this counter is at least the threshold
  std::uint32_t threshold = 0;
  std::uint32_t notify = reg::kNoCounter;  ///< incremented by the completion
};

/// A flag for a receive's tag. The receive is offered when all earlier receives in turn with this
/// tag have their messages (docs/internals/nic/messages.md).
inline constexpr std::uint32_t kTagInTurn = reg::kRecvTagInTurnField.in(1);

/// Further options of a receive.
struct ReceiveOptions {
  std::uint32_t combine = 0;  ///< combining(...), or 0: the message replaces what is there
  std::uint32_t stage = 0;    ///< offset of the staging area of a combining receive
  std::uint32_t operand = 0;  ///< of combining_apart(...): offset of the operand
  std::uint32_t notify = reg::kNoCounter;
};

/// ReceiveOptions::combine for `acc = acc op message`, or `acc = message op acc` with
/// `message_left` (docs/internals/nic/combining.md).
constexpr std::uint32_t combining(reg::Operator op, reg::Type type, bool message_left = false) {
  return reg::kRecvCombineOperatorField.in(static_cast<std::uint32_t>(op)) |
         reg::kRecvCombineTypeField.in(static_cast<std::uint32_t>(type)) |
         reg::kRecvCombineMessageLeftField.in(message_left ? 1 : 0);
}

/// ReceiveOptions::combine for `target = operand op message`, which leaves the operand as it is.
constexpr std::uint32_t combining_apart(reg::Operator op, reg::Type type,
                                        bool message_left = false) {
  return combining(op, type, message_left) | reg::kRecvCombineApartField.in(1);
}

/// A coroutine that waits for a number of transfers.
struct Join {
  std::coroutine_handle<> waiter;
  std::uint32_t outstanding;
};

enum class Direction : std::uint8_t { kSend, kReceive };

/// A send or a receive, from its descriptor to its completion. Construction queues it at the NIC.
/// While all places of its direction are taken, it waits in the node, in the order of construction.
/// Awaiting it gives the length of the message in bytes (0 for a send), at once if it is complete.
/// One coroutine may await it. The node keeps its address, so it cannot be moved. If it is
/// destroyed early, it is forgotten, but keeps its place until the NIC has completed it. A transfer
/// that fails completes with 0 bytes, and makes its call's result TRANSFER_FAILED; the schedule
/// continues, so that no peer waits for it.
class Transfer {
 public:
  Transfer(Context& context, Direction direction, const Message& m) {
    if (direction == Direction::kSend) {
      start_send(context, m.peer.word(), m.offset, m.bytes, m.tag, m.step);
    } else {
      start_receive(context, m.peer.word(), m.offset, m.bytes, m.tag, m.step);
    }
  }
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

  /// If this transfer is in progress, makes `join` wait for it too. Returns whether it is in
  /// progress. This replaces awaiting the transfer. The waiter tells the node about one of its
  /// transfers (Node::awaits).
  bool join(Join& join) {
    if (complete_) return false;
    join_ = &join;
    ++join.outstanding;
    return true;
  }

  // For the node.
  /// The NIC reports completion: resumes the coroutine that waits.
  inline void complete(std::uint32_t bytes, bool failed);
  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] bool awaited() const { return join_ != nullptr; }
  [[nodiscard]] Direction direction() const { return direction_; }
  [[nodiscard]] const Message& message() const { return message_; }
  [[nodiscard]] std::uint32_t algorithm() const;

 private:
  friend class Node;
  friend class Recorder;
  friend class TransferTable;
  static constexpr std::uint8_t kQueued = 0xFF;  // has no id yet

  /// What a recorder keeps of a transfer that nobody has awaited yet.
  struct Recorded {
    Transfer* before;  // in its list; next_ is behind
    std::uint16_t name, events;
    const void* strand;
  };

  /// For the node, which sets the members.
  Transfer() {}

  // The words of a plain transfer are passed in registers, so no Message is built in memory.
  void start_send(Context& context, std::uint32_t peer, std::uint32_t offset, std::uint32_t bytes,
                  std::uint32_t tag, std::uint32_t step);
  void start_receive(Context& context, std::uint32_t peer, std::uint32_t offset,
                     std::uint32_t bytes, std::uint32_t tag, std::uint32_t step);
  void set(Context& context, Direction direction, const Message& message, std::uint32_t id,
           bool special) {
    context_ = &context;
    join_ = nullptr;
    message_ = message;
    id_ = static_cast<std::uint8_t>(id);
    direction_ = direction;
    special_ = special;
    complete_ = false;
  }
  /// Sets what a plain send needs that has begun.
  void set_plain(Context& context, Address peer, std::uint32_t step, std::uint32_t id) {
    context_ = &context;
    join_ = nullptr;
    message_.peer = peer;
    message_.step = step;
    id_ = static_cast<std::uint8_t>(id);
    direction_ = Direction::kSend;
    special_ = complete_ = false;
  }
  void enqueue();
  void forget();

  // There are no initializers: only the members that are needed before the go are set before it.
  union {
    Context* context_;
  };
  union {
    Join* join_;
  };
  union {
    Message message_;
  };
  // Most transfers do not need these options.
  union {  // which one says direction_, if special_
    SendOptions send_;
    ReceiveOptions receive_;
    Recorded recorded_;
  };
  union {
    Join own_join_;  // if a coroutine awaits this transfer alone
  };
  union {
    Transfer* next_;       // of those that wait for a place, or are recorded
    std::uint32_t bytes_;  // once it is complete
  };
  union {
    std::uint8_t id_;
  };
  union {
    Direction direction_;
  };
  union {
    bool special_;
  };
  union {
    bool complete_;
  };
};

/// The ids of one direction, the transfers that have them, and the transfers that wait for one. The
/// NIC has one place per id, so a transfer that has an id has a place.
class TransferTable {
 public:
  static constexpr std::uint32_t kPlaces = 64;
  static_assert(kPlaces == reg::kSendPlaces && kPlaces == reg::kReceivePlaces);

  /// The ids are first_id .. first_id + kPlaces - 1. The two directions have different ids, so that
  /// the id in an error report names one transfer. first_id is a multiple of kPlaces.
  explicit TransferTable(std::uint32_t first_id) : first_id_(first_id) {}

  [[nodiscard]] bool full() const { return free_ == kNone; }
  [[nodiscard]] std::uint32_t in_use() const;
  /// Takes a free id and returns it. There must be one.
  std::uint32_t take(Transfer* transfer) {
    const std::uint32_t id = first_id_ + free_;
    take_next(*transfer);
    return id;
  }
  /// Returns the place that a new transfer may take at once, or kNone if there is none or other
  /// transfers are queued.
  [[nodiscard]] std::uint32_t next() const { return first_queued_ == nullptr ? free_ : kNone; }
  void take_next(Transfer& transfer) {
    const std::uint32_t place = free_;
    free_ = next_free_[place];
    next_free_[place] = kTaken;
    transfers_[place] = &transfer;
    if (place >= ever_used_) ever_used_ = static_cast<std::uint8_t>(place + 1);
  }
  static constexpr std::uint8_t kNone = 0xFF;
  /// Frees the id, and returns its transfer, or nullptr if the transfer was forgotten.
  Transfer* release(std::uint32_t id) {
    const std::uint32_t place = id % kPlaces;
    if (next_free_[place] != kTaken) [[unlikely]]
      stop("the NIC completed a transfer that is not under way");
    next_free_[place] = free_;
    free_ = static_cast<std::uint8_t>(place);
    Transfer* transfer = transfers_[place];
    return transfer == forgotten() ? nullptr : transfer;
  }
  void forget(std::uint32_t id);
  /// Returns a transfer that has an id and for which a coroutine waits, or nullptr if there is
  /// none.
  [[nodiscard]] Transfer* awaited();

  /// nullptr if a new transfer may take a place at once: none is queued, and the table is open.
  [[nodiscard]] Transfer* first_queued() const { return first_queued_; }
  [[nodiscard]] bool has_queued() { return first_queued_ != end(); }
  void enqueue(Transfer& transfer);
  void dequeue();
  void remove(const Transfer& transfer);

  /// While the table is closed, next() gives no place to any transfer: so each asks the node first.
  void close() {
    closed_ = true;
    *last_queued_ = end();
  }
  void open() {
    closed_ = false;
    *last_queued_ = end();
  }
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  static constexpr std::uint8_t kTaken = 0xFE;

  /// Marks a transfer that was destroyed before its completion. No transfer has this address.
  Transfer* forgotten() { return reinterpret_cast<Transfer*>(this); }
  /// What stands behind the last transfer that is queued. In a closed table it is no null pointer,
  /// because next() looks for one.
  Transfer* end() { return closed_ ? reinterpret_cast<Transfer*>(this) : nullptr; }
  using Places = std::array<std::uint8_t, kPlaces>;
  /// A constant to copy, so that the start of a node does not compute it.
  static const Places& in_order() {
    alignas(4) static constexpr Places kInOrder = [] {
      Places next{};
      for (std::uint32_t i = 0; i + 1 < kPlaces; ++i) next[i] = static_cast<std::uint8_t>(i + 1);
      next[kPlaces - 1] = kNone;
      return next;
    }();
    return kInOrder;
  }

  std::uint32_t first_id_;
  Transfer* first_queued_ = nullptr;
  Transfer** last_queued_ = &first_queued_;
  std::uint8_t free_ = 0;       // the first of the free places
  std::uint8_t ever_used_ = 0;  // from this place on all are free
  bool closed_ = false;
  alignas(4) Places next_free_ = in_order();  // after each of them; or kTaken
  std::array<Transfer*, kPlaces> transfers_;  // of the places that are taken
};

}  // namespace annelid::firmware
