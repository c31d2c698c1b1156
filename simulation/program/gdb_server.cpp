#include "simulation/program/gdb_server.hpp"

#include <fmt/format.h>

#include <charconv>

#include "interface/registers.hpp"
#include "nic/core_costs.hpp"

namespace annelid::simulation {
namespace {

// Numbers of signals in the protocol.
constexpr unsigned kSigint = 2, kSigill = 4, kSigtrap = 5, kSigsegv = 11;
constexpr int kRegisters = 32;
constexpr Cycle kPollCycles = 4096;

std::optional<std::uint32_t> from_hex(std::string_view text) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value, 16);
  if (error != std::errc{} || at != end) return std::nullopt;
  return value;
}

/// A word as the protocol shows it: by bytes, the lowest first.
std::string word(std::uint32_t value) {
  return fmt::format("{:02x}{:02x}{:02x}{:02x}", value & 0xFF, value >> 8 & 0xFF,
                     value >> 16 & 0xFF, value >> 24);
}

std::string hex_text(const std::string& text) {
  std::string result;
  for (const char c : text) result += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return result;
}

/// The registers, for gdb: those of the ABI by their numbers, and the pc.
std::string description() {
  std::string text =
      "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target>"
      "<architecture>riscv:rv32</architecture><feature name=\"org.gnu.gdb.riscv.cpu\">";
  for (int i = 0; i < kRegisters; ++i) {
    text +=
        fmt::format("<reg name=\"{}\" bitsize=\"32\" type=\"{}\"/>", nic::rv32::register_name(i),
                    i == 1   ? "code_ptr"
                    : i == 2 ? "data_ptr"
                             : "int");
  }
  return text + "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\"/></feature></target>";
}

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

GdbServer::GdbServer(std::uint16_t port, std::function<std::string(NodeId)> name)
    : line_(port), name_(std::move(name)) {}

void GdbServer::connect(std::vector<nic::Nic*> nics) {
  nics_ = std::move(nics);
  line_.accept();
}

// ---- The machine --------------------------------------------------------------------------------

Cycle GdbServer::next(Cycle now) const {
  if (gone()) return kNever;
  return breakpoints_.empty() && !stepped_ ? now + kPollCycles : now + 1;
}

bool GdbServer::before_cycle(Cycle now) {
  if (gone()) return true;
  if (state_ == State::kStopped && !serve()) return false;  // at the start
  // What gdb does at a stop may lead to the next stop in the same cycle.
  while (!gone() && stops_here(now)) {
    if (!serve()) return false;
  }
  return true;
}

/// Whether a node would execute an instruction at a breakpoint in this cycle.
bool GdbServer::at_breakpoint(NodeId node, Cycle now) const {
  const nic::Core& c = core(node);
  return c.state() == nic::Core::State::kRunning && c.time() == now && is_breakpoint(c.pc());
}

/// Finds the nodes at breakpoints. Each is found once.
void GdbServer::find_hits(Cycle now) {
  if (hits_at_ == now) return;
  hits_at_ = now;
  hits_.clear();
  for (NodeId node = 0; node < nics_.size(); ++node) {
    if (at_breakpoint(node, now)) hits_.push_back({node, core(node).pc()});
  }
}

/// Lets the thread that goes on alone run ahead, up to a breakpoint or the end of its step.
bool GdbServer::stops_alone(Cycle now) {
  constexpr int kMostAhead = 64;  // instructions
  nic::Core& c = core(*alone_);
  for (int i = 0; i < kMostAhead; ++i) {
    const std::uint64_t before = c.instructions();
    // Interrupts are not known: where one could come, this executes nothing.
    c.run(c.time() + 1, {std::nullopt, 0});
    if (c.instructions() == before) break;
    const bool stepped = stepped_ && c.instructions() > stepped_from_;
    if (!stepped && !is_breakpoint(c.pc())) continue;
    stop(*alone_, kSigtrap, !stepped);
    return true;
  }
  if (!at_breakpoint(*alone_, now) || c.instructions() == alone_from_) return false;
  stop(*alone_, kSigtrap, true);
  return true;
}

