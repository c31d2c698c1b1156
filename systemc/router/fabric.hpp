// The network's clock: it steps the router kernels and the components around them, a cycle at a
// time.
//
// A cycle is a period T of SystemC time, and cycle t lasts from t * T to (t + 1) * T. The fabric
// steps it in the middle, at (t + 1/2) * T, so that it is the same in every order of processes:
// what clocked modules of the user do at the edge t * T belongs to cycle t, and at the edge (t + 1)
// * T they see what the network sent in cycle t. LocalPort (local_port.hpp) joins such a module to
// the network.
//
// The fabric is self-timed: where nothing can happen it moves time to the next event, or sleeps.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "systemc/network/link.hpp"
#include "systemc/network/observer.hpp"
#include "systemc/router/activity_set.hpp"
#include "systemc/router/plane_network.hpp"
#include "systemc/router/router_array.hpp"
#include "systemc/router/timing_wheel.hpp"
#include "systemc/router/worker.hpp"

namespace annelid::systemc {

/// Why Fabric::run_until returned.
enum class RunStatus : std::uint8_t {
  kDone,        ///< the stop condition holds, or stop() was called
  kCycleLimit,  ///< the cycle limit is reached
  kQuiet,       ///< nothing is in flight and no component has anything scheduled
  kDeadlock,    ///< flits are in flight, and nothing will move them
};
[[nodiscard]] const char* to_string(RunStatus status);

/// How native routers are stepped. The results are the same.
enum class KernelKind : std::uint8_t {
  kAutomatic,  ///< in planes where that is possible
  kRouters,    ///< each by itself
};

/// The stop condition: asked at the end of each cycle, never for a cycle that was skipped because
/// nothing could happen in it.
using StopCondition = std::function<bool()>;

/// sc_core::sc_start runs the fabric, as it runs any SystemC model. run_until runs it too, and says
/// why it ended. Both give the same results, cycle by cycle. A program may use both in turn.
class Fabric : public sc_core::sc_module, public Scheduler, private RouterArrayHost {
 public:
  /// `cycle_time` is T. Throws ConfigError if it is less than two units of SystemC's time
  /// resolution.
  explicit Fabric(const sc_core::sc_module_name& name,
                  const sc_core::sc_time& cycle_time = sc_core::sc_time(1, sc_core::SC_NS));

  // ---- Running --------------------------------------------------------------------------------

  /// T, the period for the clocks of the user's modules.
  [[nodiscard]] const sc_core::sc_time& cycle_time() const { return cycle_time_; }

  /// Runs cycles now(), now() + 1, ... up to limit - 1, and ends after the first cycle in which
  /// `done` holds or a component called stop(). It elaborates the design if that is still to do,
  /// and may be called again to go on, whatever the status. Exceptions of components come out as
  /// sc_core::sc_report, with their text.
  ///
  /// kDeadlock: flits are in flight, and stall_limit() cycles have passed since one moved and since
  /// the last cycle that a component had asked for more than one cycle ahead. So a component that
  /// only polls cycle by cycle, such as an RTL router, does not hide a deadlock, and one that waits
  /// for a later cycle is waited for.
  ///
  /// SystemC's time advances, and other processes of the simulation run. Other fabrics stand still,
  /// and their cycles come later by the same time. With a LocalPort in the network every cycle is
  /// stepped, and the run is never quiet. Not to be called from a process.
  RunStatus run_until(Cycle limit, const StopCondition& done = {});

  /// Ends the run after this cycle: run_until with kDone, sc_start as sc_pause() does.
  void stop() { stop_ = true; }

  /// Whether a run would end now with kDeadlock: sc_start does not tell.
  [[nodiscard]] bool deadlocked() const { return in_flight_ > 0 && now() > deadlocked_from(); }

  // ---- Scheduler ------------------------------------------------------------------------------

  /// Within a step the cycle that is being executed; otherwise the next one to be executed.
  [[nodiscard]] Cycle now() const override { return asleep_ ? cycle_by_time() : now_; }
  int add(Clocked& component) override;
  /// Outside a step `at` may also be now().
  void wake(int handle, Cycle at) override;
  void progressed() override { last_move_ = now_; }

  // ---- Observation ----------------------------------------------------------------------------

  /// One observer or nullptr; several share an ObserverTee. May change between runs.
  void set_observer(FabricObserver* observer);
  /// For routers, NICs and generators, which report what happens at their place while this is not
  /// null.
  [[nodiscard]] FabricObserver* observer() const { return observer_; }

  /// Steps the kernels before the components, and both in reverse order. No result may depend on
  /// it: this is for the tests that show it.
  void set_reversed(bool reversed) { reversed_ = reversed; }

  /// Two threads each step one half of the native routers; results are identical. Components, and
  /// whatever a router sends to them, stay on the caller's thread, and so does everything while
  /// there is an observer. Between runs.
  void set_threads(unsigned threads);

  /// Before the first router is made.
  void set_kernel(KernelKind kind, PlaneBackend backend = PlaneBackend::kBest) {
    kernel_ = kind;
    backend_ = backend;
  }

