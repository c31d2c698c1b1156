#include "simulation/machine/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/run_failure.hpp"
#include "interface/names.hpp"
#include "simulation/machine/node_waits.hpp"
#include "simulation/program/core_trace.hpp"
#include "simulation/program/trap_report.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/hybrid_keys.hpp"
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

std::uint32_t code_of(reference::Operator op) {
  constexpr std::array kCodes = {reg::Operator::kSum,     reg::Operator::kMin, reg::Operator::kMax,
                                 reg::Operator::kProduct, reg::Operator::kAnd, reg::Operator::kOr,
                                 reg::Operator::kXor};
  if (op == reference::Operator::kAffine) {
    return static_cast<std::uint32_t>(reg::CoreOperator::kAffine);
  }
  return static_cast<std::uint32_t>(kCodes[static_cast<std::size_t>(op)]);
}
reg::Type code_of(reference::ElementType type) {
  constexpr std::array kCodes = {reg::Type::kInt32, reg::Type::kUint32, reg::Type::kInt64,
                                 reg::Type::kFloat32};
  return kCodes[static_cast<std::size_t>(type)];
}

nic::Call call_of(const Collective& c, const MemoryLayout& layout) {
  using Word = reg::CallWord;
  const auto word = [](auto value) { return static_cast<std::uint32_t>(value); };
  nic::Call call;
  call.set(Word::kOperation, c.own ? c.own->operation : word(operation_code(c.operation())))
      .set(Word::kAlgorithm, c.own       ? c.own->algorithm
                             : c.by_auto ? kAutoCode
                                         : c.algorithm->code)
      .set(Word::kRoot, word(reference::index_of(c.network, c.root)))
      .set(Word::kSource, word(layout.source.offset))
      .set(Word::kTarget, word(layout.target.offset))
      .set(Word::kScratch, word(layout.scratch.offset))
      .set(Word::kCount, word(c.bytes))
      .set(Word::kTag, 1)
      .set(Word::kParameter0, c.by_triggers ? 1 : 0)
      .set(Word::kParameter1, c.parameter);
  if (!c.own && !c.by_auto && is_hybrid(*c.algorithm)) {
    const HybridWords words = hybrid_words(c);
    call.set(Word::kParameter1, words.sizes).set(Word::kFlags, words.flags);
  }
  if (!c.own && (c.algorithm->by_rank || c.by_auto)) {
    const bool left_open = c.by_auto && embeds_itself(c);
    call.set(Word::kParameter2, (left_open ? 0 : word(c.ranks.embedding)) |
                                    static_cast<std::uint32_t>(c.ranks.count) << 8U);
  }
  if (c.reduces() || (c.own && c.own->typed)) {
    call.set(Word::kCount, word(c.bytes / bytes_of(c.type)))
        .set(Word::kType, word(code_of(c.type)));
  }
  if (c.reduces() || (c.own && c.own->combines)) call.set(Word::kOperator, code_of(c.op));
  return call;
}

}  // namespace

NicWatch::NicWatch(const std::vector<std::unique_ptr<nic::Nic>>& nics,
                   std::vector<nic::NicObserver*> others)
    : nics_(nics),
      writes_(nics.size()),
      finished_(nics.size(), kNever),
      results_(nics.size()),
      others_(std::move(others)) {
  for (std::size_t node = 0; node < nics.size(); ++node) {
    writes_[node].filled = nics[node]->memory().writes();
  }
}

NicWatch::Writes NicWatch::stray_writes(NodeId node) const {
  const WriteCounts& counts = writes_[node];
  return {counts.called - counts.filled, nics_[node]->memory().writes() - counts.finished};
}

