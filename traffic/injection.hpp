// When a node creates packets: in Bernoulli trials, or in on/off bursts.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "base/random.hpp"
#include "systemc/network/types.hpp"

namespace annelid::traffic {

enum class InjectionKind : std::uint8_t { kBernoulli, kBursty };
[[nodiscard]] std::string_view name_of(InjectionKind kind);

struct InjectionConfig {
  InjectionKind kind = InjectionKind::kBernoulli;
  double load = 0.1;   ///< mean load that each sending node offers, in flits per cycle
  double burst = 100;  ///< kBursty: mean length of a burst in cycles, at least 1
  double duty = 0.25;  ///< kBursty: the share of time spent in bursts, above 0, up to 1
};
/// Throws ConfigError (traffic.load, traffic.burst, traffic.duty) if a value is out of range. A
/// node creates at most one packet per cycle.
void validate(const InjectionConfig& config, double mean_flits);

/// The variance of the number of packets that a node creates in the given number of cycles.
[[nodiscard]] double variance_of_packets(const InjectionConfig& config, double mean_flits,
                                         Cycle cycles);

/// The next action of a node: it creates a packet in cycle `at`, or it creates none before that
/// cycle. kNever means that it creates no more packets.
struct Creation {
  Cycle at = kNever;
  bool packet = false;
};

/// Logarithms with an error below 1e-10, for less than half the time of std::log.
class RoughLogarithm {
 public:
  RoughLogarithm();
  /// `x` must be in (0, 1] and not subnormal.
  [[nodiscard]] double operator()(double x) const {
    // x = m * 2^e, and m = centre * (1 + r) with |r| <= 1/256: three terms of the series of r.
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const Part& part = parts_[bits >> 45 & 127];
    const auto e = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
    const auto m = std::bit_cast<double>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
    const double r = m * part.inverse - 1;
    return e * std::numbers::ln2 + part.log + r * (1 - r * (0.5 - r * (1.0 / 3)));
  }

 private:
  struct Part {
    double inverse, log;  ///< of the centre of a part of [1, 2)
  };
  std::array<Part, 128> parts_;
};

/// The number of failures before the first success in trials with probability p.
class Geometric {
 public:
  explicit Geometric(double p);
  [[nodiscard]] double p() const { return p_; }
  [[nodiscard]] Cycle draw(Random& random) const {
    const double u = random.uniform();  // drawn always, so that streams stay aligned
    if (margin_ >= 0.5) return exact(u);
    // The exact quotient has the same integer part, unless an integer is within the margin.
    const double rough = kLogarithm(1 - u) * per_log_;
    const auto whole = static_cast<std::int64_t>(rough);
    const double rest = rough - static_cast<double>(whole);
    if (rest > margin_ && rest < 1 - margin_) [[likely]]
      return static_cast<Cycle>(whole);
    return exact(u);
  }

 private:
  static const RoughLogarithm kLogarithm;
  [[nodiscard]] Cycle exact(double u) const;

  double p_, log_of_failure_;
  double per_log_, margin_;  // 1 / log_of_failure_; more than the error of the rough quotient
};

/// Says when nodes create packets; each has its own burst and random numbers. Bernoulli: one trial
/// per cycle, with probability load / mean length. Bursty: a two-state Markov chain
/// (Markov-modulated process). Trials take place only in the on state, and their probability is
/// divided by the duty. Times between events are geometric and are drawn as such, with one random
/// number each.
class InjectionProcess {
 public:
  /// The current or next burst of a node, end excluded. Without bursts, one that never ends.
  struct Burst {
    Cycle from = 0, until = kNever;
  };

  /// Throws ConfigError as validate() does.
  InjectionProcess(const InjectionConfig& config, double mean_flits);

  [[nodiscard]] bool has_bursts() const { return duty_ < 1; }
  /// The chain starts in its stationary distribution.
  [[nodiscard]] Burst first_burst(Random& random) const;
  /// The next creation in cycle `from` or later; `from` must not decrease from call to call. A call
  /// looks at a limited number of bursts, because at a low load nearly all bursts contain no
  /// packet.
  [[nodiscard]] Creation next(Cycle from, Burst& burst, Random& random) const;

 private:
  Geometric per_cycle_;           // trials in the on state
  Geometric stop_{0}, start_{0};  // probabilities per cycle of leaving the on and the off state
  double duty_ = 1;
};

}  // namespace annelid::traffic
