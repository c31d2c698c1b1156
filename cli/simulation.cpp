#include "cli/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/core_trace.hpp"
#include "cli/run_failure.hpp"
#include "systemc/deadlock.hpp"
#include "systemc/rtl_router.hpp"

namespace annelid::cli {
namespace {

constexpr Cycle kCyclesBetweenProgress = 20'000;
constexpr Cycle kCyclesToDrain = 100'000;
constexpr std::size_t kNodesListed = 16;

std::string shown(Address a) { return fmt::format("{},{}", a.x, a.y); }

reg::Algorithm code_of(Algorithm algorithm) {
  return algorithm == Algorithm::kEdn ? reg::Algorithm::kEdn : reg::Algorithm::kRecursiveDoubling;
}

}  // namespace

void NicWatch::send_posted(Cycle now, const MessageInfo& info) {
  messages_.send_posted(now, info);
  for (NicObserver* o : others_) o->send_posted(now, info);
}
void NicWatch::send_started(Cycle now, const MessageInfo& info, Port local) {
  messages_.send_started(now, info, local);
  for (NicObserver* o : others_) o->send_started(now, info, local);
}
void NicWatch::send_completed(Cycle now, const MessageInfo& info) {
  messages_.send_completed(now, info);
  for (NicObserver* o : others_) o->send_completed(now, info);
}
void NicWatch::received(Cycle now, const MessageInfo& info) {
  messages_.received(now, info);
  for (NicObserver* o : others_) o->received(now, info);
}
void NicWatch::call_finished(Cycle now, NodeId node, std::uint16_t ticket, std::uint32_t result) {
  if (finished_[node] == kNever) ++finished_count_;
  finished_[node] = now;
  results_[node] = result;
  for (NicObserver* o : others_) o->call_finished(now, node, ticket, result);
}
void NicWatch::trapped(Cycle now, NodeId node, const Trap& trap) {
  if (!failure_) {
    failure_ = {now, node,
                fmt::format("the firmware trapped at pc {:#010x}, cause {} ({}), value {:#x}",
                            trap.pc, trap.cause, cause_name(trap.cause), trap.value)};
  }
  for (NicObserver* o : others_) o->trapped(now, node, trap);
}
void NicWatch::failed(Cycle now, NodeId node, reg::ErrorCause cause, const std::string& text) {
  if (!failure_) {
    failure_ = {now, node, fmt::format("the NIC found {}: {}", to_string(cause), text)};
  }
  for (NicObserver* o : others_) o->failed(now, node, cause, text);
}

Simulation::Simulation(const Scenario& scenario, const Image* image, const std::set<NodeId>& rtl)
    : scenario_(scenario),
      fabric_("fabric"),
      network_("noc", fabric_, scenario.network, make_rtl_routers(rtl)),
      tracker_(scenario.network),
      image_(image) {
  for (NodeId node = 0; node < scenario.network.nodes(); ++node) {
    const Address at = scenario.network.address(node);
    nics_.push_back(std::make_unique<Nic>(fmt::format("nic_{}_{}", at.x, at.y).c_str(),
                                          scenario.nic, node, fabric_));
    Nic& nic = *nics_.back();
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

void Simulation::watch(std::vector<FabricObserver*> observers,
                       std::vector<NicObserver*> nic_observers) {
  observers.insert(observers.begin(), &tracker_);
  tee_.emplace(std::move(observers));
  nic_watch_.emplace(scenario_.network, std::move(nic_observers));
  fabric_.set_observer(&*tee_);
  for (auto& nic : nics_) nic->set_observers(&*nic_watch_, &*tee_);
}

void Simulation::run(std::span<const std::byte> payload, Progress& progress) {
  nic(scenario_.network.id(scenario_.root)).memory().write(0, payload);
  using Word = reg::CallWord;
  Call call;
  call.set(Word::kOperation, static_cast<std::uint32_t>(reg::Operation::kBroadcast))
      .set(Word::kAlgorithm, static_cast<std::uint32_t>(code_of(scenario_.algorithm)))
      .set(Word::kRoot, scenario_.network.id(scenario_.root))
      .set(Word::kCount, static_cast<std::uint32_t>(payload.size()))
      .set(Word::kTag, 1);
  for (auto& nic : nics_) nic->call(call);
  const RunStatus status = run_to_end(progress);
  if (status == RunStatus::kDone && !nic_watch_->failure()) drain();
  tracker_.flush();
  progress.clear();
  if (status != RunStatus::kDone || nic_watch_->failure()) fail(status);
  for (NodeId node = 0; node < nics_.size(); ++node) {
    if (nic_watch_->results()[node] == 0) continue;
    throw RunFailure(fmt::format("node {}: the firmware refused the call with result {}",
                                 shown(scenario_.network.address(node)),
                                 nic_watch_->results()[node]));
  }
}

RunStatus Simulation::run_to_end(Progress& progress) {
  const auto over = [this] {
    return nic_watch_->finished_count() == nics_.size() || nic_watch_->failure().has_value();
  };
  for (;;) {
    const Cycle until = std::min(scenario_.cycle_limit, fabric_.now() + kCyclesBetweenProgress);
    const RunStatus status = fabric_.run_until(until, over);
    if (status != RunStatus::kCycleLimit || until == scenario_.cycle_limit) return status;
    progress.show(fmt::format("cycle {}: {} of {} nodes have finished, {} flits in flight",
                              fabric_.now(), nic_watch_->finished_count(), nics_.size(),
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
  std::string text;
  std::size_t listed = 0, left = 0;
  for (NodeId node = 0; node < nics_.size(); ++node) {
    if (nic_watch_->finished()[node] != kNever) continue;
    if (listed == kNodesListed) {
      ++left;
      continue;
    }
    ++listed;
    text += fmt::format("\n  node {}:", shown(scenario_.network.address(node)));
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
  if (const auto& trap = nics_[f.node]->trap(); trap && image_ != nullptr) {
    where = fmt::format(", in {}", image_->function_at(trap->pc));
  }
  return fmt::format("node {}, cycle {}: {}{}", shown(scenario_.network.address(f.node)), f.cycle,
                     f.text, where);
}

std::string Simulation::explain_deadlock() {
  const auto states = network_.states();
  const auto name = [this](const ChannelEnd& end) -> std::optional<HeadFields> {
    const auto packet = tracker_.front(end.node, end.in, end.vc);
    if (!packet) return std::nullopt;
    return tracker_.packets()[*packet].info.head;
  };
  return explain_stall(scenario_.network, states, name).text;
}

void Simulation::fail(RunStatus status) {
  if (nic_watch_->failure()) throw RunFailure(explain_failure());
  const std::size_t unfinished = nics_.size() - nic_watch_->finished_count();
  switch (status) {
    case RunStatus::kDeadlock:
      throw RunFailure(fmt::format(
          "deadlock: {} flits are in the network and none has moved since cycle {}\n{}{}",
          fabric_.flits_in_flight(), fabric_.last_move(), explain_deadlock(), unfinished_nodes()));
    case RunStatus::kQuiet:
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

}  // namespace annelid::cli
