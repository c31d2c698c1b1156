// The completion queue (docs/nic.md, section 3).
#pragma once

#include <array>
#include <bit>
#include <optional>

#include "nic/fifo.hpp"
#include "nic_registers.hpp"
#include "systemc/types.hpp"

namespace annelid {

struct Completion {
  bool receive = false;
  std::uint16_t id = 0;
  std::uint32_t bytes = 0;  ///< of the message
};

/// Engines add what they completed in a cycle, in any order; commit() queues it in the order of the
/// documentation. A send or receive is under way from its start until its completion is taken,
/// which bounds the queue.
class CompletionQueue {
 public:
  /// An engine: 0..L-1 by port, kOwnNode for the delivery to the own node.
  static constexpr unsigned kOwnNode = kMaxLocalPorts;

  void start(bool receive) { --space(receive); }
  [[nodiscard]] std::uint32_t send_space() const { return send_space_; }
  [[nodiscard]] std::uint32_t receive_space() const { return receive_space_; }

  void add(unsigned engine, const Completion& completion) {
    const unsigned place = completion.receive ? engine : kEngines + engine;
    added_[place] = completion;
    added_mask_ |= 1u << place;
  }
  void commit() {
    for (; added_mask_ != 0; added_mask_ &= added_mask_ - 1) {
      queue_.push(added_[static_cast<unsigned>(std::countr_zero(added_mask_))]);
    }
  }

  [[nodiscard]] bool empty() const { return queue_.empty(); }
  [[nodiscard]] std::size_t size() const { return queue_.size(); }
  std::optional<Completion> take() {
    if (queue_.empty()) return std::nullopt;
    const Completion oldest = queue_.pop();
    ++space(oldest.receive);
    return oldest;
  }

 private:
  static constexpr unsigned kEngines = kMaxLocalPorts + 1;

  std::uint32_t& space(bool receive) { return receive ? receive_space_ : send_space_; }

  std::uint32_t send_space_ = reg::kSendPlaces, receive_space_ = reg::kReceivePlaces;
  std::array<Completion, std::size_t{2} * kEngines> added_;  ///< receives by engine, then sends
  unsigned added_mask_ = 0;
  Fifo<Completion> queue_;
};

}  // namespace annelid
