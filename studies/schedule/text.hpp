// One-line descriptions of a schedule and of its steps.
#pragma once

#include <string>

#include "reference/checks/contention.hpp"
#include "simulation/scenario/collective.hpp"

namespace annelid::studies {

/// "4 steps, 63 messages, 120 hops; no stepwise contention".
[[nodiscard]] std::string totals_text(const simulation::Collective& collective,
                                      const reference::Schedule& schedule);
/// "12 messages, 29 hops".
[[nodiscard]] std::string step_text(const reference::Step& step,
                                    const reference::StepContention& contention);
/// "2 channels contended"; "" if none are.
[[nodiscard]] std::string contended_text(const reference::StepContention& contention);

}  // namespace annelid::studies
