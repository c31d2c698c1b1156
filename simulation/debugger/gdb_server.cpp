#include "simulation/debugger/gdb_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace annelid::simulation {
namespace {

// Numbers of signals in the protocol.
constexpr unsigned kSigint = 2, kSigill = 4, kSigtrap = 5, kSigabrt = 6, kSigsegv = 11;
/// gdb is asked whether it interrupts the machine after about so many looks at a node, or watched
/// bytes of one. They take some milliseconds.
constexpr std::uint64_t kMostWork = 1U << 18;
/// What the simulation of a node's cycle takes, as such looks.
constexpr std::uint64_t kWorkOfCycle = 16;
/// Even large machines run so many cycles at a time, because idle ones skip cycles.
constexpr Cycle kLeastCycles = 256;

unsigned signal_of(std::uint32_t cause) {
  constexpr std::uint32_t kFetch = 1, kIllegalInstruction = 2, kBreak = 3, kLoad = 5, kStore = 7;
  switch (cause) {
    case kFetch:
    case kLoad:
    case kStore:
      return kSigsegv;
    case kIllegalInstruction:
      return kSigill;
    case kBreak:
    default:
      return kSigtrap;
  }
}

}  // namespace

void GdbServer::look_at(std::vector<nic::Nic*> nics, std::function<std::string(NodeId)> name) {
  nics_ = std::move(nics);
  name_ = std::move(name);
  reason_ = fmt::format("T{:02x}thread:1;", kSigtrap);
}

// ---- The machine --------------------------------------------------------------------------------

systemc::RunStatus GdbServer::run_until(systemc::Fabric& fabric, Cycle limit,
                                        const systemc::StopCondition& done) {
  constexpr auto kTime = systemc::SystemcTime::kStandsStill;
  for (;;) {
    if (!before_cycle(fabric.now())) return systemc::RunStatus::kDone;
    const Cycle until = std::min(limit, next(fabric.now()));
    const systemc::RunStatus status = fabric.run_until(until, done, kTime);
    if (status == systemc::RunStatus::kCycleLimit) {
      if (until == limit) return status;
      continue;
    }
    if (!stops_at_end()) return status;
    if (!serve()) return systemc::RunStatus::kDone;
    // gdb may have given the machine something to do.
    if (status != systemc::RunStatus::kQuiet) return status;
  }
}

/// Whether the machine may have to stop in any cycle.
bool GdbServer::looks() const {
  return !breakpoints_.empty() || !watchpoints_.empty() || stepped_ || alone_;
}

/// The cycle before which the server must look at the machine next.
Cycle GdbServer::next(Cycle now) const {
  if (gone()) return kNever;
  if (looks()) return now + 1;
  return now + std::max<Cycle>(kMostWork / kWorkOfCycle / nics_.size(), kLeastCycles);
}

/// Lets gdb look at the machine if it stops before cycle `now`, and returns when it shall go on.
/// False: gdb has ended the run.
bool GdbServer::before_cycle(Cycle now) {
  if (gone()) return true;
  if (state_ == State::kStopped && !serve()) return false;  // at the start
  std::ranges::copy(watchpoints_.after_cycle(nics_), std::back_inserter(accesses_));
  // What gdb does at a stop may lead to the next stop in the same cycle.
  while (!gone() && stops_here(now)) {
    if (!serve()) return false;
  }
  if (!gone()) watchpoints_.before_cycle(nics_);
  return true;
}

/// The run ends here: what its last cycle has done is told before.
bool GdbServer::stops_at_end() {
  if (gone()) return false;
  std::ranges::copy(watchpoints_.after_cycle(nics_), std::back_inserter(accesses_));
  return stops_at_access() || stops_behind_step();
}

bool GdbServer::at_breakpoint(NodeId node, Cycle now) const {
  const nic::Core& c = core(node);
  return is_breakpoint(c.pc()) && c.starts(now, nics_[node]->mip());
}

bool GdbServer::stops_here(Cycle now) {
  return stops_by_interrupt() || stops_at_access() ||
         (alone_ ? stops_alone(now) : stops_at_breakpoint(now)) || stops_behind_step();
}

bool GdbServer::stops_by_interrupt() {
  if (std::exchange(interrupted_, false)) {
    stop(node_, kSigint, "");
    return true;
  }
  work_ += looks() ? nics_.size() * (kWorkOfCycle + watchpoints_.bytes()) : kMostWork;
  if (work_ < kMostWork) return false;
  work_ = 0;
  switch (line_.arrived()) {
    case GdbConnection::Arrived::kNothing:
      return false;
    case GdbConnection::Arrived::kInterrupt:
      stop(node_, kSigint, "");
      return true;
    case GdbConnection::Arrived::kHangUp:
      leave();
      return false;
  }
  return false;
}

