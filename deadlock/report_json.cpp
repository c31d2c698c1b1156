#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.hpp"
#include "deadlock/report.hpp"

namespace annelid::deadlock {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kProved:
      return "proved";
    case Verdict::kDeadlock:
      return "deadlock";
    case Verdict::kHopeless:
      return "never_delivered";
    case Verdict::kUndecided:
      return "not_proved";
  }
  return "";
}

const char* name_of(Proof proof) {
  switch (proof) {
    case Proof::kNone:
      return "none";
    case Proof::kAcyclic:
      return "acyclic";
    case Proof::kBubbles:
      return "bubbles";
    case Proof::kEscape:
      return "escape";
    case Proof::kElimination:
      return "elimination";
    case Proof::kSearch:
      return "search";
  }
  return "";
}

Json names(const Network& network, const std::vector<std::uint32_t>& places) {
  Json list = Json::array();
  for (const std::uint32_t place : places) list.push_back(network.place_name(place));
  return list;
}

Json way(const Report& r, const std::vector<StateId>& states) {
  Json list = Json::array();
  for (const StateId x : states) list.push_back(state_name(r, x));
  return list;
}

Json packet(const Report& r, StateId x) {
  const Packet kind = r.states[x].packet;
  return {{"to", r.network.nodes[kind.to].name}, {"class", r.network.classes[kind.cls]}};
}

}  // namespace

std::string report_json(const Report& r) {
  const Judgement& j = r.judgement;
  Json json = {{"network", r.network.name},
               {"nodes", r.network.nodes.size()},
               {"channels", r.network.channels.size()},
               {"vcs", r.network.vcs()},
               {"switching", deadlock::name_of(r.network.switching)},
               {"accepted", j.verdict == Verdict::kProved},
               {"verdict", name_of(j.verdict)},
               {"proof", name_of(j.proof)},
               {"dependencies", j.dependencies},
               {"cycle", names(r.network, j.cycle)}};
  Json packets = Json::array();
  for (const BlockedPacket& one : j.configuration.packets) {
    Json blocked = packet(r, one.front());
    blocked["holds"] = held_names(r, one);
    blocked["waits_for"] = next_names(r, one.front());
    if (j.configuration.reached) blocked["way"] = way(r, one.way);
    packets.push_back(std::move(blocked));
  }
  json["packets"] = std::move(packets);
  if (!j.escape_cycle.empty()) json["escape_cycle"] = names(r.network, j.escape_cycle);
  if (j.verdict == Verdict::kHopeless) {
    json["never_delivered"] = packet(r, j.hopeless);
    json["never_delivered"]["way"] = way(r, j.way_to);
  }
  return json_text(json, 2) + "\n";
}

}  // namespace annelid::deadlock
