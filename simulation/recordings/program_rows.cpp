#include "simulation/recordings/program_rows.hpp"

#include <fmt/format.h>

#include <string_view>

#include "systemc/network/node_text.hpp"

namespace annelid::simulation {

ProgramRows::ProgramRows(waves::WaveTrace& wave, const systemc::NetworkConfig& network)
    : wave_(wave), network_(network) {
  for (NodeId node = 0; node < network.nodes(); ++node) {
    if (!wave.shows(node)) continue;
    Rows& rows = rows_[node];
    rows.send = wave.add_text(node, "send");
    rows.match.add(wave, node);
    rows.firmware = wave.add_text(node, "firmware");
  }
}

void ProgramRows::matched(Cycle now, NodeId node, const nic::MatchInfo& match) {
  const auto found = rows_.find(node);
  if (found != rows_.end()) found->second.match.matched(wave_, now, match, network_);
}

void ProgramRows::send_posted(Cycle now, const nic::MessageInfo& info) {
  const auto found = rows_.find(info.source);
  if (found == rows_.end()) return;
  found->second.sends.push_back(info);
  show_sends(now, found->second);
}

void ProgramRows::send_completed(Cycle now, const nic::MessageInfo& info) {
  const auto found = rows_.find(info.source);
  if (found == rows_.end()) return;
  std::erase_if(found->second.sends, [&](const nic::MessageInfo& send) {
    return send.destination == info.destination && send.sequence == info.sequence;
  });
  show_sends(now + 1, found->second);
}

void ProgramRows::show_sends(Cycle at, const Rows& rows) {
  std::string text;
  for (const nic::MessageInfo& send : rows.sends) {
    text +=
        fmt::format("{}to {} #{}, {} bytes", text.empty() ? "" : " + ",
                    node_text(network_, network_.address(send.destination)), send.tag, send.bytes);
  }
  wave_.set_text(rows.send, at, text);
}

void ProgramRows::received(Cycle now, const nic::MessageInfo& info) {
  const auto found = rows_.find(info.destination);
  if (found == rows_.end()) return;
  wave_.set_text(found->second.firmware, now,
                 fmt::format("received {} bytes from {} #{}", info.bytes,
                             node_text(network_, network_.address(info.source)), info.tag));
}

void ProgramRows::printed(Cycle now, NodeId node, int, const std::string& text) {
  const auto found = rows_.find(node);
  if (found == rows_.end()) return;
  std::string_view line = text;
  while (line.ends_with('\n')) line.remove_suffix(1);
  line.remove_prefix(line.rfind('\n') + 1);  // npos + 1 is 0
  if (!line.empty()) wave_.set_text(found->second.firmware, now, std::string(line));
}

}  // namespace annelid::simulation
