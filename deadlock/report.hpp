// A judgement in words, as JSON, and as a picture.
#pragma once

#include <string>
#include <vector>

#include "deadlock/judge.hpp"
#include "deadlock/network.hpp"
#include "deadlock/states.hpp"

namespace annelid::deadlock {

/// A network, and what was found out about it.
struct Report {
  const Network& network;
  const States& states;
  const Judgement& judgement;
};

/// Lines for a terminal.
[[nodiscard]] std::string report_text(const Report& report);
/// docs/reference/deadlock-files.md describes the keys.
[[nodiscard]] std::string report_json(const Report& report);
/// An SVG file: nodes, channels, and the circle of channels in red.
[[nodiscard]] std::string report_picture(const Report& report);

/// "ab -> bc -> ab"; the middle of a long circle is left out.
[[nodiscard]] std::string circle_text(const Network& network,
                                      const std::vector<std::uint32_t>& circle);
/// "accepted", "refused".
[[nodiscard]] const char* verdict_word(Verdict verdict);
/// What was decided, in a sentence without its full stop.
[[nodiscard]] std::string verdict_text(const Judgement& judgement);
/// What proves it; empty if nothing does.
[[nodiscard]] std::string proof_text(const Judgement& judgement);
/// The names of what a packet holds, from its tail to its front.
[[nodiscard]] std::vector<std::string> held_names(const Report& report,
                                                  const BlockedPacket& packet);
/// The names of what its front could take next.
[[nodiscard]] std::vector<std::string> next_names(const Report& report, StateId front);
/// "@a" or the name of the place.
[[nodiscard]] std::string state_name(const Report& report, StateId x);

}  // namespace annelid::deadlock
