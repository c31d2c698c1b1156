// Which packets hold the flits that wait.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "systemc/network/config.hpp"
#include "systemc/network/observer.hpp"

namespace annelid::waves {

/// Names, for each blocked flit, the packets in its way, as docs/internals/microarchitecture.md
/// (section 8) defines them. Unlike systemc::PacketTracker it forgets packets that have left, so
/// that a long waveform needs no more memory than a short one. It must be told of all nodes and
/// cycles. The order of the events of a cycle does not matter.
class WaveHolders {
 public:
  struct Packet {
    std::uint64_t head = 0;  ///< the data of its head flit
    bool control = false;    ///< a packet of the NICs' own protocol
    friend bool operator==(const Packet&, const Packet&) = default;
  };
  /// A flit that is blocked, and the packets in its way. They are none if its own flits ahead are
  /// in its way, or if their heads were never seen.
  using Tell = std::function<void(NodeId, Port in, Vc in_vc, std::span<const Packet> holders)>;

  explicit WaveHolders(const systemc::NetworkConfig& config);

  void packet(NodeId node, Port local, bool control) { packets_.push_back({node, local, control}); }
  void injected(NodeId node, Port local, const systemc::Flit& flit) {
    if (flit.head) injected_.push_back({node, local, flit});
  }
  void allocated(NodeId node, Port in, Vc in_vc, Port out, Vc out_vc) {
    allocated_.push_back({node, in, in_vc, out, out_vc, false});
  }
  void granted(NodeId node, Port in, Vc in_vc, Port out, const systemc::Flit& flit) {
    granted_.push_back({node, in, in_vc, out, flit.vc, flit.tail});
  }
  void moved(NodeId node, Port in, Vc in_vc, Port out, const systemc::Flit& flit) {
    if (!pipelined_) granted(node, in, in_vc, out, flit);
    if (flit.head) heads_.push_back({node, out, flit.vc});
  }
  void blocked(NodeId node, Port in, Vc in_vc, Port out, systemc::BlockCause cause) {
    blocked_.push_back({node, in, in_vc, out, cause});
  }
  /// Ends the cycle of these events. Calls `tell` for each blocked flit.
  void end_cycle(const Tell& tell);

 private:
  struct Announced {
    NodeId node;
    Port local;
    bool control;
  };
  struct Injected {
    NodeId node;
    Port local;
    systemc::Flit flit;
  };
  struct Switched {
    NodeId node;
    Port in;
    Vc in_vc;
    Port out;
    Vc out_vc;
    bool tail;
  };
  struct Head {
    NodeId node;
    Port out;
    Vc vc;
  };
  struct Blocked {
    NodeId node;
    Port in;
    Vc in_vc;
    Port out;
    systemc::BlockCause cause;
  };
  struct InputVc {
    std::vector<Packet> packets;  // from the front to the latest arrival
    bool active = false;          // the first packet holds an output VC
  };
  struct OutputVc {
    Packet packet;  // the last one that had it
    bool used = false, owned = false;
  };
  /// The packets that won ports of the switches in this cycle.
  struct Winners {
    std::vector<const Packet*> output, input;
  };

  [[nodiscard]] std::size_t port_index(NodeId node, Port port) const {
    return std::size_t{node} * ports_ + port;
  }
  [[nodiscard]] std::size_t vc_index(NodeId node, Port port, Vc vc) const {
    return port_index(node, port) * vcs_ + vc;
  }
  [[nodiscard]] const Packet* front(NodeId node, Port in, Vc vc) const;
  void set_winners(bool won);
  void find(const Blocked& event);
  void find_at_switch(const Blocked& event, bool active);
  void find_losers(const Blocked& event, bool at_output);
  void find_at_output(const Blocked& event, bool active);
  void enter(const Injected& event);
  void pass_heads();
  void send(const Switched& event);

  systemc::NetworkConfig config_;
  std::size_t ports_, vcs_;
  bool pipelined_;  // a flit is sent in the cycle after its grant
  std::vector<Announced> packets_;
  std::vector<Injected> injected_;
  std::vector<Switched> allocated_, granted_;
  std::vector<Head> heads_;
  std::vector<Blocked> blocked_;

  std::vector<InputVc> inputs_;
  std::vector<OutputVc> outputs_;
  std::vector<Packet> in_switch_;  // by output: the packet of the last granted flit
  Winners switch_, vc_;
  std::vector<Packet> holders_;  // of one event; a member so that its memory is reused
};

/// "?DarkCyan?2,0>5,3 #17", or for a control packet "?DarkCyan?control 2,0>5,3 #17". Several
/// packets are a list in the colour of the first one.
[[nodiscard]] std::string text_of(const systemc::RouterConfig& router,
                                  std::span<const WaveHolders::Packet> holders);

}  // namespace annelid::waves
