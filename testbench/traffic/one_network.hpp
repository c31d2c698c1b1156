// A network with sources and sinks, for tests. One per process: SystemC elaborates once.
#pragma once

#include <vector>

#include "systemc/modules/network.hpp"
#include "traffic/endpoints.hpp"
#include "traffic/open_loop.hpp"
#include "traffic/synthetic.hpp"

namespace annelid::traffic {

/// Packets of given cycles, and nothing else.
class Script final : public Workload {
 public:
  struct Message {
    Cycle cycle;
    NodeId source, destination;
    std::uint32_t flits;
  };
  explicit Script(std::vector<Message> messages) : messages_(std::move(messages)) {}
  [[nodiscard]] Cycle next(Cycle from) const override {
    return place_ == messages_.size() ? kNever : std::max(from, messages_[place_].cycle);
  }
  void create(Cycle now, PacketSink& sink) override {
    for (; place_ < messages_.size() && messages_[place_].cycle <= now; ++place_) {
      sink.send(messages_[place_].source, messages_[place_].destination, messages_[place_].flits);
    }
  }

 private:
  std::vector<Message> messages_;  // by cycle
  std::size_t place_ = 0;
};

struct Arrivals final : PacketObserver {
  void ejected(const Packet& packet) override { packets.push_back(packet); }
  std::vector<Packet> packets;
};

struct OneNetwork {
  OneNetwork(const systemc::NetworkConfig& config, Workload& workload)
      : fabric("fabric"),
        network("network", fabric, config),
        endpoints("traffic", network, workload) {
    endpoints.add_observer(arrivals);
  }
  systemc::Fabric fabric;
  systemc::Network network;
  Endpoints endpoints;
  Arrivals arrivals;
};

inline systemc::NetworkConfig mesh(int x, int y) { return {.size = {x, y, 1}}; }

}  // namespace annelid::traffic