/// Tells of an access that a watchpoint waits for. While one thread goes on alone, gdb does not
/// expect the others to stop: they are told of afterwards.
bool GdbServer::stops_at_access() {
  const auto due = [this](const Watchpoints::Hit& h) { return !alone_ || h.node == *alone_; };
  for (auto at = accesses_.begin();
       (at = std::find_if(at, accesses_.end(), due)) != accesses_.end();) {
    const Watchpoints::Hit hit = *at;
    at = accesses_.erase(at);
    if (!watchpoints_.contains(hit.watchpoint)) continue;
    stop(hit);
    return true;
  }
  return false;
}

bool GdbServer::stops_at_breakpoint(Cycle now) {
  if (breakpoints_.empty()) return false;
  for (NodeId node = 0; node < nics_.size(); ++node) {
    if (node == stepped_ || !at_breakpoint(node, now)) continue;
    stop_at_breakpoint(node);
    return true;
  }
  return false;
}

/// Lets the thread that goes on alone run ahead, up to a breakpoint or the end of its step.
bool GdbServer::stops_alone(Cycle now) {
  constexpr int kMostAhead = 64;  // instructions
  nic::Core& c = core(*alone_);
  for (int i = 0; i < kMostAhead; ++i) {
    if (stops_behind_step()) return true;
    // In later cycles interrupts are not known: where one could come, the core does nothing.
    const std::optional<std::uint32_t> pending =
        c.time() <= now ? std::optional(nics_[*alone_]->mip()) : std::nullopt;
    if (!stepped_ && is_breakpoint(c.pc()) && c.starts(std::max(c.time(), now), pending)) {
      stop_at_breakpoint(*alone_);
      return true;
    }
    const std::uint64_t before = c.instructions();
    const auto access = c.next_access();
    c.run(c.time() + 1, {c.time() == now ? pending : std::nullopt, 0});
    if (c.instructions() == before) return false;
    const auto hit = access ? watchpoints_.find(*alone_, *access) : std::nullopt;
    if (hit) {
      stop(*hit);
      return true;
    }
  }
  return false;
}

bool GdbServer::stops_behind_step() {
  if (!stepped_ || core(*stepped_).instructions() == stepped_from_) return false;
  stop_behind_step(*stepped_);
  return true;
}

std::string GdbServer::end_text(Cycle now) {
  return fmt::format("gdb has ended the run before cycle {}", now);
}

void GdbServer::trapped(NodeId node, std::uint32_t cause) {
  look_a_last_time(node, signal_of(cause));
}

void GdbServer::failed(NodeId node) { look_a_last_time(node, kSigabrt); }

void GdbServer::look_a_last_time(NodeId node, unsigned signal) {
  if (gone() || killed()) return;
  stop(node, signal, "");
  (void)serve();
}

void GdbServer::ended(int status) {
  if (gone() || killed()) return;
  line_.send(fmt::format("W{:02x}", status & 0xFF));
  // gdb closes the line; what it still asks gets no answer.
  while (line_.receive()) {
  }
  leave();
}

// ---- Stops --------------------------------------------------------------------------------------

/// The machine stops, and tells gdb why.
void GdbServer::stop(NodeId node, unsigned signal, const std::string& reason) {
  state_ = State::kStopped;
  node_ = node;
  stepped_.reset();
  alone_.reset();
  reason_ = fmt::format("T{:02x}thread:{:x};{}", signal, node + 1, reason);
  line_.send(reason_);
}

void GdbServer::stop(const Watchpoints::Hit& hit) {
  constexpr const char* kNames[] = {"watch", "rwatch", "awatch"};
  stop(hit.node, kSigtrap,
       fmt::format("{}:{:x};", kNames[static_cast<std::size_t>(hit.watchpoint.kind)], hit.address));
  at_access_ = true;
}

void GdbServer::stop_at_breakpoint(NodeId node) {
  stop(node, kSigtrap, tells_breakpoints_ ? "swbreak:;" : "");
}

void GdbServer::stop_behind_step(NodeId node) { stop(node, kSigtrap, ""); }

/// The run goes on without gdb.
void GdbServer::leave() {
  state_ = State::kGone;
  line_.hang_up();
}

/// Answers gdb until the machine shall go on. False: gdb has ended the run.
bool GdbServer::serve() {
  while (state_ == State::kStopped) {
    const auto packet = line_.receive();
    if (!packet) {
      leave();
    } else if (*packet == GdbConnection::kInterrupt) {
      // No packet: it has no answer, but takes effect when the machine goes on.
      interrupted_ = true;
    } else {
      answer(*packet);
    }
  }
  return !killed();
}

}  // namespace annelid::simulation