bool GdbServer::stops_here(Cycle now) {
  if (++polled_ % kPollCycles == 0 || next(now) > now + 1) {
    if (line_.has_input()) {
      const auto packet = line_.receive();
      if (!packet) {
        state_ = State::kGone;
        return false;
      }
      if (*packet == GdbConnection::kInterrupt) {
        stop(node_, kSigint, false);
        return true;
      }
    }
  }
  if (alone_) {
    if (stops_alone(now)) return true;
  } else {
    find_hits(now);
  }
  while (!alone_ && !hits_.empty()) {
    const Hit hit = hits_.front();
    hits_.pop_front();
    if (!is_breakpoint(hit.pc)) continue;
    stop(hit.node, kSigtrap, true);
    return true;
  }
  if (stepped_ && core(*stepped_).instructions() > stepped_from_) {
    stop(*stepped_, kSigtrap, false);
    return true;
  }
  return false;
}

void GdbServer::trapped(NodeId node, std::uint32_t cause) {
  if (gone()) return;
  stop(node, signal_of(cause), false);
  (void)serve();
}

void GdbServer::ended(int status) {
  if (gone() || state_ == State::kKilled) return;
  line_.send(fmt::format("W{:02x}", status & 0xFF));
  // gdb closes the line; what it still asks gets no answer.
  while (line_.receive()) {
  }
  state_ = State::kGone;
}

/// The machine stops, and tells gdb why.
void GdbServer::stop(NodeId node, unsigned signal, bool at_breakpoint) {
  state_ = State::kStopped;
  node_ = node;
  stepped_.reset();
  alone_.reset();
  reason_ = fmt::format("T{:02x}thread:{:x};{}", signal, node + 1,
                        at_breakpoint && tells_breakpoints_ ? "swbreak:;" : "");
  line_.send(reason_);
}

/// Answers gdb until the machine shall go on. False: gdb has ended the run.
bool GdbServer::serve() {
  while (state_ == State::kStopped) {
    const auto packet = line_.receive();
    if (packet) {
      answer(*packet);
    } else {
      state_ = State::kGone;
    }
  }
  return state_ != State::kKilled;
}

// ---- Packets ------------------------------------------------------------------------------------

void GdbServer::answer(const std::string& packet) {
  const char kind = packet.empty() ? 0 : packet.front();
  const std::string rest = packet.empty() ? "" : packet.substr(1);
  switch (kind) {
    case '?':
      return line_.send(reason_ == "S05" ? "T05thread:1;" : reason_);
    case 'g':
      return line_.send(registers());
    case 'p':
      return line_.send(register_value(rest));
    case 'm':
      return line_.send(memory(rest));
    case 'G':
    case 'P':
    case 'M':
      return line_.send("E01");  // the machine goes on as without gdb
    case 'H': {
      const auto node = thread(rest.empty() ? "" : rest.substr(1));
      if (node && rest.front() == 'g') node_ = *node;
      return line_.send("OK");
    }
    case 'T':
      return line_.send(thread(rest) ? "OK" : "E01");
    case 'Z':
    case 'z':
      return change_breakpoint(packet);
    case 'c':
      return resume("c");
    case 's':
      return resume("s");
    case 'v':
      if (packet == "vCont?") return line_.send("vCont;c;C;s;S");
      if (packet.starts_with("vCont;")) return resume(packet.substr(6));
      return line_.send(packet.starts_with("vKill") ? (state_ = State::kKilled, "OK") : "");
    case 'k':
      state_ = State::kKilled;
      return;
    case 'D':
      line_.send("OK");
      state_ = State::kGone;
      return;
    case 'q':
    case 'Q':
      return query(packet);
    default:
      return line_.send("");
  }
}

