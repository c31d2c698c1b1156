// The engine of one ejection port. It buffers flits, and consumes one per cycle
// (docs/internals/nic/engines.md). It waits for nothing but access to node memory.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "nic/match.hpp"
#include "nic/message_flow.hpp"
#include "nic/node_identity.hpp"
#include "systemc/network/link.hpp"

namespace annelid::nic {

class ReceiveEngine {
 public:
  struct Units {
    const NodeIdentity& self;
    Match& match;
    const PlaceTable<ReceivePlace>& receives;
    MessageFlow& flow;
    Errors& errors;
  };
  ReceiveEngine(const Units& units, Port local);

  void connect(systemc::LinkIf& router) { router_ = &router; }

  /// A flit is on the ejection channel in cycle `now`. It can be consumed from now + 1 on.
  void arrive(const systemc::Flit& flit, Cycle now);
  /// The parts of the NIC that a step concerns.
  enum Effect : std::uint8_t {  // bits
    kNone = 0,   ///< no other: a packet's head, or a flit that only goes to node memory
    kMatch = 1,  ///< a header: Match, and what it tells others
    kAny = 2,
  };
  /// Executes cycle `now`. `memory` says whether it may write node memory in this cycle.
  Effect step(Cycle now, bool memory);

  /// Whether there is a flit to consume in cycle `at`.
  [[nodiscard]] bool can_act(Cycle at) const { return candidates(at) != 0; }
  /// Whether a step in `at` would only consume a body flit, and the next steps as well while
  /// nothing but body flits of the same packet arrives.
  [[nodiscard]] bool streams(Cycle at) const;
  /// Whether it holds no flit.
  [[nodiscard]] bool empty() const { return filled_ == 0; }
  /// As systemc::StreamSink.
  [[nodiscard]] bool add_places(Vc vc, std::vector<std::uint64_t*>& places);
  void consume(Vc vc, std::span<const std::uint64_t> flits);
  /// Stores, in cycle `now`, the next flit of a combining receive. consume() has only kept a copy.
  void store_kept(Cycle now);
  /// Whether step(at) would write node memory.
  [[nodiscard]] bool needs_memory(Cycle at) const;
  [[nodiscard]] bool idle() const;
  /// As in NicEngines. If several packets are under way, the one on the lowest virtual channel
  /// counts.
  [[nodiscard]] std::string_view state() const;

 private:
  /// The packet that is under way on one virtual channel.
  struct Assembly {
    enum class Next : std::uint8_t { kHead, kHeader, kData, kDrop };
    Next next = Next::kHead;
    bool failed = false;  ///< its length differs from that in its header
    std::uint16_t tag = 0;
    NodeId source = 0;
    Place receive = kNoPlace;              ///< kNoPlace: it goes to the eager place
    std::uint32_t bytes = 0, arrived = 0;  ///< size of the message, bytes so far
  };
  /// The buffer of a virtual channel: a ring of places, whose number is a power of two.
  struct Buffer {
    std::uint8_t first = 0, count = 0;
  };
  /// The flit that is `i` places behind the oldest one of a virtual channel.
  [[nodiscard]] systemc::Flit& flit_at(Vc vc, unsigned i) {
    return flits_[(std::size_t{vc} << ring_bits_) + wrap(buffers_[vc].first + i)];
  }
  [[nodiscard]] const systemc::Flit& front(Vc vc) const {
    return flits_[(std::size_t{vc} << ring_bits_) + buffers_[vc].first];
  }
  [[nodiscard]] unsigned wrap(unsigned at) const { return at & ((1u << ring_bits_) - 1); }

  /// A bit for each virtual channel that has a flit to consume in cycle `at`.
  [[nodiscard]] unsigned candidates(Cycle at) const {
    const unsigned newest = newest_at_ < at ? 0 : newest_alone_;
    return filled_ & ~newest;
  }
  /// One of `vcs`, a bit for each, by the arbiter. There must be one.
  [[nodiscard]] Vc pick(unsigned vcs) const;
  [[nodiscard]] bool stores(const Assembly& packet) const;
  systemc::Flit pop(Vc vc);
  Effect take(Assembly& packet, const systemc::Flit& flit, Cycle now);
  [[nodiscard]] bool continues(const Assembly& packet, const systemc::Flit& flit) const;
  void head(Assembly& packet, const systemc::Flit& flit, Cycle now);
  Effect header(Assembly& packet, const systemc::Flit& flit, Cycle now);
  [[nodiscard]] const char* wrong_kind(const PacketHeader& fields, Vc vc) const;
  const char* begin(Assembly& packet, const PacketHeader& fields, bool tail, Cycle now);
  void data(Assembly& packet, const systemc::Flit& flit, Cycle now);
  void finish(Assembly& packet, Cycle now);
  void bad_packet(const Assembly& packet, const char* what, Cycle now) const;

  const NodeIdentity& self_;
  Match& match_;
  const PlaceTable<ReceivePlace>& receives_;
  MessageFlow& flow_;
  Errors& errors_;
  const Port local_;
  systemc::LinkIf* router_ = nullptr;
  const int ring_bits_;  ///< a buffer has 2^ring_bits_ places, D or more
  std::array<Buffer, kMaxVcs> buffers_;
  std::vector<systemc::Flit> flits_;  ///< the buffers' places, by virtual channel
  std::vector<Assembly> assemblies_;  ///< by virtual channel
  std::vector<std::uint64_t> kept_;   ///< of consume(), last flit first
  Vc kept_vc_ = 0;
  unsigned filled_ = 0;        ///< a bit for each virtual channel with a flit
  unsigned pointer_ = 0;       ///< of the round-robin arbiter over them
  Cycle newest_at_ = 0;        ///< cycle in which the newest flit was on the channel
  unsigned newest_alone_ = 0;  ///< the bit of its virtual channel, if that was empty before
};

}  // namespace annelid::nic
