#include "simulation/machine/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/run_failure.hpp"
#include "interface/names.hpp"
#include "simulation/machine/call_words.hpp"
#include "simulation/machine/fill_memory.hpp"
#include "simulation/machine/node_waits.hpp"
#include "simulation/machine/sharing.hpp"
#include "simulation/program/trap_report.hpp"
#include "systemc/analysis/deadlock.hpp"
#include "systemc/cosim/rtl_router.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::simulation {
namespace {

constexpr Cycle kRunProgressCycles = 20'000;
constexpr Cycle kCyclesToDrain = 100'000;
constexpr std::size_t kNodesListed = 4;

nic::NicConfig with_room(nic::NicConfig nic, std::uint64_t memory_bytes) {
  nic.memory_bytes = std::max(nic.memory_bytes, memory_bytes);
  return nic;
}

systemc::Fabric& with_cut(systemc::Fabric& fabric, systemc::Cut* cut) {
  if (cut != nullptr) fabric.set_cut(*cut);
  return fabric;
}

std::unique_ptr<systemc::EventStream> stream_of(systemc::Fabric& fabric) {
  return fabric.cut() == nullptr ? nullptr : std::make_unique<systemc::EventStream>(fabric);
}

}  // namespace

Simulation::Simulation(const Scenario& scenario, const nic::Image* image,
                       const std::set<NodeId>& rtl, std::uint64_t memory_bytes, Exchange* exchange)
    : scenario_(scenario),
      cut_(exchange == nullptr ? nullptr
                               : std::make_unique<systemc::Cut>(scenario.network, *exchange,
                                                                systemc::Pace::kEveryCycle)),
      fabric_("fabric"),
      network_("noc", with_cut(fabric_, cut_.get()), scenario.network,
               systemc::make_rtl_routers(rtl)),
      nics_(scenario.network.nodes()),
      host_(fabric_, nics_),
      tracker_(scenario.network),
      stream_(stream_of(fabric_)),
      core_tracers_(nics_, stream_.get()),
      image_(image) {
  if (stream_) {
    nic_stream_ = std::make_unique<NicStream>(
        *stream_, [this](NodeId node, std::uint16_t ticket) { return own_tag_of(node, ticket); });
  }
  const systemc::Slab own = slab();
  for (NodeId node = own.first; node < own.end; ++node) {
    const Address at = scenario.network.address(node);
    nics_[node] = std::make_unique<nic::Nic>(("nic_" + systemc::node_text(at, 3, '_')).c_str(),
                                             with_room(scenario.nic, memory_bytes), node, fabric_);
    nic::Nic& nic = *nics_[node];
    for (int l = 0; l < scenario.network.router.local_ports; ++l) {
      const auto local = static_cast<std::size_t>(l);
      network_.attach(node, l, nic.to_router[local], nic.from_router[local]);
    }
    if (image != nullptr) {
      nic.load(*image);
    } else {
      nic.load_native();
    }
  }
  watch({}, {});
}

// SystemC looks for a port that goes among all there are, from the last one on.
Simulation::~Simulation() {
  while (!nics_.empty()) nics_.pop_back();
}

void Simulation::watch(std::vector<systemc::FabricObserver*> observers,
                       std::vector<nic::NicObserver*> nic_observers,
                       const std::vector<systemc::FabricObserver*>& states) {
  systemc::FabricObserver* observer = &tracker_;
  if (!observers.empty()) {
    observers.insert(observers.begin(), &tracker_);
    observer = &tee_.emplace(std::move(observers));
  }
  if (stream_) {
    stream_->set_observer(observer);
    std::vector<systemc::FabricObserver*> own = states;
    own.push_back(stream_.get());
    observer = &own_tee_.emplace(std::move(own));
  }
  nic_observers_ = std::move(nic_observers);
  observer_ = observer;
  watch_nics(0);
  tell_of_fabric(observer);
}

/// Begins to watch so many calls.
void Simulation::watch_nics(std::size_t calls) {
  nic_watch_.emplace(nics_, host_, calls);
  std::vector<nic::NicObserver*> observers = nic_observers_;
  observers.insert(observers.begin(), &nic_watch_->log());
  tell_of_nics(std::move(observers));
}

