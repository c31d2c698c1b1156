// The network's clock. It steps the router kernels and the components around them, one cycle at a
// time.
//
// A cycle is a period T of SystemC time, and cycle t lasts from t * T to (t + 1) * T. The fabric
// steps it in the middle, at (t + 1/2) * T, so the order of processes does not matter. What the
// user's clocked modules do at the edge t * T belongs to cycle t. At the edge (t + 1) * T they see
// what the network sent in cycle t. LocalPort (local_port.hpp) connects such a module to the
// network.
//
// The fabric is self-timed: if nothing can happen, it advances time to the next event, or sleeps.
#pragma once

#include <algorithm>
#include <functional>
#include <systemc>
#include <vector>

#include "systemc/cut/cut.hpp"
#include "systemc/fabric/cycle_clock.hpp"
#include "systemc/fabric/repeats.hpp"
#include "systemc/fabric/router_arrays.hpp"
#include "systemc/fabric/schedule.hpp"
#include "systemc/kernel/router_array_host.hpp"
#include "systemc/network/link.hpp"
#include "systemc/network/observer.hpp"

namespace annelid::systemc {

/// Why Fabric::run_until returned.
enum class RunStatus : std::uint8_t {
  kDone,        ///< the stop condition holds, or stop() was called
  kCycleLimit,  ///< the cycle limit is reached
  kQuiet,       ///< nothing is in flight and no component has anything scheduled
  kDeadlock,    ///< flits are in flight, and nothing will move them
};
[[nodiscard]] const char* to_string(RunStatus status);

/// The stop condition. It is evaluated at the end of each cycle, but not for a cycle that was
/// skipped because nothing could happen in it.
using StopCondition = std::function<bool()>;

/// What SystemC's time does during run_until.
enum class SystemcTime : std::uint8_t {
  kAdvances,     ///< cycle by cycle
  kStandsStill,  ///< until the run ends, which is faster
};

/// sc_core::sc_start runs the fabric, as it runs any SystemC model. run_until runs it too, and
/// returns the reason why it ended. Both give the same results, cycle by cycle, and a program may
/// alternate between them.
class Fabric : public sc_core::sc_module, public Scheduler, private RouterArrayHost {
 public:
  /// `cycle_time` is T. Throws ConfigError if it is less than two units of SystemC's time
  /// resolution.
  explicit Fabric(const sc_core::sc_module_name& name,
                  const sc_core::sc_time& cycle_time = sc_core::sc_time(1, sc_core::SC_NS));
  ~Fabric() override;

  // ---- Running --------------------------------------------------------------------------------

  /// T, the period to use for the clocks of the user's modules.
  [[nodiscard]] const sc_core::sc_time& cycle_time() const { return clock_.cycle_time(); }

  /// Runs cycles now(), now() + 1, ... up to limit - 1, and ends after the first cycle in which
  /// `done` holds or a component called stop(). It elaborates the design if that has not been done.
  /// It may be called again to continue, whatever the status. Exceptions of components are rethrown
  /// as sc_core::sc_report, with their text.
  ///
  /// kDeadlock means that flits are in flight, and that stall_limit() cycles have passed since a
  /// flit last moved and since the last cycle that a component had requested more than one cycle
  /// ahead. So a component that only polls cycle by cycle, such as an RTL router, does not hide a
  /// deadlock, but the fabric does wait for a component that waits for a later cycle.
  ///
  /// SystemC's time advances, and other processes of the simulation run. Other fabrics stand still,
  /// and their later cycles are delayed by the same time. With a LocalPort in the network every
  /// cycle is stepped, and the run is never quiet. Must not be called from a process.
  ///
  /// With kStandsStill the caller states that no component, no observer and not `done` reads
  /// SystemC's time or notifies events. Time advances nevertheless while a process waits for it.
  RunStatus run_until(Cycle limit, const StopCondition& done = {},
                      SystemcTime time = SystemcTime::kAdvances);
  /// Elaborates the design, if that has not been done.
  static void elaborate();

  /// Ends the run after this cycle: run_until returns kDone, and sc_start ends as after sc_pause().
  void stop() {
    stop_ = true;
    alone_until_ = 0;
  }

