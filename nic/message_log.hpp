// A record of every message of a run, combined from the reports of its two NICs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nic/nic_observer.hpp"

namespace annelid::nic {

/// Cycles are kNever until the event has happened.
struct MessageRecord {
  MessageInfo info;         ///< with the sender's step
  Port local = 0;           ///< injection port
  Cycle posted = kNever;    ///< SEND_GO
  Cycle started = kNever;   ///< cycle with the head on the injection channel
  Cycle sent = kNever;      ///< cycle with the tail on the injection channel
  Cycle received = kNever;  ///< tail consumed, one cycle after it was on the ejection channel
  bool combined = false;    ///< its receive combined it
};

class MessageLog : public NicObserver {
 public:
  [[nodiscard]] bool takes_matches() const override { return false; }
  void send_posted(Cycle now, const MessageInfo& info) override;
  void send_started(Cycle now, const MessageInfo& info, Port local) override;
  void send_completed(Cycle now, const MessageInfo& info) override;
  void received(Cycle now, const MessageInfo& info) override;

  /// Sorted by source, destination, and the order of posting within the pair. So equal runs give
  /// equal records, whatever the order of calls.
  [[nodiscard]] std::vector<MessageRecord> records() const;
  [[nodiscard]] std::size_t size() const { return records_.size(); }
  /// The first message with a tag below `first` or above `last`; nullptr if there is none.
  [[nodiscard]] const MessageRecord* find_other_tag(std::uint64_t first, std::uint64_t last) const;

 private:
  /// The latest message of a pair with a sequence number. Both are the key.
  struct Latest {
    static constexpr std::size_t kNone = ~std::size_t{0};
    std::uint64_t key = 0;
    std::size_t place = kNone;  ///< in records_
  };
  MessageRecord& record(const MessageInfo& info);
  Latest& latest(std::uint64_t key);
  void grow();

  std::vector<MessageRecord> records_;
  /// A hash table with a power of two of places, at most half of them taken; a key is at the first
  /// free place from its own on. A sequence number repeats after 2^16 messages of a pair. By then
  /// its message was received long ago, as at most 64 are under way.
  std::vector<Latest> latest_;
};

}  // namespace annelid::nic
