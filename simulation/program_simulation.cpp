#include "simulation/program_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "simulation/program/trap_report.hpp"
#include "systemc/cosim/rtl_router.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::simulation {
namespace {

constexpr Cycle kProgramProgressCycles = 1'000'000;
// The ABI's registers of a system call, and Linux's number of exit, which newlib uses too.
constexpr int kA0 = 10, kA7 = 17;
constexpr std::uint32_t kEcall = 11, kExit = 93;

bool exits(const nic::Core& core, const nic::Trap& trap) {
  return trap.cause == kEcall && core.reg(kA7) == kExit;
}

/// The NIC's lines but for those about the core, which has been described.
std::vector<std::string> waits_of(const nic::Nic& nic) {
  std::vector<std::string> lines;
  std::istringstream text(nic.describe_wait());
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("core ") && !line.starts_with("halted ")) lines.push_back(line);
  }
  return lines;
}

}  // namespace

ProgramSimulation::ProgramSimulation(const CoreProgram& program, const Options& options)
    : program_(program),
      options_(options),
      fabric_("fabric"),
      network_("noc", fabric_, options.nic.network, systemc::make_rtl_routers(options.rtl)),
      output_(options.take_line, [this](NodeId node) { return name(node); }) {
  for (NodeId node = 0; node < options.nic.network.nodes(); ++node) {
    nics_.push_back(std::make_unique<nic::Nic>(fmt::format("nic_{}", node).c_str(), options.nic,
                                               node, fabric_));
    nic::Nic& nic = *nics_.back();
    for (int l = 0; l < options.nic.network.router.local_ports; ++l) {
      const auto local = static_cast<std::size_t>(l);
      network_.attach(node, l, nic.to_router[local], nic.from_router[local]);
    }
    if (options.native != nullptr) {
      load_native(nic);
    } else {
      nic.load(program.image);
      nic.core()->stop_before(options.cycle_limit);
    }
    nic.set_observers(this, nullptr);
  }
}

// SystemC looks for a port that goes among all there are, from the last one on.
ProgramSimulation::~ProgramSimulation() {
  while (!nics_.empty()) nics_.pop_back();
}

void ProgramSimulation::load_native(nic::Nic& nic) {
  const auto write = [this, node = nic.node()](int descriptor, const std::string& text) {
    printed(fabric_.now(), node, descriptor, text);
  };
  auto process = std::make_unique<NativeProcess>(*options_.native, nic, nic.memory(), write);
  processes_.push_back(process.get());
  nic.load(std::move(process));
}

void ProgramSimulation::watch(std::vector<systemc::FabricObserver*> observers) {
  if (observers.empty()) return;
  tee_.emplace(std::move(observers));
  fabric_.set_observer(&*tee_);
  for (auto& nic : nics_) nic->set_observers(this, &*tee_);
}

void ProgramSimulation::record(CoreRecordings& recordings, CoreTimes* times) {
  recordings_ = &recordings;
  times_ = times;
  core_tracers_.emplace(nics_, nullptr);
  for (auto& nic : nics_) {
    const NodeId node = nic->node();
    nic::CoreTracer* const listener = recordings.tracer(node, name(node));
    if (listener != nullptr) core_tracers_->add(node, listener);
    if (times != nullptr) core_tracers_->add(node, times->tracer(node));
  }
}

void ProgramSimulation::trapped(Cycle now, NodeId node, const nic::Trap& trap) {
  if (!failure_.empty()) return;
  if (!processes_.empty()) {
    failure_ = fmt::format("node {}, cycle {}: {}, mtval {:#x}", name(node), now,
                           nic::cause_name(trap.cause), trap.value);
    return;
  }
  if (exits(*nics_[node]->core(), trap)) return;
  failure_ = fmt::format("node {}, cycle {}: {}{}", name(node), now, describe_trap(program_, trap),
                         describe_core(program_, *nics_[node]->core(), trap.pc));
  failed_ = node;
}

void ProgramSimulation::failed(Cycle now, NodeId node, reg::ErrorCause cause,
                               const std::string& text) {
  if (!failure_.empty() || options_.errors_allowed) return;
  failure_ = fmt::format("node {}, cycle {}: {}: {}", name(node), now, name_of(cause), text);
  failed_ = node;
}

void ProgramSimulation::debug(GdbServer& gdb) {
  gdb_ = &gdb;
  std::vector<nic::Nic*> nics;
  for (auto& nic : nics_) nics.push_back(nic.get());
  gdb.look_at(std::move(nics), [this](NodeId node) { return name(node); });
}

void ProgramSimulation::run_to_end(Progress& progress) {
  const auto over = [this] { return !failure_.empty(); };
  if (gdb_ != nullptr) {
    status_ = gdb_->run_until(fabric_, options_.cycle_limit, over);
    if (gdb_->killed()) failure_ = gdb_->end_text(fabric_.now());
    return;
  }
  do {
    const Cycle until = std::min(options_.cycle_limit, fabric_.now() + kProgramProgressCycles);
    status_ = fabric_.run_until(until, over, systemc::SystemcTime::kStandsStill);
    progress.show(
        fmt::format("cycle {}, {} flits in flight", fabric_.now(), fabric_.flits_in_flight()));
  } while (status_ == systemc::RunStatus::kCycleLimit && fabric_.now() < options_.cycle_limit);
}

