#include "cli/nic_rows.hpp"

#include <fmt/format.h>

#include "cli/collective.hpp"

namespace annelid::cli {
namespace {

std::string shown(const NetworkConfig& network, NodeId node) {
  return node_text(network, network.address(node));
}

}  // namespace

NicRows::NicRows(WaveTrace& wave, const NetworkConfig& network) : wave_(wave), network_(network) {
  for (NodeId n = 0; n < network.nodes(); ++n) {
    Rows rows;
    rows.firmware = wave.add_text(n, "firmware");
    for (int l = 0; l < network.router.local_ports; ++l) {
      rows.send.push_back(wave.add_text(n, fmt::format("send{}", l)));
    }
    rows_.push_back(std::move(rows));
  }
  sending_.assign(network.nodes(),
                  std::vector<NodeId>(static_cast<std::size_t>(network.router.local_ports), 0));
}

void NicRows::send_started(Cycle now, const MessageInfo& info, Port local) {
  if (info.step > steps_marked_) {
    steps_marked_ = info.step;
    wave_.add_marker(now, fmt::format("step {}", info.step));
  }
  sending_[info.source][local] = info.destination;
  wave_.set_text(rows_[info.source].send[local], now,
                 fmt::format("step {} to {}, {} bytes", info.step,
                             shown(network_, info.destination), info.bytes));
}

void NicRows::send_completed(Cycle now, const MessageInfo& info) {
  for (std::size_t l = 0; l < sending_[info.source].size(); ++l) {
    if (sending_[info.source][l] == info.destination) {
      wave_.set_text(rows_[info.source].send[l], now + 1, "");
    }
  }
}

void NicRows::received(Cycle now, const MessageInfo& info) {
  wave_.set_text(
      rows_[info.destination].firmware, now,
      fmt::format("received {} bytes from {}", info.bytes, shown(network_, info.source)));
}

void NicRows::call_finished(Cycle now, NodeId node, std::uint16_t, std::uint32_t result) {
  wave_.set_text(rows_[node].firmware, now,
                 result == 0 ? "finished" : fmt::format("finished: {}", result));
}

void NicRows::trapped(Cycle now, NodeId node, const Trap& trap) {
  wave_.set_text(rows_[node].firmware, now, fmt::format("trap {} at {:#x}", trap.cause, trap.pc));
}

}  // namespace annelid::cli