void GdbServer::query(const std::string& packet) {
  if (packet.starts_with("qSupported")) {
    tells_breakpoints_ = packet.find("swbreak+") != std::string::npos;
    return line_.send(
        "PacketSize=4000;qXfer:features:read+;swbreak+;vContSupported+;QStartNoAckMode+");
  }
  if (packet == "QStartNoAckMode") {
    line_.send("OK");
    return line_.stop_acknowledging();
  }
  constexpr std::string_view kFeatures = "qXfer:features:read:target.xml:";
  if (packet.starts_with(kFeatures)) {
    const std::string range = packet.substr(kFeatures.size());
    const std::size_t comma = range.find(',');
    const auto from = from_hex(range.substr(0, comma));
    const auto count =
        comma == std::string::npos ? std::nullopt : from_hex(range.substr(comma + 1));
    const std::string text = description();
    if (!from || !count || *from > text.size()) return line_.send("E01");
    return line_.send((*from + *count < text.size() ? "m" : "l") + text.substr(*from, *count));
  }
  if (packet == "qfThreadInfo") {
    std::string list;
    for (NodeId node = 0; node < nics_.size(); ++node)
      list += fmt::format("{}{:x}", node == 0 ? "m" : ",", node + 1);
    return line_.send(list);
  }
  if (packet == "qsThreadInfo") return line_.send("l");
  if (packet == "qC") return line_.send(fmt::format("QC{:x}", node_ + 1));
  if (packet == "qAttached") return line_.send("1");
  constexpr std::string_view kExtra = "qThreadExtraInfo,";
  if (packet.starts_with(kExtra)) {
    const auto node = thread(packet.substr(kExtra.size()));
    if (!node) return line_.send("E01");
    return line_.send(hex_text("node " + name_(*node)));
  }
  line_.send("");
}

std::optional<NodeId> GdbServer::thread(const std::string& text) const {
  const auto number = from_hex(text);
  if (!number || *number == 0 || *number > nics_.size()) return std::nullopt;
  return static_cast<NodeId>(*number - 1);
}

/// The actions of vCont, such as "s:1;c". All nodes go on in any case. An action without a thread
/// is that of all threads that no other action names.
void GdbServer::resume(const std::string& actions) {
  state_ = State::kRunning;
  bool all = false;
  std::optional<NodeId> first;
  for (std::size_t at = 0; at < actions.size();) {
    const std::size_t end = std::min(actions.find(';', at), actions.size());
    const std::string action = actions.substr(at, end - at);
    at = end + 1;
    if (action.empty()) continue;
    const std::size_t colon = action.find(':');
    const auto node = colon == std::string::npos ? std::nullopt : thread(action.substr(colon + 1));
    if (!node) all = true;
    if (!first) first = node.value_or(node_);
    if (!stepped_ && (action.front() == 's' || action.front() == 'S')) {
      stepped_ = node.value_or(node_);
      stepped_from_ = core(*stepped_).instructions();
    }
  }
  if (all) return;
  alone_ = first.value_or(node_);
  alone_from_ = core(*alone_).instructions();
}

void GdbServer::change_breakpoint(const std::string& packet) {
  const std::size_t first = packet.find(','), second = packet.find(',', first + 1);
  const bool software = packet.size() > 1 && (packet[1] == '0' || packet[1] == '1');
  if (!software || first == std::string::npos || second == std::string::npos) return line_.send("");
  const auto address = from_hex(packet.substr(first + 1, second - first - 1));
  if (!address) return line_.send("E01");
  if (packet.front() == 'Z') {
    breakpoints_.insert(*address);
  } else {
    breakpoints_.erase(*address);
  }
  line_.send("OK");
}

std::string GdbServer::registers() const {
  std::string text;
  for (int i = 0; i < kRegisters; ++i) text += word(core(node_).reg(i));
  return text + word(core(node_).pc());
}

std::string GdbServer::register_value(const std::string& number) const {
  const auto i = from_hex(number);
  if (!i || *i > kRegisters) return "E01";
  return word(*i == kRegisters ? core(node_).pc() : core(node_).reg(static_cast<int>(*i)));
}

std::string GdbServer::memory(const std::string& range) const {
  const std::size_t comma = range.find(',');
  const auto from = from_hex(range.substr(0, comma));
  const auto count = comma == std::string::npos ? std::nullopt : from_hex(range.substr(comma + 1));
  if (!from || !count) return "E01";
  std::string text;
  for (std::uint32_t i = 0; i < *count && i < 0x2000; ++i) {
    const std::uint32_t address = *from + i;
    std::uint32_t byte = 0;
    if (nic::in_ram(address, 1)) {
      byte = core(node_).load(address, 1);
    } else if (address >= reg::kMemoryBase &&
               nics_[node_]->memory().contains(address - reg::kMemoryBase, 1)) {
      byte = static_cast<std::uint32_t>(nics_[node_]->memory().load(address - reg::kMemoryBase, 1));
    } else {
      break;
    }
    text += fmt::format("{:02x}", byte);
  }
  return text.empty() && *count > 0 ? "E14" : text;
}

}  // namespace annelid::simulation
