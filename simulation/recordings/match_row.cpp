#include "simulation/recordings/match_row.hpp"

#include <fmt/format.h>

#include <string_view>

#include "systemc/network/node_text.hpp"

namespace annelid::simulation {
namespace {

std::string_view text_of(nic::MatchInfo::How how) {
  switch (how) {
    case nic::MatchInfo::How::kSendOffered:
      return "send to {} #{}: offered";
    case nic::MatchInfo::How::kSendEager:
      return "send to {} #{}: eager";
    case nic::MatchInfo::How::kSendGranted:
      return "open send to {} #{}: granted";
    case nic::MatchInfo::How::kRequest:
      return "request of {} #{}";
    case nic::MatchInfo::How::kReceiveGranted:
      return "open receive: granted to {} #{}";
    case nic::MatchInfo::How::kReceiveData:
      return "receive from {} #{}: its message";
    case nic::MatchInfo::How::kReceiveEager:
      return "receive from {} #{}: eager message";
    case nic::MatchInfo::How::kReceiveStored:
      return "receive from {} #{}: stored message";
    case nic::MatchInfo::How::kOwn:
      return "send to itself, {} #{}";
  }
  return "?";
}

}  // namespace

void MatchRow::matched(waves::WaveTrace& wave, Cycle now, const nic::MatchInfo& match,
                       const systemc::NetworkConfig& network) {
  if (at_ != now) texts_.clear();
  at_ = now;
  if (!texts_.empty()) texts_ += ", ";
  texts_ += fmt::format(fmt::runtime(text_of(match.how)),
                        node_text(network, network.address(match.peer)), match.tag);
  wave.set_text(row_, now, texts_);
  wave.set_text(row_, now + 1, "");
}

}  // namespace annelid::simulation