void NicWatch::called(Cycle now, NodeId node, std::uint16_t ticket) {
  writes_[node].called = nics_[node]->memory().writes();
  for (nic::NicObserver* o : others_) o->called(now, node, ticket);
}
void NicWatch::matched(Cycle now, NodeId node, const nic::MatchInfo& match) {
  for (nic::NicObserver* o : others_) o->matched(now, node, match);
}
void NicWatch::send_posted(Cycle now, const nic::MessageInfo& info) {
  messages_.send_posted(now, info);
  for (nic::NicObserver* o : others_) o->send_posted(now, info);
}
void NicWatch::send_started(Cycle now, const nic::MessageInfo& info, Port local) {
  messages_.send_started(now, info, local);
  for (nic::NicObserver* o : others_) o->send_started(now, info, local);
}
void NicWatch::send_completed(Cycle now, const nic::MessageInfo& info) {
  messages_.send_completed(now, info);
  for (nic::NicObserver* o : others_) o->send_completed(now, info);
}
void NicWatch::received(Cycle now, const nic::MessageInfo& info) {
  messages_.received(now, info);
  for (nic::NicObserver* o : others_) o->received(now, info);
}
void NicWatch::call_finished(Cycle now, NodeId node, std::uint16_t ticket, std::uint32_t result) {
  if (finished_[node] == kNever) ++finished_count_;
  finished_[node] = now;
  results_[node] = result;
  writes_[node].finished = nics_[node]->memory().writes();
  for (nic::NicObserver* o : others_) o->call_finished(now, node, ticket, result);
}
void NicWatch::trapped(Cycle now, NodeId node, const nic::Trap& trap) {
  if (!failure_) {
    failure_ = {now, node,
                fmt::format("the firmware trapped at pc {:#010x}, cause {} ({}), value {:#x}",
                            trap.pc, trap.cause, nic::cause_name(trap.cause), trap.value)};
  }
  for (nic::NicObserver* o : others_) o->trapped(now, node, trap);
}
void NicWatch::failed(Cycle now, NodeId node, reg::ErrorCause cause, const std::string& text) {
  if (!failure_) {
    failure_ = {now, node, fmt::format("the NIC found {}: {}", name_of(cause), text)};
  }
  for (nic::NicObserver* o : others_) o->failed(now, node, cause, text);
}