void Simulation::tell_of_nics(std::vector<nic::NicObserver*> observers) {
  if (nic_stream_) {
    nic_watch_->set_observers({nic_stream_.get()});
    nic_stream_->set_observers(std::move(observers));
  } else {
    nic_watch_->set_observers(std::move(observers));
  }
}

void Simulation::tell_of_fabric(systemc::FabricObserver* observer) {
  fabric_.set_observer(observer);
  for (auto& nic : nics_) {
    if (nic) nic->set_observers(&*nic_watch_, observer);
  }
}

/// The nodes start once, before the first call.
void Simulation::start_nodes() {
  if (image_ == nullptr || fabric_.now() > 0) return;
  host_.attend(true);
  const systemc::RunStatus status = run_until(kMostToStart, [this] { return nodes_wait(); });
  host_.attend(false);
  if (stream_) stream_->finish();
  ready_ = end_ = fabric_.now();
  if (failed()) fail(status);
}

/// Whether a failure ends the run of this process in this cycle. Processes that share a network end
/// together, when the fabric has told all of them.
bool Simulation::ends_by_failure() {
  if (!nic_watch_->failure()) return false;
  if (cut_ == nullptr) return true;
  fabric_.stop();
  return false;
}

/// The end of a cycle: whether the cores of all nodes of this process wait. A failure ends the run,
/// too.
bool Simulation::nodes_wait() {
  if (ends_by_failure()) return true;
  const systemc::Slab own = slab();
  return std::all_of(nics_.begin() + own.first, nics_.begin() + own.end, [this](const auto& nic) {
    const nic::Core& core = *nic->core();
    return core.state() == nic::Core::State::kAsleep && core.time() <= fabric_.now();
  });
}

/// Makes calls, and runs until they have ended everywhere and the network is empty.
void Simulation::make(std::vector<HostCall> calls, Progress& progress) {
  // Packets that a user's firmware sends by itself may be under way as the first call is made.
  if (std::exchange(has_called_, true)) tracker_.restart();
  watch_nics(calls.size());
  if (fabric_.observer() == nullptr) {
    tell_of_fabric(observer_);
    core_tracers_.set_silent(false);
  }
  start_ = fabric_.now();
  instructions_before_ += own_instructions();
  const std::size_t count = calls.size();
  host_.call(std::move(calls));
  const systemc::RunStatus status = run_to_end(progress);
  bool good = status == systemc::RunStatus::kDone && !failed();
  if (good) drain();
  if (stream_) stream_->finish();
  tracker_.flush();
  end_ = fabric_.now();
  left_.instructions = own_instructions();
  if (good && phase_ == Phase::kCalling && last_start_) {
    come_to_rest();
    good = !failed();
  }
  progress.clear();
  if (!good && gdb_ != nullptr) show_failure_to_gdb();
  if (!good) fail(status);
  if (cut_ != nullptr) gather();
  require_success(count);
}

void Simulation::tell_checks_alone() {
  tell_of_nics({&nic_watch_->log()});
  tell_of_fabric(nullptr);
}

/// Only the checks are told of what follows. Recordings and statistics end with the calls.
void Simulation::come_to_rest() {
  if (at_observed_end_) at_observed_end_();
  tell_checks_alone();
  core_tracers_.set_silent(true);
  const Cycle limit = fabric_.now() + rest_limit();
  const systemc::RunStatus status = run_until(limit, {});
  at_rest_ = status == systemc::RunStatus::kQuiet;
  if (stream_) stream_->finish();
}

/// Whether a node has failed, in any process.
bool Simulation::failed() const {
  const bool own = nic_watch_->failure().has_value();
  return cut_ == nullptr ? own : in_any(cut_->exchange(), own);
}

NodeId Simulation::own_first_busy() const {
  const systemc::Slab own = slab();
  const auto end = nics_.begin() + own.end;
  const auto busy =
      std::find_if(nics_.begin() + own.first, end, [](const auto& nic) { return !nic->idle(); });
  return static_cast<NodeId>(busy == end ? nics_.size() : busy - nics_.begin());
}

/// Process 0 knows what there is at the end in all processes.
void Simulation::gather() {
  const systemc::Slab own = slab();
  Exchange& exchange = cut_->exchange();
  left_ = {fabric_.all_flits_in_flight(), left_.instructions, own_first_busy()};
  exchange.sum({&left_.instructions, 1});
  exchange.least({&left_.busy, 1});
  host_.gather(exchange, own.first, own.end);
  nic_watch_->gather(exchange, own.first, own.end);
}

