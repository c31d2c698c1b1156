// The network's one clocked process: it steps the router kernels and the components around them.
//
// A cycle is 1 ns of SystemC time, and cycle t happens at time t ns. The fabric is self-timed:
// where nothing can happen it moves time to the next event.
#pragma once

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "systemc/network/link.hpp"
#include "systemc/network/observer.hpp"
#include "systemc/router/activity_set.hpp"
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

/// The stop condition: asked at the end of each cycle, never for a cycle that was skipped because
/// nothing could happen in it.
using StopCondition = std::function<bool()>;

class Fabric : public sc_core::sc_module, public Scheduler, private RouterArrayHost {
 public:
  explicit Fabric(const sc_core::sc_module_name& name);

  // ---- Running --------------------------------------------------------------------------------

  /// Runs cycles now(), now() + 1, ... up to limit - 1, and ends after the first cycle in which
  /// `done` holds or a component called stop(). It elaborates the design if that is still to do,
  /// and may be called again to go on, whatever the status. Exceptions of components come out as
  /// sc_core::sc_report, with their text.
  ///
  /// kDeadlock: flits are in flight, and stall_limit() cycles have passed since one moved and since
  /// the last cycle that a component had asked for more than one cycle ahead. So a component that
  /// only polls cycle by cycle, such as an RTL router, does not hide a deadlock, and one that waits
  /// for a later cycle is waited for.
  RunStatus run_until(Cycle limit, const StopCondition& done = {});

  /// Ends the run after this cycle, with kDone.
  void stop() { stop_ = true; }

  // ---- Scheduler ------------------------------------------------------------------------------

  /// Within a run the cycle that is being executed; between runs the next one to be executed.
  [[nodiscard]] Cycle now() const override { return now_; }
  int add(Clocked& component) override;
  /// Between runs `at` may also be now().
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

  /// The native routers of this configuration, to add one. During construction only.
  [[nodiscard]] RouterArray& router_array(const NetworkConfig& network);

 private:
  void process();  // the SC_METHOD
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
  sc_core::sc_event resume_;
  const sc_core::sc_time cycle_time_{1, sc_core::SC_NS};

  std::vector<std::unique_ptr<RouterArray>> arrays_;
  std::uint64_t moved_ = 0, array_moved_ = 0, array_ejected_ = 0;
  unsigned threads_ = 1;
  std::unique_ptr<Worker> worker_;  // the second thread
  RouterArray* array_ = nullptr;    // what it steps, and whether anything happened there
  bool second_half_busy_ = false;
  FabricObserver* observer_ = nullptr;

  std::vector<Clocked*> components_;
  std::vector<Cycle> own_due_;  // what the component's last step() asked for
  bool stepping_ = false;       // a cycle is being executed
  ActivitySet due_, due_next_;  // what is stepped in this cycle, in the next one
  TimingWheel wheel_;           // what is due later
  std::vector<TimingWheel::Entry> from_wheel_;

  Cycle last_plan_ = 0;  // the latest cycle that was asked for more than one cycle ahead
  Cycle stall_limit_ = 1000;
};

}  // namespace annelid::systemc