  /// Whether a run would now end with kDeadlock. sc_start does not report that.
  [[nodiscard]] bool deadlocked() const { return in_flight_ > 0 && now() > deadlocked_from(); }

  // ---- Scheduler ------------------------------------------------------------------------------

  /// During a step, the cycle that is being executed; otherwise the next one to be executed.
  [[nodiscard]] Cycle now() const override { return asleep_ ? cycle_by_time() : now_; }
  int add(Clocked& component) override;
  /// Outside a step `at` may also be now().
  void wake(int handle, Cycle at) override;
  void progressed() override { last_move_ = now_; }

  // ---- Observation ----------------------------------------------------------------------------

  /// Sets the observer, or nullptr. Several observers can share an ObserverTee. It may change
  /// between runs.
  void set_observer(FabricObserver* observer);
  /// For routers, NICs and generators. While this is not null, they report to it what happens in
  /// them.
  [[nodiscard]] FabricObserver* observer() const { return observer_; }
  using RouterArrayHost::Phase;
  using RouterArrayHost::phase;

  /// Steps the kernels before the components, and both in reverse order. No result may depend on
  /// the order; tests use this to show it.
  void set_reversed(bool reversed) { reversed_ = reversed; }

  /// To be called before the first router is made.
  void set_kernel(KernelKind kind, PlaneBackend backend = PlaneBackend::kBest) {
    arrays_.set_kernel(kind, backend);
  }

  /// This fabric steps one slab of a network, and others step the rest of it, in other processes or
  /// threads. To be called before the network is made. The cut must outlive the fabric. Then
  /// run_until() is collective: it is called with the same limits everywhere, and ends after the
  /// same cycle everywhere. SystemC's time stands still, and no process of SystemC runs. Threads
  /// may call it for their fabrics at the same time, after elaborate().
  ///
  /// With Pace::kEveryCycle a run ends when and as it does in one process. `done` must hold in all
  /// processes, and stop() may be called in any of them. With Pace::kWindow it ends with
  /// kCycleLimit or kQuiet, and does not notice deadlocks.
  void set_cut(Cut& cut) { cut_ = &cut; }
  /// Null if this fabric steps the whole network.
  [[nodiscard]] Cut* cut() const { return cut_; }

  void set_stall_limit(Cycle cycles) { stall_limit_ = cycles; }
  [[nodiscard]] Cycle stall_limit() const { return stall_limit_; }

  /// Flits that have entered by a local port and have not left by one. With a cut, only the sum
  /// over all processes means something.
  [[nodiscard]] std::uint64_t flits_in_flight() const { return in_flight_; }
  /// Those of all processes. Collective, if there is a cut.
  [[nodiscard]] std::uint64_t all_flits_in_flight() const;
  /// Flits that have crossed a router's switch since the start (flit-hops, including ejections).
  [[nodiscard]] std::uint64_t flits_moved() const { return moved_; }
  /// The last cycle in which a flit entered the fabric or moved in it, or a component progressed.
  /// With Pace::kEveryCycle, that of all processes, as soon as a run has ended.
  [[nodiscard]] Cycle last_move() const { return last_move_; }

  // ---- For routers ----------------------------------------------------------------------------

  /// A router outside the kernel (RTL) reports its flits with these: one call for each flit that it
  /// takes from a local port, one for each flit that it sends, and another one if it sends that
  /// flit to a local port.
  void flit_entered() {
    ++in_flight_;
    last_move_ = now_;
  }
  void flit_moved() {
    ++moved_;
    last_move_ = now_;
  }
  void flit_left() { --in_flight_; }

  // ---- For components that processes outside the fabric call ------------------------------------

  /// States that there is such a component. run_until must then not skip time, because it cannot
  /// know when these processes will call.
  void expect_outside_calls() { outside_calls_ = true; }
  /// Whether SystemC's time is the middle of a cycle, when the fabric steps it. Whether a call at
  /// this time belongs to this cycle or the next would depend on the order of processes.
  [[nodiscard]] bool is_step_time() const { return clock_.is_in_middle(); }