std::string Simulation::first_of_all(const std::string& own) const {
  if (cut_ == nullptr) return own;
  for (const std::string& text : gathered_texts(cut_->exchange(), own)) {
    if (!text.empty()) return text;
  }
  return "";
}

std::optional<NodeId> Simulation::own_refused(std::size_t call) const {
  const systemc::Slab own = slab();
  const std::vector<std::uint32_t>& results = nic_watch_->results(call);
  for (NodeId node = own.first; node < own.end; ++node) {
    if (results[node] != 0) return node;
  }
  return {};
}

std::string Simulation::first_refusal(std::size_t call) const {
  const auto node = own_refused(call);
  return first_of_all(node ? why_refused(call, *node) : "");
}

void Simulation::require_success(std::size_t calls) const {
  std::uint64_t call = 0;
  while (call < calls && !own_refused(call)) ++call;
  if (cut_ != nullptr) cut_->exchange().least({&call, 1});
  if (call == calls) return;
  const std::string text = first_refusal(call);
  if (cut_ != nullptr && cut_->slab().process > 0) throw EndedByOther{};
  throw RunFailure(text);
}

std::string Simulation::why_refused(std::size_t call, NodeId node) const {
  const auto result = reg::CallResult{nic_watch_->results(call)[node]};
  const std::string name = names_by_tag_.empty() ? "" : names_by_tag_[tag_of_call(call)];
  const auto show = [this](NodeId other) { return shown(other); };
  if (result == reg::CallResult::kCallsDiffer) {
    const std::uint32_t scratch = host_.words(call, node)[reg::CallWord::kScratch];
    const auto difference = read_difference(nics_[node]->memory(), scratch, nics_.size());
    if (difference) return describe(*difference, name, show);
  }
  const bool no_room = phase_ == Phase::kPreparing && result == reg::CallResult::kNoRoom;
  constexpr std::array kWhat = {"the call", "the preparation of the call", "the call",
                                "the freeing of the call"};
  return fmt::format("node {}: the firmware refused {}{} with {}{}", shown(node),
                     kWhat[static_cast<std::size_t>(phase_)],
                     name.empty() ? "" : " \"" + name + "\"", kind_and_text_of(result),
                     no_room ? why_no_room(call) : "");
}

/// What the user can do about it. The nodes of other processes may need more.
std::string Simulation::why_no_room(std::size_t call) const {
  const std::size_t number = prepared_calls()[call];
  const PreparedLayout layout = plan_memory(scenario_).prepared[number];
  std::uint32_t most = 0;
  for (const PreparedAnswer& answer : read_answers(ordinary_[number], layout, nics_)) {
    most = std::max(most, answer.bytes);
  }
  if (most <= layout.list.bytes) {
    return fmt::format(": a node has at most {} prepared calls at a time", reg::kHandlePlaces);
  }
  return fmt::format(
      ": the longest list takes {} bytes, and there is room for {}; give "
      "--plan-bytes {}",
      most, layout.list.bytes, most);
}

std::size_t Simulation::tag_of_call(std::size_t call) const {
  switch (phase_) {
    case Phase::kGroups:
      return first_group_tag() + call;
    case Phase::kCalling:
      return call + 1;
    default:
      return prepared_calls()[call] + 1;
  }
}

std::vector<std::size_t> Simulation::prepared_calls() const {
  std::vector<std::size_t> calls;
  for (std::size_t i = 0; i < scenario_.calls.size(); ++i) {
    if (scenario_.calls[i].collective.prepared) calls.push_back(i);
  }
  return calls;
}

std::vector<CallRecord> Simulation::own_records(std::size_t call) const {
  const systemc::Slab own = slab();
  std::vector<CallRecord> records;
  for (NodeId node = own.first; node < own.end; ++node) {
    if (host_.called(call)[node] > fabric_.now() || nic_watch_->finished(call)[node] != kNever) {
      continue;
    }
    const std::uint32_t scratch = host_.words(call, node)[reg::CallWord::kScratch];
    const auto record = read_record(nics_[node]->memory(), node, scratch, nics_.size());
    if (record) records.push_back(*record);
  }
  return records;
}

