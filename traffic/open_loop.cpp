#include "traffic/open_loop.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "systemc/analysis/deadlock.hpp"
#include "systemc/analysis/observer_tee.hpp"

namespace annelid::traffic {
namespace {

constexpr Cycle kCyclesBetweenProgress = 1000;
constexpr Cycle kOccupancySamples = 64;
constexpr Cycle kCyclesBeyond = 64;  // at most so many, after the last packet

/// One run, from its first cycle to its last.
class OpenLoop {
 public:
  OpenLoop(systemc::Network& network, Endpoints& endpoints, const Phases& phases,
           const std::vector<systemc::FabricObserver*>& observers, const OnProgress& on_progress)
      : network_(network),
        fabric_(network.fabric()),
        cut_(fabric_.cut()),
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
    if (warm_up(outside, in_window)) {
      const bool counted = network_.count_flits();
      if (counted) endpoints_.count_injections();
      result_.channels.clear();
      measure();
      fabric_.set_observer(outside);
      if (counted) result_.channels.take(network_, endpoints_);
    }
    // Before the drain: processes of a cut network go on for some cycles when it ends.
    result_.occupancy.note_used(network_);
    if (!dead()) drain();
    fabric_.set_observer(nullptr);
    endpoints_.remove_observer(result_.packets_of_window);
    if (cut_ != nullptr) merge();
    conclude(sends);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool dead() const { return result_.status == systemc::RunStatus::kDeadlock; }

  /// The sum over all processes.
  [[nodiscard]] std::uint64_t in_all(std::uint64_t value) const {
    if (cut_ != nullptr) cut_->exchange().sum({&value, 1});
    return value;
  }
  [[nodiscard]] Cycle last_move() const {
    std::uint64_t last = ~fabric_.last_move();
    if (cut_ != nullptr) cut_->exchange().least({&last, 1});
    return ~last;
  }

  /// The fabric waits for what its components have planned, and open-loop sources always plan.
  [[nodiscard]] bool stuck() const {
    return in_all(fabric_.flits_in_flight()) > 0 &&
           fabric_.now() > last_move() + fabric_.stall_limit();
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

  /// Runs up to the measurement; false after a deadlock. The meter of the channels watches from one
  /// cycle before on: a flit that is granted then may be on its channel in the first cycle, and
  /// only an observer of its grant hears of it.
  bool warm_up(systemc::FabricObserver* outside, systemc::FabricObserver& with_meter) {
    if (!run_to(std::max<Cycle>(begin_, 1) - 1, "warm-up")) return false;
    if (network_.planes().empty()) {
      fabric_.set_observer(outside != nullptr ? &with_meter : &result_.channels);
    }
    return run_to(begin_, "warm-up");
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
    result_.packets = in_all(endpoints_.packets_created() - packets);
    created_ = in_all(endpoints_.flits_created() - created);
    ejected_ = in_all(endpoints_.flits_ejected() - ejected);
  }

  /// The packets of the measurement that have not arrived, in all processes.
  [[nodiscard]] std::uint64_t missing() const {
    return result_.packets - in_all(result_.packets_of_window.ejected_of_window());
  }

  /// Runs to the cycle in which the last packet arrives. Only all processes together know it. An
  /// ejection channel ends at most one packet in a cycle, so they need not ask after each cycle. If
  /// nobody watches, they ask still less often, and may run beyond the end.
  void run_to_last_packet(Cycle until) {
    const systemc::NetworkConfig& config = network_.config();
    const std::uint64_t channels =
        std::uint64_t{config.nodes()} * static_cast<std::uint64_t>(config.router.local_ports);
    std::uint64_t left = missing();
    while (fabric_.now() < until && !dead()) {
      const Cycle next = std::min(until, fabric_.now() + kCyclesBetweenProgress);
      while (fabric_.now() < next) {
        const Cycle least = (left + channels - 1) / channels;
        const Cycle cycles = observers_.empty() ? std::max(least, kCyclesBeyond) : least;
        const Stretch stretch = run_stretch(std::min(next, fabric_.now() + cycles));
        left = missing();
        if (left == 0) {
          end_at_last_packet(stretch);
          result_.status = systemc::RunStatus::kDone;
        }
        if (result_.status != systemc::RunStatus::kCycleLimit) return;
      }
      if (stuck()) result_.status = systemc::RunStatus::kDeadlock;
      if (on_progress_) on_progress_(fabric_.now(), end_ + phases_.drain_limit, "drain");
    }
  }

  /// Some cycles of this process: the flits that it had moved after each of them, and the last one
  /// in which a packet of the window arrived; 0 if none did.
  struct Stretch {
    Cycle first = 0, last_packet = 0;
    std::vector<std::uint64_t> moved;
  };
  [[nodiscard]] Stretch run_stretch(Cycle until) {
    Stretch stretch{.first = fabric_.now(), .moved = {}};
    std::uint64_t arrived = result_.packets_of_window.ejected_of_window();
    result_.status = systemc::RunStatus::kCycleLimit;
    for (Cycle cycle = stretch.first;
         cycle < until && result_.status == systemc::RunStatus::kCycleLimit; ++cycle) {
      result_.status = fabric_.run_until(cycle + 1);
      stretch.moved.push_back(fabric_.flits_moved());
      if (result_.packets_of_window.ejected_of_window() == arrived) continue;
      arrived = result_.packets_of_window.ejected_of_window();
      stretch.last_packet = cycle;
    }
    return stretch;
  }

  /// The last packet has arrived in this stretch, in some process.
  void end_at_last_packet(const Stretch& stretch) {
    std::uint64_t last = ~stretch.last_packet;
    cut_->exchange().least({&last, 1});
    result_.cycles = ~last + 1;
    result_.flit_hops = in_all(stretch.moved.at(~last - stretch.first));
  }

  /// Process 0 gets what the others know.
  void merge() {
    result_.packets_of_window.merge(cut_->exchange());
    result_.channels.merge(*cut_);
    result_.occupancy.merge(cut_->exchange());
    result_.numbers_met = endpoints_.numbers_may_have_met();
  }

  void drain() {
    const auto over = [this] {
      return in_all(result_.packets_of_window.ejected_of_window()) == result_.packets;
    };
    result_.drained = over();
    if (result_.drained) return;
    if (cut_ == nullptr) {
      run_to(end_ + phases_.drain_limit, "drain", over);
    } else {
      run_to_last_packet(end_ + phases_.drain_limit);
    }
    result_.drained = over();
    // Some packets may wait on each other for ever while others pass.
    if (result_.drained || dead() || !network_.config().router.allow_deadlock) return;
    const auto states = network_.all_states();
    const bool known = !states.empty();
    if (in_all(known && explain_stall(network_.config(), states).cycle ? 1 : 0) > 0)
      result_.status = systemc::RunStatus::kDeadlock;
  }

  void conclude(const std::vector<bool>& sends) {
    if (result_.cycles == 0) {  // not known yet
      result_.cycles = fabric_.now();
      result_.flit_hops = in_all(fabric_.flits_moved());
    }
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
  systemc::Cut* const cut_;  // null in a process that simulates the whole network
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