Simulation::Simulation(const Scenario& scenario, const nic::Image* image,
                       const std::set<NodeId>& rtl, std::uint64_t memory_bytes)
    : scenario_(scenario),
      fabric_("fabric"),
      network_("noc", fabric_, scenario.network, systemc::make_rtl_routers(rtl)),
      host_(fabric_, nics_),
      tracker_(scenario.network),
      image_(image) {
  for (NodeId node = 0; node < scenario.network.nodes(); ++node) {
    const Address at = scenario.network.address(node);
    nics_.push_back(std::make_unique<nic::Nic>(("nic_" + systemc::node_text(at, 3, '_')).c_str(),
                                               with_room(scenario.nic, memory_bytes), node,
                                               fabric_));
    nic::Nic& nic = *nics_.back();
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

void Simulation::watch(std::vector<systemc::FabricObserver*> observers,
                       std::vector<nic::NicObserver*> nic_observers) {
  systemc::FabricObserver* observer = &tracker_;
  if (!observers.empty()) {
    observers.insert(observers.begin(), &tracker_);
    observer = &tee_.emplace(std::move(observers));
  }
  nic_observers_ = std::move(nic_observers);
  nic_watch_.emplace(nics_, nic_observers_);
  fabric_.set_observer(observer);
  for (auto& nic : nics_) nic->set_observers(&*nic_watch_, observer);
}

void Simulation::record(CoreRecordings& recordings, const Program& program) {
  program_ = &program;
  for (auto& nic : nics_) recordings.listen(*nic, shown(nic->node()));
}

void Simulation::fill_memory(const Collective& collective, const reference::Inputs& inputs) {
  const MemoryLayout layout = layout_of(collective);
  for (NodeId node = 0; node < nics_.size(); ++node) {
    nic::NodeMemory& memory = nics_[node]->memory();
    const reference::Node at = reference::node_at(inputs.network, static_cast<int>(node));
    memory.clear();
    for (const Untouched& part : untouched(layout, collective, at, memory.size())) {
      for (const Buffer& filled : filled_parts(part.where)) filler_.fill(memory, filled);
    }
    filler_.fill(memory, {layout.target.offset, collective.target_bytes(at)});
    const bool in_place = collective.operation() == reference::Operation::kBroadcast;
    if (in_place && reference::takes_part(inputs, at)) filler_.fill(memory, layout.source);
    memory.write(layout.source.offset, inputs.source[node]);
  }
}

void Simulation::run(const Collective& collective, const reference::Inputs& inputs,
                     Progress& progress) {
  // In place: the NICs and the tee know where they are.
  tracker_ = systemc::PacketTracker(scenario_.network);
  fill_memory(collective, inputs);
  nic_watch_.emplace(nics_, nic_observers_);
  start_ = fabric_.now();
  host_.call(call_of(collective, layout_of(collective)), collective.skew, collective.seed);
  const systemc::RunStatus status = run_to_end(progress);
  if (status == systemc::RunStatus::kDone && !nic_watch_->failure()) drain();
  tracker_.flush();
  progress.clear();
  if (status != systemc::RunStatus::kDone || nic_watch_->failure()) fail(status);
  for (NodeId node = 0; node < nics_.size(); ++node) {
    const std::uint32_t result = nic_watch_->results()[node];
    if (result == 0) continue;
    throw RunFailure(fmt::format("node {}: the firmware refused the call with {}", shown(node),
                                 kind_and_text_of(static_cast<reg::CallResult>(result))));
  }
}

std::string Simulation::shown(NodeId node) const {
  return node_text(scenario_.network, scenario_.network.address(node));
}

systemc::RunStatus Simulation::run_to_end(Progress& progress) {
  const auto over = [this] {
    return nic_watch_->finished_count() == nics_.size() || nic_watch_->failure().has_value();
  };
  const Cycle limit = start_ + scenario_.cycle_limit;
  for (;;) {
    const Cycle until = std::min(limit, fabric_.now() + kRunProgressCycles);
    const systemc::RunStatus status = fabric_.run_until(until, over);
    if (status != systemc::RunStatus::kCycleLimit || until == limit) return status;
    progress.show(fmt::format("cycle {}: {} of {} nodes have finished, {} flits in flight",
                              fabric_.now() - start_, nic_watch_->finished_count(), nics_.size(),
                              fabric_.flits_in_flight()));
  }
}

// A call can be finished while the last packets of the NICs' own protocol are under way.
void Simulation::drain() {
  const auto empty = [this] {
    return fabric_.flits_in_flight() == 0 &&
           std::ranges::all_of(nics_, [](const auto& nic) { return nic->idle(); });
  };
  if (!empty()) fabric_.run_until(fabric_.now() + kCyclesToDrain, empty);
}

std::string Simulation::unfinished_nodes() const {
  std::string text = explain_waits(nics_, [this](NodeId node) { return shown(node); });
  if (!text.empty()) return text;
  std::size_t listed = 0, left = 0;
  for (NodeId node = 0; node < nics_.size(); ++node) {
    if (nic_watch_->finished()[node] != kNever) continue;
    if (listed == kNodesListed) {
      ++left;
      continue;
    }
    ++listed;
    text += fmt::format("\n  node {}:", shown(node));
    const std::string wait = nics_[node]->describe_wait();
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

const std::string& Simulation::explain_deadlock() {
  const auto states = network_.states();
  const auto name = [this](const systemc::ChannelEnd& end) -> std::optional<systemc::HeadFields> {
    const auto packet = tracker_.front(end.node, end.in, end.vc);
    if (!packet) return std::nullopt;
    return tracker_.packets()[*packet].info.head;
  };
  stall_ = explain_stall(scenario_.network, states, name);
  return stall_.text;
}

void Simulation::fail(systemc::RunStatus status) {
  if (nic_watch_->failure()) throw RunFailure(explain_failure());
  const std::size_t unfinished = nics_.size() - nic_watch_->finished_count();
  switch (status) {
    case systemc::RunStatus::kDeadlock:
      throw RunFailure(fmt::format(
          "deadlock: {} flits are in the network and none has moved since cycle {}\n{}{}",
          fabric_.flits_in_flight(), fabric_.last_move(), explain_deadlock(), unfinished_nodes()));
    case systemc::RunStatus::kQuiet:
      throw RunFailure(
          fmt::format("stall: the network is empty since cycle {}, and {} nodes still wait{}",
                      fabric_.last_move(), unfinished, unfinished_nodes()));
    default:
      throw RunFailure(
          fmt::format("cycle limit: {} cycles are over and {} nodes have not finished{}",
                      scenario_.cycle_limit, unfinished, unfinished_nodes()));
  }
}

std::uint64_t Simulation::instructions() const {
  std::uint64_t n = 0;
  for (const auto& nic : nics_) n += nic->instructions();
  return n;
}

}  // namespace annelid::simulation