std::string Simulation::differences() const {
  std::string text;
  const bool calling = phase_ == Phase::kCalling;
  for (std::size_t call = 0; calling && call < scenario_.calls.size(); ++call) {
    if (!scenario_.calls[call].collective.in_develop_mode) continue;
    const std::string refusal = first_refusal(call);
    if (!refusal.empty()) text += refusal + "\n";
    std::vector<CallRecord> records = own_records(call);
    if (cut_ != nullptr) gather_parts(cut_->exchange(), records, 0, records.size());
    const auto show = [this](NodeId node) { return shown(node); };
    const std::string name = names_by_tag_.empty() ? "" : names_by_tag_[call + 1];
    if (const auto difference = find_difference(records)) {
      text += describe(*difference, name, show) + "\n";
    }
  }
  return text;
}

void Simulation::make_groups(const MemoryPlan& plan, Progress& progress) {
  const reference::Network network = reference_network(scenario_.network);
  std::vector<HostCall> making;
  for (std::size_t i = 0; i < scenario_.groups.size(); ++i) {
    const GroupSet& set = scenario_.groups[i];
    if (set.made_with) continue;
    const auto tag = static_cast<std::uint16_t>(first_group_tag() + making.size());
    HostCall call = making_call(set, plan.groups[i], network, tag);
    for (std::size_t before = 0; before < making.size(); ++before) call.after.push_back(before);
    for (HostCall& free : freeing_calls(set, call)) freeing_.push_back(std::move(free));
    making.push_back(std::move(call));
  }
  make(std::move(making), progress);
}

void Simulation::name_tags() {
  names_by_tag_.clear();
  if (!scenario_.has_several() && scenario_.groups.empty()) return;
  names_by_tag_.emplace_back();
  for (const ScenarioCall& call : scenario_.calls) names_by_tag_.push_back(call.name);
  for (const GroupSet& set : scenario_.groups) {
    if (!set.made_with) names_by_tag_.push_back("groups: " + set.text);
  }
}

std::uint16_t Simulation::tag_of(NodeId node, std::uint16_t ticket) const {
  return nic_stream_ ? nic_stream_->tag_of(node, ticket) : own_tag_of(node, ticket);
}

std::uint16_t Simulation::own_tag_of(NodeId node, std::uint16_t ticket) const {
  return static_cast<std::uint16_t>(tag_of_call(host_.call_of(node, ticket)));
}

void Simulation::run(const std::vector<reference::Inputs>& inputs, Progress& progress) {
  begin(inputs, progress);
  start(scenario_.repeat - 1, inputs, progress);
}

void Simulation::begin(const std::vector<reference::Inputs>& inputs, Progress& progress) {
  phase_ = Phase::kGroups;
  names_by_tag_.clear();
  if (!freeing_.empty()) make(std::exchange(freeing_, {}), progress);
  name_tags();
  start_nodes();
  const MemoryPlan plan = plan_memory(scenario_);
  fill_memory(nics_, scenario_, plan, inputs, filler_);
  if (!scenario_.groups.empty()) make_groups(plan, progress);
  ordinary_ = host_calls(scenario_.calls, plan);
  answers_.assign(ordinary_.size(), {});
  prepare_cycles_ = 0;
  if (scenario_.has_prepared()) prepare(plan, progress);
}

void Simulation::prepare(const MemoryPlan& plan, Progress& progress) {
  phase_ = Phase::kPreparing;
  const std::vector<std::size_t> prepared = prepared_calls();
  std::vector<HostCall> preparing;
  preparing.reserve(prepared.size());
  for (const std::size_t i : prepared) {
    preparing.push_back(preparing_call(ordinary_[i], plan.prepared[i], nics_));
  }
  make(std::move(preparing), progress);
  for (std::size_t n = 0; n < prepared.size(); ++n) {
    const std::size_t i = prepared[n];
    answers_[i] = read_answers(ordinary_[i], plan.prepared[i], nics_);
    for (const Cycle finished : nic_watch_->finished(n)) {
      if (finished != kNever) prepare_cycles_ = std::max(prepare_cycles_, finished + 1 - start_);
    }
    if (cut_ != nullptr) gather_parts(cut_->exchange(), answers_[i], slab().first, slab().end);
  }
  const systemc::RunStatus status = run_until(fabric_.now() + rest_limit(), {});
  if (stream_) stream_->finish();
  if (failed()) fail(status);
}

