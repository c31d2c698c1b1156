// When a node creates packets: Bernoulli trials, or on/off bursts of them.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/random.hpp"
#include "systemc/network/types.hpp"

namespace annelid::traffic {

enum class InjectionKind : std::uint8_t { kBernoulli, kBursty };
[[nodiscard]] std::string_view name_of(InjectionKind kind);

struct InjectionConfig {
  InjectionKind kind = InjectionKind::kBernoulli;
  double load = 0.1;   ///< offered by each node that sends, in flits per cycle, averaged
  double burst = 100;  ///< kBursty: mean length of a burst, in cycles, at least 1
  double duty = 0.25;  ///< kBursty: the share of time in bursts, above 0, up to 1
};
/// Throws ConfigError (traffic.load, traffic.burst, traffic.duty): a node creates at most one
/// packet per cycle.
void validate(const InjectionConfig& config, double mean_flits);

/// Variance of the number of packets that a node creates in so many cycles.
[[nodiscard]] double variance_of_packets(const InjectionConfig& config, double mean_flits,
                                         Cycle cycles);

/// What a node does next: it creates a packet in cycle `at`, or none before that cycle. kNever: it
/// creates no more packets.
struct Creation {
  Cycle at = kNever;
  bool packet = false;
};

/// Failures before the first success of trials with probability p.
class Geometric {
 public:
  explicit Geometric(double p);
  [[nodiscard]] double p() const { return p_; }
  [[nodiscard]] Cycle draw(Random& random) const;

 private:
  double p_, log_of_failure_;
};

/// The creation of one node's packets. Bernoulli: one trial per cycle with probability load / mean
/// length. Bursty: a two-state Markov chain (Markov-modulated process); trials in the on state
/// only, with the probability divided by the duty. Times between events are geometric, and are
/// drawn as such: one random number each.
class InjectionProcess {
 public:
  /// The chain starts in its stationary distribution. The config must be valid.
  InjectionProcess(const InjectionConfig& config, double mean_flits, Random& random);

  /// From cycle `from` on, which must not decrease. A call looks at a limited number of bursts: at
  /// a low load nearly all bursts are without a packet.
  [[nodiscard]] Creation next(Cycle from, Random& random);

 private:
  Geometric per_cycle_;           // in the on state
  Geometric stop_{0}, start_{0};  // probabilities per cycle of leaving the on and the off state
  Cycle on_from_ = 0, on_until_ = kNever;  // the burst under way, or the next one; the end excluded
};

}  // namespace annelid::traffic
