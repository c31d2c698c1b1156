// End-to-end check of a network from its events alone. It knows nothing of routers, credits or
// VC allocation; it computes each packet's path itself.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "systemc/network/config.hpp"
#include "systemc/network/observer.hpp"

namespace annelid::systemc {

/// Checks that every packet crosses exactly the channels of its path (of an ideal
/// network, the ejection channel alone), on VCs of its class and kind, at most one flit
/// is on a channel in a cycle, packets never interleave within a VC of a channel, and the flits
/// that come out are those that went in, in order and at the right port. The first violations are
/// kept as text.
class Scoreboard final : public FabricObserver {
 public:
  explicit Scoreboard(const NetworkConfig& config) : config_(config) {}

  void injected(Cycle, NodeId, Port local, const Flit&) override;
  void moved(Cycle, NodeId, Port in, Vc in_vc, Port out, const Flit&) override;

  /// All packets have come out; call it when the network is empty.
  void expect_empty();

  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }
  [[nodiscard]] std::uint64_t packets_delivered() const { return delivered_; }
  [[nodiscard]] std::uint64_t flits_delivered() const { return flits_delivered_; }

 private:
  using Channel = std::tuple<NodeId, Port, bool>;  // sender, its port, whether the NIC sends
  using Lane = std::tuple<NodeId, Port, bool, Vc>;
  struct Step {  // an output, and the VCs that a packet may take there
    NodeId node;
    Port out;
    int first_vc, last_vc;
  };
  struct Packet {
    std::vector<std::uint64_t> data;  // as injected
    std::size_t ejected = 0;
    std::vector<Step> path;
    std::size_t crossed = 0;  // by the head
  };

  void fail(Cycle cycle, NodeId node, const std::string& what);
  void use_channel(Cycle cycle, const Channel& channel);
  [[nodiscard]] std::vector<Step> path_of(const HeadFields& head, int local, bool control);
  void set_classes(std::vector<Step>& path, std::size_t first, std::size_t wrap,
                   bool control) const;

  NetworkConfig config_;
  std::map<std::uint64_t, std::deque<Packet>> packets_;  // under way, by head data, oldest first
  std::map<Lane, Packet*> open_;  // whose head has crossed this VC of a channel, but not the tail
  std::map<Channel, Cycle> last_used_;
  std::vector<std::string> violations_;
  std::uint64_t delivered_ = 0, flits_delivered_ = 0;
};

}  // namespace annelid::systemc