void Simulation::start(int number, const std::vector<reference::Inputs>& inputs,
                       Progress& progress) {
  phase_ = Phase::kCalling;
  last_start_ = number + 1 == scenario_.repeat;
  if (scenario_.has_starts()) {
    refill_memory(nics_, scenario_, plan_memory(scenario_), inputs, filler_);
  }
  std::vector<HostCall> calls = ordinary_;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (scenario_.calls[i].collective.prepared) calls[i] = starting_call(calls[i], answers_[i]);
    calls[i].seed += static_cast<std::uint64_t>(number);
  }
  make(std::move(calls), progress);
}

void Simulation::free_prepared(Progress& progress) {
  if (!scenario_.has_prepared()) return;
  phase_ = Phase::kFreeing;
  std::vector<HostCall> freeing;
  for (const std::size_t i : prepared_calls()) {
    freeing.push_back(freeing_call(ordinary_[i], answers_[i]));
  }
  const std::size_t count = freeing.size();
  watch_nics(count);
  tell_checks_alone();
  host_.call(std::move(freeing));
  const Cycle from = std::exchange(start_, fabric_.now());
  const systemc::RunStatus status = run_to_end(progress);
  start_ = from;
  progress.clear();
  if (status != systemc::RunStatus::kDone || failed()) fail(status);
  require_success(count);
}

std::string Simulation::shown(NodeId node) const {
  return node_text(scenario_.network, scenario_.network.address(node));
}

void Simulation::debug(GdbServer& gdb) {
  gdb_ = &gdb;
  std::vector<nic::Nic*> nics;
  for (auto& nic : nics_) nics.push_back(nic.get());
  gdb.look_at(std::move(nics), [this](NodeId node) { return shown(node); });
}

systemc::RunStatus Simulation::run_until(Cycle limit, const systemc::StopCondition& done) {
  if (gdb_ == nullptr) return fabric_.run_until(limit, done, systemc::SystemcTime::kStandsStill);
  const systemc::RunStatus status = gdb_->run_until(fabric_, limit, done);
  if (!gdb_->killed()) return status;
  end_ = fabric_.now();
  throw RunFailure(GdbServer::end_text(end_));
}

/// At the node that has trapped or failed otherwise, or at the first one that still waits.
void Simulation::show_failure_to_gdb() {
  if (nic_watch_->failure()) {
    const NodeId node = nic_watch_->failure()->node;
    const auto& trap = nics_[node]->trap();
    return trap ? gdb_->trapped(node, trap->cause) : gdb_->failed(node);
  }
  const auto calling = [](const auto& nic) { return nic->calling(); };
  const auto waits = std::ranges::find_if(nics_, calling);
  gdb_->failed(waits == nics_.end() ? 0 : static_cast<NodeId>(waits - nics_.begin()));
}

systemc::RunStatus Simulation::run_to_end(Progress& progress) {
  const auto over = [this] { return all_ended(); };
  const Cycle limit = start_ + scenario_.cycle_limit;
  for (;;) {
    const Cycle until = std::min(limit, fabric_.now() + kRunProgressCycles);
    const systemc::RunStatus status = run_until(until, over);
    if (status != systemc::RunStatus::kCycleLimit || until == limit) return status;
    std::array<std::uint64_t, 3> sums = {nic_watch_->finished_count(), host_.expected(),
                                         fabric_.flits_in_flight()};
    if (cut_ != nullptr) cut_->exchange().sum(sums);
    progress.show(fmt::format("cycle {}: {} of {} nodes have finished, {} flits in flight",
                              fabric_.now() - start_, sums[0], sums[1], sums[2]));
  }
}

/// The end of a cycle: whether all calls of this process's nodes have ended. A failure ends the
/// run, too.
bool Simulation::all_ended() {
  return ends_by_failure() || nic_watch_->finished_count() == host_.expected();
}

// A call can be finished while the last packets of the NICs' own protocol are under way.
void Simulation::drain() {
  const auto idle = [this] { return own_first_busy() == nics_.size(); };
  if (cut_ != nullptr) return drain_together(idle);
  const auto empty = [this, idle] { return fabric_.flits_in_flight() == 0 && idle(); };
  if (empty()) return;
  (void)run_until(fabric_.now() + kCyclesToDrain, empty);
}

