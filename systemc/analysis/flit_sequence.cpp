#include "systemc/analysis/flit_sequence.hpp"

#include <algorithm>

#include "systemc/network/route.hpp"

namespace annelid::systemc {
namespace {

std::uint64_t place_of(NodeId node, unsigned channel) {
  return std::uint64_t{node} * kChannelsPerNode + channel;
}

}  // namespace

std::string channel_name(const RouterConfig& router, ChannelId channel) {
  return channel < kFirstInjection ? output_channel_name(router, channel)
                                   : injection_channel_name(channel - kFirstInjection);
}

void FlitSequence::packet(Cycle cycle, NodeId node, Port local, const PacketInfo& info) {
  begin(cycle);
  packets_.emplace_back(place_of(node, kFirstInjection + local), info);
}

void FlitSequence::injected(Cycle cycle, NodeId node, Port local, const Flit& flit) {
  begin(cycle);
  entries_.push_back({place_of(node, kFirstInjection + local), flit});
}

void FlitSequence::moved(Cycle cycle, NodeId node, Port /*in*/, Vc /*in_vc*/, Port out,
                         const Flit& flit) {
  begin(cycle);
  entries_.push_back({place_of(node, out), flit});
}

void FlitSequence::begin(Cycle cycle) {
  if (cycle != cycle_) end_cycle();
  cycle_ = cycle;
}

void FlitSequence::end_cycle() {
  constexpr auto kPlace = &std::pair<std::uint64_t, PacketInfo>::first;
  std::ranges::sort(entries_, {}, &Entry::place);
  std::ranges::sort(packets_, {}, kPlace);
  for (const auto& [place, sent] : entries_) {
    const PacketInfo* info = nullptr;
    if (sent.head) {
      const auto known = std::ranges::lower_bound(packets_, place, {}, kPlace);
      if (known != packets_.end() && known->first == place) info = &known->second;
    }
    flit({cycle_, static_cast<NodeId>(place / kChannelsPerNode),
          static_cast<ChannelId>(place % kChannelsPerNode), sent, info});
  }
  entries_.clear();
  packets_.clear();
}

}  // namespace annelid::systemc
