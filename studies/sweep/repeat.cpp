#include "studies/sweep/repeat.hpp"

#include <utility>

#include "simulation/traffic_run.hpp"

namespace annelid::studies {

Repeat Repeat::of(const simulation::TrafficResult& result) {
  const traffic::Saturation& saturation = result.synthetic->saturation;
  if (!saturation.saturated() || saturation.channel) return {};
  simulation::TrafficScenario again = result.scenario;
  again.synthetic.seed += kSeed;
  again.phases.measure *= kLonger;
  return Repeat(
      simulation::saturated_by(simulation::run_traffic(again).synthetic->saturation, " "));
}

std::string Repeat::text() const {
  if (!by_) return "";
  return by_->empty() ? kNone : *by_;
}

}  // namespace annelid::studies