void Simulation::drain_together(const systemc::StopCondition& idle) {
  Exchange& exchange = cut_->exchange();
  const Cycle limit = fabric_.now() + kCyclesToDrain;
  bool all_idle = !in_any(exchange, !idle());
  while (!all_idle || fabric_.all_flits_in_flight() != 0) {
    const auto status = run_until(limit, idle);
    if (status != systemc::RunStatus::kDone) return;
    all_idle = true;
  }
}

std::string Simulation::unfinished_nodes(const std::vector<NodeWait>& waits) const {
  std::string text = explain_waits(waits, [this](NodeId node) { return shown(node); });
  if (!text.empty()) return text;
  std::size_t listed = 0, left = 0;
  for (NodeId node = 0; node < waits.size(); ++node) {
    if (!waits[node].calling) continue;
    if (listed == kNodesListed) {
      ++left;
      continue;
    }
    ++listed;
    text += fmt::format("\n  node {}:", shown(node));
    const std::string& wait = waits[node].text;
    for (std::size_t begin = 0; begin < wait.size();) {
      const std::size_t end = std::min(wait.find('\n', begin), wait.size());
      text += "\n    " + wait.substr(begin, end - begin);
      begin = end + 1;
    }
  }
  if (left > 0) text += fmt::format("\n  and {} more", left);
  return text;
}

std::string Simulation::explain_failure() const {
  const NicWatch::Failure& f = *nic_watch_->failure();
  std::string where;
  const auto& trap = nics_[f.node]->trap();
  if (trap && program_ != nullptr) {
    return fmt::format("node {}, cycle {}: the firmware trapped: {}{}", shown(f.node), f.cycle,
                       describe_trap(*program_, *trap),
                       describe_core(*program_, *nics_[f.node]->core(), trap->pc));
  }
  if (trap && image_ != nullptr) where = fmt::format(", in {}", image_->function_at(trap->pc));
  return fmt::format("node {}, cycle {}: {}{}", shown(f.node), f.cycle, f.text, where);
}

const std::string& Simulation::explain_deadlock(const std::vector<systemc::RouterState>& states) {
  const auto name = [this](const systemc::ChannelEnd& end) -> std::optional<systemc::HeadFields> {
    const auto packet = tracker_.front(end.node, end.in, end.vc);
    if (!packet) return std::nullopt;
    return tracker_.packets()[*packet].info.head;
  };
  stall_ = explain_stall(scenario_.network, states, name);
  return stall_.text;
}

/// Collective: all tell what they know, and process 0 says why the run ended.
void Simulation::fail(systemc::RunStatus status) {
  const bool failure = failed(), deadlock = status == systemc::RunStatus::kDeadlock;
  const std::string text =
      failure ? first_of_all(nic_watch_->failure() ? explain_failure() : "") : "";
  const std::vector<NodeWait> waits =
      failure ? std::vector<NodeWait>() : waits_of(nics_, exchange());
  const bool stall = status == systemc::RunStatus::kQuiet && !failure;
  const std::string differing = stall ? differences() : "";
  const std::uint64_t flits = fabric_.all_flits_in_flight();
  const auto states =
      deadlock && !failure ? network_.all_states() : std::vector<systemc::RouterState>();
  if (cut_ != nullptr && cut_->slab().process > 0) throw EndedByOther{};
  if (failure) throw RunFailure(text);
  const auto unfinished = std::ranges::count(waits, true, &NodeWait::calling);
  switch (status) {
    case systemc::RunStatus::kDeadlock:
      throw RunFailure(fmt::format(
          "deadlock: {} flits are in the network and none has moved since cycle {}\n{}{}", flits,
          fabric_.last_move(), explain_deadlock(states), unfinished_nodes(waits)));
    case systemc::RunStatus::kQuiet:
      throw RunFailure(
          fmt::format("{}stall: the network is empty since cycle {}, and {} nodes still wait{}",
                      differing, fabric_.last_move(), unfinished, unfinished_nodes(waits)));
    default:
      throw RunFailure(
          fmt::format("cycle limit: {} cycles are over and {} nodes have not finished{}",
                      scenario_.cycle_limit, unfinished, unfinished_nodes(waits)));
  }
}

std::uint64_t Simulation::own_instructions() const {
  std::uint64_t n = 0;
  for (const auto& nic : nics_) {
    if (nic) n += nic->instructions();
  }
  return n - instructions_before_;
}

}  // namespace annelid::simulation
