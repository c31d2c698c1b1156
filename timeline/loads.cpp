#include "timeline/loads.hpp"

#include <algorithm>
#include <bit>

namespace annelid::timeline {
namespace {

// The page has a character for each part of each channel: it stays below a megabyte or two.
constexpr std::size_t kMostCells = 1'000'000, kFewestParts = 16, kMostParts = 512;

std::size_t parts_for(const systemc::NetworkConfig& network) {
  const auto channels = static_cast<std::size_t>(network.router.ports()) +
                        static_cast<std::size_t>(network.router.local_ports);
  const std::size_t most = kMostCells / (std::size_t{network.nodes()} * channels);
  return std::bit_floor(std::clamp(most, kFewestParts, kMostParts));
}

}  // namespace

Loads::Loads(const systemc::NetworkConfig& network)
    : most_parts_(parts_for(network)),
      flits_(std::size_t{network.nodes()} * systemc::kChannelsPerNode) {}

void Loads::add(const systemc::ChannelFlit& f) {
  if (begin_ == kNever) begin_ = f.cycle;
  while ((f.cycle - begin_) >> shift_ >= most_parts_) make_longer();
  const auto part = static_cast<std::size_t>((f.cycle - begin_) >> shift_);
  std::vector<std::uint32_t>& parts =
      flits_[std::size_t{f.node} * systemc::kChannelsPerNode + f.channel];
  if (parts.size() <= part) parts.resize(part + 1);
  ++parts[part];
}

void Loads::make_longer() {
  ++shift_;
  for (std::vector<std::uint32_t>& parts : flits_) {
    const std::size_t longer = (parts.size() + 1) / 2;
    for (std::size_t i = 0; i < longer; ++i) {
      parts[i] = parts[2 * i] + (2 * i + 1 < parts.size() ? parts[2 * i + 1] : 0);
    }
    parts.resize(longer);
  }
}

void Loads::add_packet(Cycle cycle, const systemc::PacketInfo& info) {
  if (info.control) {
    ++control_packets_;
    return;
  }
  ++messages_;
  StepSpan& step = steps_[info.step];
  step.begin = std::min(step.begin, cycle);
  ++step.messages;
}

void Loads::add_arrival(Cycle cycle, const systemc::PacketInfo& info) {
  if (info.control) return;
  ++arrived_;
  StepSpan& step = steps_[info.step];
  step.end = std::max(step.end, cycle + 1);
}

}  // namespace annelid::timeline