/// gdb sees what has failed, and then the exit status of the run: that of the first node that has
/// another one than 0.
void ProgramSimulation::say_end_to_gdb() {
  const auto bad = std::ranges::find_if(ends_, [](const NodeEnd& e) { return e.status != 0; });
  const auto stuck = std::ranges::find_if(ends_, [](const NodeEnd& e) { return !e.good(); });
  if (failed_ && nics_[*failed_]->trap()) {
    gdb_->trapped(*failed_, nics_[*failed_]->trap()->cause);
  } else if (failed_) {
    gdb_->failed(*failed_);
  } else if (stuck != ends_.end() && stuck->status == 0) {
    gdb_->failed(static_cast<NodeId>(stuck - ends_.begin()));
  }
  gdb_->ended(bad != ends_.end() ? static_cast<int>(bad->status) : failure().empty() ? 0 : 1);
}

void ProgramSimulation::run(Progress& progress) {
  run_to_end(progress);
  progress.clear();
  output_.finish(fabric_.now());
  Cycle end = fabric_.now();
  at_rest_ = at_rest();
  for (auto& nic : nics_) {
    ends_.push_back(processes_.empty() ? end_of(*nic) : native_end_of(*nic));
    end = std::max(end, ends_.back().cycles);
  }
  if (gdb_ != nullptr) say_end_to_gdb();
  // If all is quiet, cores that were ahead have done what they do.
  if (times_ != nullptr && status_ != systemc::RunStatus::kQuiet) times_->end(fabric_.now());
  if (recordings_ == nullptr) return;
  for (NodeId node = 0; node < nics_.size(); ++node) {
    const NodeEnd::How how = ends_[node].how;
    const bool asleep = how == NodeEnd::How::kAsleep || how == NodeEnd::How::kAsleepForGood;
    recordings_->end(node, asleep ? end : ends_[node].cycles);
  }
}

/// Nothing is in the network, and no node can do anything any more. The run may have ended in the
/// cycle before the fabric would have noticed.
bool ProgramSimulation::at_rest() const {
  if (status_ == systemc::RunStatus::kQuiet) return true;
  return fabric_.flits_in_flight() == 0 && std::ranges::all_of(nics_, [](const auto& nic) {
           return nic->idle() && nic->processor_next().at == kNever;
         });
}

/// Only what is at rest, or has no interrupt that others cause, sleeps for good.
void ProgramSimulation::describe_sleep(nic::Nic& nic, NodeEnd& end) const {
  const nic::Processor::Next next = nic.processor_next();
  const bool waits_for_others = (next.awaits & nic::rv32::kExternalInterrupt) != 0;
  const bool for_good = at_rest_ || (next.at == kNever && !waits_for_others);
  end.how = for_good ? NodeEnd::How::kAsleepForGood : NodeEnd::How::kAsleep;
  end.wakes = next.at;
}

NodeEnd ProgramSimulation::native_end_of(nic::Nic& nic) const {
  const NativeProcess& process = *processes_[nic.node()];
  NodeEnd end;
  end.node = name(nic.node());
  end.cycles = process.ended() ? process.end_cycle() : fabric_.now();
  end.place = "a place that nobody knows: it is native code";
  if (nic.trap()) {
    end.how = NodeEnd::How::kTrapped;
    end.trap = *nic.trap();
  } else if (process.ended()) {
    end.how = NodeEnd::How::kExited;
    end.status = static_cast<std::uint32_t>(*process.status());
  } else if (!process.goes_on()) {
    describe_sleep(nic, end);
  }
  if (!nic.idle()) end.waits = waits_of(nic);
  return end;
}

NodeEnd ProgramSimulation::end_of(nic::Nic& nic) const {
  const nic::Core& core = *nic.core();
  NodeEnd end;
  end.node = name(nic.node());
  end.cycles = core.time();
  end.instructions = core.instructions();
  end.pc = core.pc();
  if (nic.trap()) {
    end.trap = *nic.trap();
    end.how = exits(core, end.trap) ? NodeEnd::How::kExited : NodeEnd::How::kTrapped;
    if (end.how == NodeEnd::How::kExited) end.status = core.reg(kA0);
  } else if (core.state() == nic::Core::State::kAsleep) {
    describe_sleep(nic, end);
    end.pc -= 4;  // the WFI
  }
  if (end.how == NodeEnd::How::kTrapped) end.pc = end.trap.pc;
  end.place = describe_place(program_, end.pc);
  if (!nic.idle()) end.waits = waits_of(nic);
  return end;
}

std::string ProgramSimulation::failure() const {
  if (!failure_.empty()) return failure_;
  if (status_ == systemc::RunStatus::kDeadlock) {
    return fmt::format("deadlock: {} flits are in the network and none has moved since cycle {}",
                       fabric_.flits_in_flight(), fabric_.last_move());
  }
  const auto count = std::ranges::count_if(ends_, [](const NodeEnd& e) { return !e.good(); });
  if (status_ == systemc::RunStatus::kCycleLimit && !at_rest_) {
    const std::uint64_t flits = fabric_.flits_in_flight();
    return fmt::format("cycle limit: {} cycles are over and {} of {} nodes have not ended{}",
                       options_.cycle_limit, count, ends_.size(),
                       flits > 0 ? fmt::format("; {} flits are in the network", flits) : "");
  }
  if (count == 0) return "";
  const NodeEnd& first = *std::ranges::find_if(ends_, [](const NodeEnd& e) { return !e.good(); });
  if (first.how == NodeEnd::How::kExited && first.status != 0) {
    return fmt::format("node {}: exit status {}", first.node, first.status);
  }
  return fmt::format("stall: the network is empty, and {} of {} nodes wait for what will not come",
                     count, ends_.size());
}

std::string ProgramSimulation::name(NodeId node) const {
  const systemc::NetworkConfig& network = options_.nic.network;
  return node_text(network, network.address(node));
}

}  // namespace annelid::simulation
