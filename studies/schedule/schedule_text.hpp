// A schedule in words.
#pragma once

#include <string>

#include "reference/contention.hpp"
#include "simulation/scenario/collective.hpp"

namespace annelid::studies {

/// Every step: who sends to whom, and the channels that several messages of the step need.
[[nodiscard]] std::string schedule_text(const simulation::Collective& collective,
                                        const systemc::NetworkConfig& network,
                                        const reference::Schedule& schedule);

/// "4 steps, 63 messages, 120 hops; no stepwise contention".
[[nodiscard]] std::string totals_text(const simulation::Collective& collective,
                                      const reference::Schedule& schedule);
/// "12 messages, 29 hops".
[[nodiscard]] std::string step_text(const reference::Step& step,
                                    const reference::StepContention& contention);
/// "2 channels contended"; "" if none are.
[[nodiscard]] std::string contended_text(const reference::StepContention& contention);

/// All algorithms: operation, name, and the networks that each runs on.
[[nodiscard]] std::string algorithm_list();

}  // namespace annelid::studies
