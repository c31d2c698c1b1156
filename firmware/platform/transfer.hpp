// One message under way, as a coroutine sees it: start it, do other things, await its completion.
#pragma once

#include <array>
#include <coroutine>
#include <cstdint>

#include "firmware/address.hpp"
#include "nic_registers.hpp"

namespace annelid::firmware {

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

/// A send or a receive, from its descriptor to its completion. Construction queues it at the NIC;
/// at most kPlaces of each direction are under way in one node, one more stops the firmware.
/// Awaiting it gives the length of the message in bytes (0 for a send), at once if it is complete;
/// one coroutine may await it. The node keeps its address, so it cannot be moved; destroyed early,
/// it is forgotten but keeps its place until the NIC has completed it.
class Transfer {
 public:
  using Direction = reg::AwaitWhat;  // kReceive or kSend

  Transfer(Node& node, Direction direction, const Message& message);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  [[nodiscard]] bool await_ready() const { return complete_; }
  void await_suspend(std::coroutine_handle<> waiter);
  std::uint32_t await_resume();

  /// Called by the node when the NIC reports completion; resumes the coroutine that waits.
  void complete(std::uint32_t bytes);

 private:
  Node& node_;
  Direction direction_;
  bool complete_ = false;
  std::uint32_t bytes_ = 0;
  std::uint32_t id_;
  std::uint32_t step_;
  Address peer_;
  std::coroutine_handle<> waiter_;
};

/// The ids of one direction and the transfers that they belong to. The NIC has one place per id, so
/// having an id means having a place, and SEND_SPACE and RECV_SPACE need not be asked.
class TransferTable {
 public:
  static constexpr std::size_t kPlaces = 64;
  static_assert(kPlaces == reg::kSendPlaces && kPlaces == reg::kReceivePlaces);

  TransferTable();
  /// An id that is not in use; stops the firmware if there is none.
  std::uint32_t take(Transfer* transfer);
  /// The id's transfer, nullptr if it was forgotten; the id is free again.
  Transfer* release(std::uint32_t id);
  void forget(std::uint32_t id);
  [[nodiscard]] std::size_t in_use() const { return kPlaces - free_count_; }

 private:
  struct Place {
    Transfer* transfer = nullptr;
    bool used = false;
  };
  std::array<Place, kPlaces> places_{};
  std::array<std::uint8_t, kPlaces> free_;  // the first free_count_ entries are free ids
  std::size_t free_count_ = kPlaces;
};

}  // namespace annelid::firmware
