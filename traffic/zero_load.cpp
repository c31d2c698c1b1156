#include "traffic/zero_load.hpp"

#include <algorithm>

#include "systemc/network/route.hpp"

namespace annelid::traffic {
namespace {

constexpr std::uint64_t kIdealHeadLatency = 2, kIdealLoop = 3;  // section 9

/// The link registers of the channels that a packet takes whose only hop is along a dimension, from
/// the injection channel to the ejection channel.
std::vector<std::uint64_t> path(const systemc::NetworkConfig& network, int dimension) {
  const systemc::RouterConfig& router = network.router;
  const auto registers = static_cast<std::uint64_t>(router.link_registers);
  if (!router.one_port()) return {0, registers, 0};
  // A router has a switch for each dimension, with an internal channel to the next one.
  std::vector<std::uint64_t> channels(static_cast<std::size_t>(router.dims) + 2, 0);
  channels[static_cast<std::size_t>(dimension) + 1] = registers;
  return channels;
}

/// The cycles in which the flits of a packet are on the channels of its path. The head needs all
/// stages of a router, a flit behind it those of switch allocation and switch traversal.
class LonePacket {
 public:
  LonePacket(const systemc::RouterConfig& router, std::vector<std::uint64_t> registers)
      : head_stages_(static_cast<std::uint64_t>(router.stages)),
        body_stages_(std::min<std::uint64_t>(head_stages_, 2)),
        // From the cycle in which a sender has a credit to the flit on its channel.
        sending_(router.stages > 1 ? 1 : 0),
        depth_(static_cast<std::size_t>(router.depth)),
        registers_(std::move(registers)),
        times_(registers_.size(), std::vector<std::uint64_t>(depth_)) {}

  /// The cycle of the next flit on the ejection channel.
  std::uint64_t next() {
    const std::size_t last = registers_.size() - 1, place = flit_ % depth_;
    std::uint64_t arrives = 0;  // at the front of the buffer, counted from the sender's cycle
    for (std::size_t c = 0; c <= last; ++c) {
      std::uint64_t time = arrives;
      if (flit_ > 0) time = std::max(time, times_[c][(flit_ - 1) % depth_] + 1);
      if (flit_ >= depth_) time = std::max(time, place_is_free(c, place));
      times_[c][place] = time;
      arrives = time + registers_[c] + (flit_ == 0 ? head_stages_ : body_stages_);
    }
    ++flit_;
    return times_[last][place];
  }

 private:
  /// The place that flit k - D took on channel c: its credit leaves together with that flit, or
  /// from a sink in the cycle after it. times_[c + 1] is still that of flit k - D.
  [[nodiscard]] std::uint64_t place_is_free(std::size_t c, std::size_t place) const {
    if (c + 1 == registers_.size()) return times_[c][place] + 2 + sending_;
    const std::uint64_t source_sends = c == 0 ? 0 : sending_;
    return times_[c + 1][place] + 1 + registers_[c] + source_sends;
  }

  std::uint64_t head_stages_, body_stages_, sending_;
  std::size_t depth_;
  std::vector<std::uint64_t> registers_;
  std::vector<std::vector<std::uint64_t>> times_;  // by channel, of the last D flits
  std::uint64_t flit_ = 0;
};

}  // namespace

std::vector<std::uint64_t> behind_head(const systemc::NetworkConfig& network, int last,
                                       std::uint64_t flits) {
  std::vector<std::uint64_t> cycles;
  cycles.reserve(flits);
  if (network.ideal) {
    // D flits leave for each loop through the receiving NIC.
    const auto depth = static_cast<std::uint64_t>(network.router.depth);
    const std::uint64_t loop = std::max(depth, kIdealLoop);
    for (std::uint64_t k = 0; k < flits; ++k) cycles.push_back(k / depth * loop + k % depth);
    return cycles;
  }
  LonePacket packet(network.router, path(network, last));
  const std::uint64_t head = packet.next();
  cycles.push_back(0);
  while (cycles.size() < flits) cycles.push_back(packet.next() - head);
  return cycles;
}

double head_latency(const systemc::NetworkConfig& network, double hops) {
  if (network.ideal) return kIdealHeadLatency;
  const systemc::RouterConfig& router = network.router;
  const double switches = router.one_port() ? hops + router.dims : hops + 1;
  return router.stages * switches + router.link_registers * hops;
}

std::uint64_t zero_load_latency(const systemc::NetworkConfig& network, const Address& source,
                                const Address& destination, std::uint64_t flits) {
  int last = 0;
  for (int d = 0; d < network.dims(); ++d) {
    if (source[d] != destination[d]) last = d;
  }
  const int distance = systemc::hops(network, source, destination);
  return static_cast<std::uint64_t>(head_latency(network, distance)) +
         behind_head(network, last, flits).back();
}

}  // namespace annelid::traffic
