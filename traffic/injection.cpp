#include "traffic/injection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "systemc/network/config.hpp"

namespace annelid::traffic {
namespace {

/// Failures before the first success of trials with probability p; at least 0.
Cycle geometric(double p, Random& random) {
  const double u = random.uniform();  // drawn always, so that streams stay aligned
  if (p >= 1) return 0;
  return static_cast<Cycle>(std::min(std::log1p(-u) / std::log1p(-p), 1e18));
}

}  // namespace

std::string_view name_of(InjectionKind kind) {
  return kind == InjectionKind::kBernoulli ? "bernoulli" : "bursty";
}

void validate(const InjectionConfig& c, double mean_flits) {
  const bool bursty = c.kind == InjectionKind::kBursty;
  if (bursty && !(c.duty > 0 && c.duty <= 1)) {
    throw systemc::ConfigError("traffic.duty", fmt::format("{}", c.duty), "above 0, up to 1");
  }
  const double most = mean_flits * (bursty ? c.duty : 1);
  if (!(c.load >= 0 && c.load <= most)) {
    throw systemc::ConfigError(
        "traffic.load", fmt::format("{}", c.load),
        fmt::format("0..{:.6g} flits per node and cycle: at most one packet of {:.6g} "
                    "flits on average per cycle{}",
                    most, mean_flits, bursty ? ", in bursts only" : ""));
  }
  if (!bursty || c.duty == 1) return;
  const double shortest = std::max(1.0, c.duty / (1 - c.duty));  // pauses last a cycle at least
  if (!(c.burst >= shortest && c.burst <= 1e9)) {
    throw systemc::ConfigError(
        "traffic.burst", fmt::format("{}", c.burst),
        fmt::format("{:.6g}..1e9 cycles for a duty of {:.6g}", shortest, c.duty));
  }
}

InjectionProcess::InjectionProcess(const InjectionConfig& c, double mean_flits, Random& random)
    : per_cycle_(c.load / mean_flits) {
  if (c.kind == InjectionKind::kBernoulli || c.duty >= 1) return;
  per_cycle_ /= c.duty;
  stop_ = 1 / c.burst;
  start_ = stop_ * c.duty / (1 - c.duty);
  const bool on = random.uniform() < c.duty;
  on_from_ = on ? 0 : 1 + geometric(start_, random);
  on_until_ = on_from_ + 1 + geometric(stop_, random);
}

Cycle InjectionProcess::next(Cycle from, Random& random) {
  if (per_cycle_ <= 0) return kNever;
  for (;;) {
    const Cycle at = std::max(from, on_from_) + geometric(per_cycle_, random);
    if (at < on_until_) return at;
    from = on_until_;  // trials have no memory: the next burst starts afresh
    on_from_ = on_until_ + 1 + geometric(start_, random);
    on_until_ = on_from_ + 1 + geometric(stop_, random);
  }
}

}  // namespace annelid::traffic
