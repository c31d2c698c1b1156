// The engine of one ejection port: takes one flit per cycle, always, and so never holds the
// network.
#pragma once

#include <array>

#include "nic/shared.hpp"
#include "systemc/link.hpp"

namespace annelid {

class ReceiveEngine {
 public:
  ReceiveEngine(Shared& shared, Port local) : shared_(shared), local_(local) {}

  void connect(LinkIf& router) { router_ = &router; }

  /// The flit is on the ejection channel in cycle `now`; step(now + 1) consumes it.
  void arrive(const Flit& flit, Cycle now) { arrived_[now & 1] = {true, flit}; }
  void step(Cycle now);

  /// Whether step(at) finds a flit, asked in cycle at - 1.
  [[nodiscard]] bool can_act(Cycle at) const { return arrived_[(at + 1) & 1].valid; }

 private:
  /// The packet that is under way on one virtual channel.
  struct Assembly {
    enum class Next : std::uint8_t { kHead, kHeader, kData };
    Next next = Next::kHead;
    NodeId source = 0;
    std::uint16_t tag = 0;
    SlotNumber slot = 0;
    std::uint32_t offset = 0, left = 0;  ///< of the bytes to come
  };

  void head(Assembly& packet, const Flit& flit, Cycle now);
  void header(Assembly& packet, const Flit& flit, Cycle now);
  void data(Assembly& packet, const Flit& flit, Cycle now);
  void finish(Assembly& packet, Cycle now);
  void bad_packet(const Assembly& packet, const Fault& fault, Cycle now);

  Shared& shared_;
  const Port local_;
  LinkIf* router_ = nullptr;
  struct Arrival {
    bool valid = false;
    Flit flit;
  };
  std::array<Arrival, 2> arrived_;  ///< by the parity of the cycle of arrival
  std::array<Assembly, kMaxVcs> assemblies_;
};

}  // namespace annelid