  void set_stall_limit(Cycle cycles) { stall_limit_ = cycles; }
  [[nodiscard]] Cycle stall_limit() const { return stall_limit_; }

  /// Flits that entered by a local port and have not left by one.
  [[nodiscard]] std::uint64_t flits_in_flight() const { return in_flight_; }
  /// Flits that crossed a router's switch (flit-hops, ejections included) since the start.
  [[nodiscard]] std::uint64_t flits_moved() const { return moved_; }
  /// The last cycle in which a flit entered the fabric or moved in it, or a component progressed.
  [[nodiscard]] Cycle last_move() const { return last_move_; }

  // ---- For routers ----------------------------------------------------------------------------

  /// A router outside the kernel (RTL) accounts for its flits with these: one call for each flit
  /// that it takes from a local port, that it sends anywhere, and that it sends to a local port
  /// (then both of the latter).
  void flit_entered() {
    ++in_flight_;
    last_move_ = now_;
  }
  void flit_moved() {
    ++moved_;
    last_move_ = now_;
  }
  void flit_left() { --in_flight_; }

  // ---- For components that processes outside the fabric call
  // -------------------------------------

  /// There is such a component: run_until must not skip time, as it cannot know what they will do.
  void expect_outside_calls() { outside_calls_ = true; }
  /// SystemC's time is the middle of a cycle, when the fabric steps it: whether a call belongs to
  /// this cycle or to the next one would depend on the order of processes.
  [[nodiscard]] bool is_step_time() const {
    return sc_core::sc_time_stamp().value() % period_ == period_ / 2;
  }

  /// The native routers of this configuration, to add one. During construction only.
  [[nodiscard]] RouterArray& router_array(const NetworkConfig& network);
  /// Null if there are none.
  [[nodiscard]] RouterArray* find_array(const NetworkConfig& network) const;

 private:
  void start_of_simulation() override;
  static void elaborate();
  void process();  // SC_METHOD: a cycle of run_until
  void tick();     // SC_METHOD: a cycle of plain sc_start
  void pause();    // SC_METHOD: the end of run_until
  /// Sleeps until cycle `at`, if it did not plan to wake up earlier. Outside runs only.
  void sleep_until(Cycle at);
  /// From SystemC's time to the middle of cycle `at`. If that is over, the fabric stood still: all
  /// its cycles from `at` on are later.
  [[nodiscard]] sc_core::sc_time time_until(Cycle at);
  [[nodiscard]] Cycle cycle_by_time() const;
  [[nodiscard]] Cycle next_cycle() const;  // in which something can happen
  [[nodiscard]] Cycle deadlocked_from() const {
    return std::max(last_move_, last_plan_) + stall_limit_;
  }
  /// Nobody would notice if the next cycles were stepped at once, while SystemC's time stands
  /// still.
  [[nodiscard]] bool alone() const;
  void step_cycle();
  void step_components();
  void step_routers();
  [[nodiscard]] bool step_array(RouterArray& array);
  void choose_worker();
  void schedule_own(int handle, Cycle at);
  void plan(TimingWheel::Entry entry, Cycle at);
  bool end_cycle();  // moves now_ on; false if the run is over
  bool end_run(RunStatus status);

  Cycle limit_ = 0;
  const StopCondition* done_ = nullptr;
  RunStatus status_ = RunStatus::kCycleLimit;
  bool running_ = false, stop_ = false, reversed_ = false;
  sc_core::sc_event resume_, end_;
  const sc_core::sc_time cycle_time_;
  const std::uint64_t period_;  // T, in units of SystemC's time resolution
  std::uint64_t start_ = 0;     // the time at which cycle 0 began, a multiple of T

  // Under plain sc_start.
  static const Fabric* driven_;  // whose run_until is under way: the others stand still
  bool started_ = false;         // elaboration is over
  sc_core::sc_event tick_;
  Cycle tick_at_ = kNever;  // the cycle that tick_ is planned for
  bool outside_calls_ = false;

  KernelKind kernel_ = KernelKind::kAutomatic;
  PlaneBackend backend_ = PlaneBackend::kBest;
  std::vector<std::unique_ptr<RouterArray>> arrays_;
  std::uint64_t moved_ = 0, array_moved_ = 0, array_ejected_ = 0;
  unsigned threads_ = 1;
  std::unique_ptr<Worker> worker_;  // the second thread
  RouterArray* array_ = nullptr;    // what it steps, and whether anything happened there
  bool second_half_busy_ = false;
  FabricObserver* observer_ = nullptr;

  std::vector<Clocked*> components_;
  bool all_ignore_time_ = true;
  std::vector<Cycle> own_due_;  // what the component's last step() asked for
  bool stepping_ = false;       // a cycle is being executed
  ActivitySet due_, due_next_;  // what is stepped in this cycle, in the next one
  TimingWheel wheel_;           // what is due later
  std::vector<TimingWheel::Entry> from_wheel_;

  Cycle last_plan_ = 0;  // the latest cycle that was asked for more than one cycle ahead
  Cycle stall_limit_ = 1000;
};

}  // namespace annelid::systemc
