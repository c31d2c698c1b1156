#include "traffic/injection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "systemc/network/config.hpp"

namespace annelid::traffic {
namespace {

constexpr Cycle kBeyondAllRuns =
    1'000'000'000'000'000'000;  // several of them add up without overflow
constexpr int kBurstsAtATime = 100;
/// Bounds are computed: a user who gives one as it is printed must not be told that it is beyond.
constexpr double kBoundTolerance = 1e-9;

/// Probabilities per cycle of leaving the on and the off state.
struct Switching {
  double stop, start;
};

Switching switching(const InjectionConfig& c) {
  return {1 / c.burst, 1 / c.burst * c.duty / (1 - c.duty)};
}

bool has_bursts(const InjectionConfig& c) { return c.kind == InjectionKind::kBursty && c.duty < 1; }

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
  if (!(c.load >= 0 && c.load <= most * (1 + kBoundTolerance))) {
    throw systemc::ConfigError(
        "traffic.load", fmt::format("{}", c.load),
        fmt::format("0..{:.6g} flits per node and cycle: at most one packet of {:.6g} "
                    "flits on average per cycle{}",
                    most, mean_flits, bursty ? ", in bursts only" : ""));
  }
  if (!has_bursts(c)) return;
  const double shortest = std::max(1.0, c.duty / (1 - c.duty));  // pauses last a cycle at least
  if (!(c.burst >= shortest * (1 - kBoundTolerance) && c.burst <= 1e9)) {
    throw systemc::ConfigError(
        "traffic.burst", fmt::format("{}", c.burst),
        fmt::format("{:.6g}..1e9 cycles for a duty of {:.6g}", shortest, c.duty));
  }
}

// In the on state, a share d of all cycles, a packet comes with probability r. Cycles that are k
// apart have the covariance r^2 d (1 - d) q^k, q = 1 - stop - start.
double variance_of_packets(const InjectionConfig& c, double mean_flits, Cycle cycles) {
  const auto n = static_cast<double>(cycles);
  const double p = std::min(c.load / mean_flits, 1.0);  // validate() lets a little more pass
  const double independent = n * p * (1 - p);
  if (!has_bursts(c)) return independent;
  const auto [stop, start] = switching(c);
  const double leave = stop + start, q = 1 - leave;
  // The sum of (n - k) q^k over k = 1 .. n - 1.
  const double pairs = q / leave * n - q * (1 - std::pow(q, n)) / (leave * leave);
  return independent + 2 * p * p * (1 - c.duty) / c.duty * pairs;
}

RoughLogarithm::RoughLogarithm() {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const double centre = 1 + (static_cast<double>(i) + 0.5) / static_cast<double>(parts_.size());
    parts_[i] = {1 / centre, std::log(centre)};
  }
}

const RoughLogarithm Geometric::kLogarithm;

Geometric::Geometric(double p)
    : p_(p),
      log_of_failure_(std::log1p(-p)),
      per_log_(1 / log_of_failure_),
      margin_(p > 0 && p < 1 ? 1e-9 - 1e-9 * per_log_ : 1) {}

Cycle Geometric::exact(double u) const {
  if (p_ >= 1) return 0;
  if (p_ <= 0) return kBeyondAllRuns;
  return static_cast<Cycle>(
      std::min(std::log1p(-u) / log_of_failure_, static_cast<double>(kBeyondAllRuns)));
}

InjectionProcess::InjectionProcess(const InjectionConfig& c, double mean_flits)
    : per_cycle_(c.load / mean_flits) {
  validate(c, mean_flits);
  if (!traffic::has_bursts(c)) return;
  duty_ = c.duty;
  per_cycle_ = Geometric(c.load / mean_flits / c.duty);
  stop_ = Geometric(switching(c).stop);
  start_ = Geometric(switching(c).start);
}

InjectionProcess::Burst InjectionProcess::first_burst(Random& random) const {
  if (!has_bursts()) return {};
  const bool on = random.uniform() < duty_;
  const Cycle from = on ? 0 : 1 + start_.draw(random);
  return {from, from + 1 + stop_.draw(random)};
}

Creation InjectionProcess::next(Cycle from, Burst& burst, Random& random) const {
  if (per_cycle_.p() <= 0) return {};
  if (burst.until == kNever) return {from + per_cycle_.draw(random), true};  // no bursts
  for (int i = 0; i < kBurstsAtATime; ++i) {
    if (burst.from >= kBeyondAllRuns) return {};
    const Cycle at = std::max(from, burst.from) + per_cycle_.draw(random);
    if (at < burst.until) return {at, true};
    from = burst.until;  // trials have no memory: the next burst starts afresh
    burst.from = burst.until + 1 + start_.draw(random);
    burst.until = burst.from + 1 + stop_.draw(random);
  }
  return {burst.from, false};
}

}  // namespace annelid::traffic
