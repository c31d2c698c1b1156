#include "traffic/open_loop.hpp"

#include <algorithm>
#include <utility>

#include "systemc/analysis/deadlock.hpp"
#include "systemc/analysis/observer_tee.hpp"

namespace annelid::traffic {
namespace {

constexpr Cycle kCyclesBetweenProgress = 1000;
constexpr Cycle kOccupancySamples = 64;

/// One run, from its first cycle to its last.
class OpenLoop {
 public:
  OpenLoop(systemc::Network& network, Endpoints& endpoints, const Phases& phases,
           const std::vector<systemc::FabricObserver*>& observers, const OnProgress& on_progress)
      : network_(network),
        fabric_(network.fabric()),
        endpoints_(endpoints),
        phases_(phases),
        observers_(observers),
        on_progress_(on_progress),
        begin_(phases.warm_up),
        end_(phases.warm_up + phases.measure),
        result_(network.config(), begin_, end_) {}

  OpenLoopResult run(const std::vector<bool>& sends) {
    endpoints_.add_observer(result_.packets_of_window);
    systemc::ObserverTee always(observers_), in_window = with_meter();
    systemc::FabricObserver* const outside = observers_.empty() ? nullptr : &always;
    fabric_.run_until(fabric_.now());  // elaborates the network, which says then what it can
    fabric_.set_observer(outside);
    if (run_to(begin_, "warm-up")) {
      const bool counted = network_.count_flits();
      systemc::FabricObserver* inside = outside;
      if (counted) {
        endpoints_.count_injections();
      } else if (outside != nullptr) {
        inside = &in_window;
      } else {
        inside = &result_.channels;
      }
      fabric_.set_observer(inside);
      measure();
      fabric_.set_observer(outside);
      if (counted) result_.channels.take(network_, endpoints_);
    }
    if (!dead()) drain();
    fabric_.set_observer(nullptr);
    endpoints_.remove_observer(result_.packets_of_window);
    conclude(sends);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool dead() const { return result_.status == systemc::RunStatus::kDeadlock; }

  /// The fabric waits for what its components have planned, and open-loop sources always plan.
  [[nodiscard]] bool stuck() const {
    return fabric_.flits_in_flight() > 0 &&
           fabric_.now() > fabric_.last_move() + fabric_.stall_limit();
  }

  /// Runs up to a cycle; false after a deadlock. A quiet network stays quiet: nothing is lost.
  bool run_to(Cycle until, const char* phase, const systemc::StopCondition& done = {}) {
    while (fabric_.now() < until) {
      const Cycle next = std::min(until, fabric_.now() + kCyclesBetweenProgress);
      result_.status = fabric_.run_until(next, done);
      if (stuck()) result_.status = systemc::RunStatus::kDeadlock;
      if (result_.status != systemc::RunStatus::kCycleLimit) return !dead();
      if (on_progress_) on_progress_(fabric_.now(), end_ + phases_.drain_limit, phase);
    }
    return true;
  }

  systemc::ObserverTee with_meter() {
    std::vector<systemc::FabricObserver*> observers = observers_;
    observers.push_back(&result_.channels);
    return systemc::ObserverTee(std::move(observers));
  }

  void measure() {
    const std::uint64_t packets = endpoints_.packets_created();
    const std::uint64_t created = endpoints_.flits_created(), ejected = endpoints_.flits_ejected();
    const Cycle samples = std::min(kOccupancySamples, phases_.measure);
    for (Cycle i = 0; i < samples; ++i) {
      if (!run_to(begin_ + (i + 1) * phases_.measure / (samples + 1), "measurement")) return;
      result_.occupancy.sample(network_);
    }
    run_to(end_, "measurement");
    result_.packets = endpoints_.packets_created() - packets;
    created_ = endpoints_.flits_created() - created;
    ejected_ = endpoints_.flits_ejected() - ejected;
  }

  void drain() {
    const auto over = [this] {
      return result_.packets_of_window.ejected_of_window() == result_.packets;
    };
    result_.drained = over();
    if (result_.drained) return;
    run_to(end_ + phases_.drain_limit, "drain", over);
    result_.drained = over();
    // Some packets may wait on each other for ever while others pass.
    if (result_.drained || dead() || !network_.config().router.allow_deadlock) return;
    const auto states = network_.states();
    if (explain_stall(network_.config(), states).cycle)
      result_.status = systemc::RunStatus::kDeadlock;
  }

  void conclude(const std::vector<bool>& sends) {
    result_.cycles = fabric_.now();
    result_.flit_hops = fabric_.flits_moved();
    result_.packets_ejected = result_.packets_of_window.ejected_of_window();
    result_.senders = static_cast<std::size_t>(std::ranges::count(sends, true));
    const auto senders = static_cast<double>(result_.senders);
    const auto cycles = static_cast<double>(phases_.measure);
    result_.offered = static_cast<double>(created_) / cycles / senders;
    result_.accepted = static_cast<double>(ejected_) / cycles / senders;
    const auto& delivered = result_.packets_of_window.delivered_flits();
    std::uint64_t least = ~std::uint64_t{0};
    for (NodeId n = 0; n < sends.size(); ++n) {
      if (!sends[n] || delivered[n] >= least) continue;
      least = delivered[n];
      result_.least_source = n;
    }
    result_.accepted_least = static_cast<double>(least) / cycles;
    const auto& created = result_.packets_of_window.created_flits();
    result_.offered_least = static_cast<double>(created[result_.least_source]) / cycles;
  }

  systemc::Network& network_;
  systemc::Fabric& fabric_;
  Endpoints& endpoints_;
  const Phases phases_;
  const std::vector<systemc::FabricObserver*>& observers_;
  const OnProgress& on_progress_;
  const Cycle begin_, end_;
  std::uint64_t created_ = 0, ejected_ = 0;
  OpenLoopResult result_;
};

}  // namespace

OpenLoopResult run_open_loop(systemc::Network& network, Endpoints& endpoints,
                             const std::vector<bool>& sends, const Phases& phases,
                             const std::vector<systemc::FabricObserver*>& observers,
                             const OnProgress& on_progress) {
  OpenLoop run(network, endpoints, phases, observers, on_progress);
  return run.run(sends);
}

}  // namespace annelid::traffic