  // ---- For networks ---------------------------------------------------------------------------

  /// The native routers of this configuration, to add one to them and to join them. Throws
  /// std::logic_error after the elaboration.
  [[nodiscard]] RouterAssembly& assembly(const NetworkConfig& network) {
    return arrays_.assembly(network, cut_);
  }
  /// These routers after the elaboration, or null if there are none.
  [[nodiscard]] RouterArray* array(const NetworkConfig& network) const {
    return arrays_.find(network);
  }
  /// Whether a network may run in planes.
  [[nodiscard]] bool has_planes_for(const NetworkConfig& network) const {
    return arrays_.have_planes_for(network);
  }
  /// A whole network in planes, without routers, for the sources and sinks of all its nodes. To be
  /// called before the elaboration ends.
  RouterArray& run_in_planes(const NetworkConfig& network, PlaneTerminals& terminals) {
    return arrays_.run_in_planes(network, terminals, cut_);
  }

 private:
  // SystemC's time: fabric_time.cpp.
  void start_of_simulation() override;
  void process();  // SC_METHOD: a cycle of run_until
  void tick();     // SC_METHOD: a cycle of plain sc_start
  void pause();    // SC_METHOD: the end of run_until
  /// Sleeps until cycle `at`, unless it already plans to wake up earlier. Outside runs only.
  void sleep_until(Cycle at);
  [[nodiscard]] Cycle cycle_by_time() const {
    return std::max(now_, tick_.bound(clock_.by_time()));
  }
  /// Whether nobody would notice if the next cycles were stepped at once while SystemC's time
  /// stands still.
  [[nodiscard]] bool alone() const;

  // A cycle: fabric.cpp.
  [[nodiscard]] Cycle next_cycle() const {  // the next one in which something can happen
    return now_ <= busy_until_ || schedule_.is_busy(now_) ? now_ : schedule_.next_planned(now_);
  }
  [[nodiscard]] bool routers_sleep() const {  // no router has anything to do in this cycle
    return now_ > busy_until_ && !arrays_.have_sources();
  }
  [[nodiscard]] Cycle deadlocked_from() const {
    return std::max(last_move_, schedule_.last_plan()) + stall_limit_;
  }
  /// The cycle until which nothing but one array is due after this one.
  [[nodiscard]] Cycle next_but_for_array() const;
  void step_cycle();
  void step_components();
  void step_routers();
  bool end_cycle();  // advances now_; false if the run is over
  void repeat_last_cycle();
  bool end_run(RunStatus status) {
    status_ = status;
    return false;
  }

  // One of several processes or threads: fabric_in_slab.cpp.
  RunStatus run_slab(Cycle limit, const StopCondition& done);
  bool end_cycle_of_slab();
  bool end_cycle_together();
  void cross_cut();
  void take_arrivals();

  Schedule schedule_;
  RouterArrays arrays_;
  FabricObserver* observer_ = nullptr;
  std::uint64_t moved_ = 0;
  std::uint64_t moved_last_ = 0;  // flits that moved in the last cycle
  Repeats repeats_;
  bool stepping_ = false;  // a cycle is being executed
  bool reversed_ = false;
  Cycle stall_limit_ = 1000;

  // A run.
  Cycle limit_ = 0;
  const StopCondition* done_ = nullptr;
  bool time_ignored_ = false;  // the caller of run_until says so
  RunStatus status_ = RunStatus::kCycleLimit;
  bool running_ = false, stop_ = false;
  bool at_once_ = false;  // cycles are stepped while SystemC's time stands still
  bool outside_calls_ = false;

  // SystemC's time.
  static const Fabric* driven_;  // the fabric whose run_until is under way; the others stand still
  static std::vector<Fabric*> all_;
  CycleClock clock_;
  Tick tick_{clock_};  // under plain sc_start
  sc_core::sc_event resume_, end_;

  Cut* cut_ = nullptr;
  Cycle last_step_ = 0;     // the last cycle that was executed
  bool all_quiet_ = false;  // in all processes
};

}  // namespace annelid::systemc
