#include "simulation/program/gdb_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "nic/disassemble.hpp"
#include "simulation/program/gdb_node.hpp"
#include "simulation/program/gdb_text.hpp"

namespace annelid::simulation {
namespace {

// Numbers of signals in the protocol.
constexpr unsigned kSigint = 2, kSigill = 4, kSigtrap = 5, kSigsegv = 11;
constexpr Cycle kPollCycles = 4096;
// Answers to what cannot be done.
constexpr const char *kRefused = "E01", *kBadAddress = "E14";

/// The registers, for gdb: those of the ABI by their numbers, and the pc.
std::string description() {
  std::string text =
      "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target>"
      "<architecture>riscv:rv32</architecture><feature name=\"org.gnu.gdb.riscv.cpu\">";
  for (int i = 0; i < kPcNumber; ++i) {
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
  const bool looks = !breakpoints_.empty() || !watchpoints_.empty() || stepped_;
  return looks ? now + 1 : now + kPollCycles;
}

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
    const auto access = c.next_access();
    // Interrupts are not known: where one could come, this executes nothing.
    c.run(c.time() + 1, {std::nullopt, 0});
    if (c.instructions() == before) break;
    const auto hit = access ? watchpoints_.find(*alone_, *access) : std::nullopt;
    if (hit) {
      stop(*hit);
      return true;
    }
    const bool stepped = stepped_ && c.instructions() > stepped_from_;
    if (!stepped && !is_breakpoint(c.pc())) continue;
    stop(*alone_, kSigtrap, stepped ? "" : breakpoint_reason());
    return true;
  }
  if (!at_breakpoint(*alone_, now) || c.instructions() == alone_from_) return false;
  stop(*alone_, kSigtrap, breakpoint_reason());
  return true;
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

bool GdbServer::stops_here(Cycle now) {
  if (++polled_ % kPollCycles == 0 || next(now) > now + 1) {
    if (line_.has_input()) {
      const auto packet = line_.receive();
      if (!packet) {
        state_ = State::kGone;
        return false;
      }
      if (*packet == GdbConnection::kInterrupt) {
        stop(node_, kSigint, "");
        return true;
      }
    }
  }
  if (stops_at_access()) return true;
  if (alone_) {
    if (stops_alone(now)) return true;
  } else {
    find_hits(now);
  }
  while (!alone_ && !hits_.empty()) {
    const Hit hit = hits_.front();
    hits_.pop_front();
    if (!is_breakpoint(hit.pc)) continue;
    stop(hit.node, kSigtrap, breakpoint_reason());
    return true;
  }
  if (stepped_ && core(*stepped_).instructions() > stepped_from_) {
    stop(*stepped_, kSigtrap, "");
    return true;
  }
  return false;
}

void GdbServer::trapped(NodeId node, std::uint32_t cause) {
  if (gone()) return;
  stop(node, signal_of(cause), "");
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

std::string GdbServer::breakpoint_reason() const { return tells_breakpoints_ ? "swbreak:;" : ""; }

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
      return line_.send(set_registers(rest));
    case 'P':
      return line_.send(set_register(rest));
    case 'M':
    case 'X':
      return line_.send(set_memory(kind, rest));
    case 'H': {
      const auto node = thread(rest.empty() ? "" : rest.substr(1));
      if (node && rest.front() == 'g') node_ = *node;
      return line_.send("OK");
    }
    case 'T':
      return line_.send(thread(rest) ? "OK" : "E01");
    case 'Z':
    case 'z':
      return line_.send(change_point(packet));
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
    return line_.send(to_hex("node " + name_(*node)));
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
  const bool done = std::exchange(at_access_, false);
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
  // gdb takes the stop for one before the access, removes the watchpoints, and lets the thread do
  // the access alone. It is done.
  if (done && watchpoints_.empty()) return stop(*alone_, kSigtrap, "");
  alone_from_ = core(*alone_).instructions();
}

/// "Z0,address,kind" and the like.
std::string GdbServer::change_point(const std::string& packet) {
  constexpr std::string_view kForms = "Z0,";
  const std::string of = packet.substr(0, std::min(packet.size(), kForms.size()));
  if (of.size() < kForms.size() || of[1] < '0' || of[1] > '4') return "";
  // What follows a ; are conditions, which gdb judges by itself.
  const auto range = range_from_hex(packet.substr(of.size(), packet.find(';') - of.size()));
  if (!range) return "E01";
  const bool put = packet.front() == 'Z';
  if (of[1] == '0' || of[1] == '1') {
    put ? (void)breakpoints_.insert(range->address) : (void)breakpoints_.erase(range->address);
    return "OK";
  }
  if (range->bytes == 0) return "E01";
  const Watchpoint w{static_cast<Watchpoint::Kind>(of[1] - '2'), range->address, range->bytes};
  put ? watchpoints_.add(w) : watchpoints_.remove(w);
  return "OK";
}

std::string GdbServer::registers() const {
  std::string text;
  for (int i = 0; i <= kPcNumber; ++i) text += word_to_hex(core_register(nic(), i));
  return text;
}

std::string GdbServer::register_value(const std::string& number) const {
  const auto i = from_hex(number);
  if (!i || *i > kPcNumber) return kRefused;
  return word_to_hex(core_register(nic(), static_cast<int>(*i)));
}

std::string GdbServer::set_registers(const std::string& values) const {
  constexpr std::size_t kDigits = 8;
  if (values.size() != kDigits * (kPcNumber + 1)) return kRefused;
  for (int i = 0; i <= kPcNumber; ++i) {
    const auto value = word_from_hex(values.substr(kDigits * static_cast<std::size_t>(i), kDigits));
    if (!value || !set_core_register(nic(), i, *value)) return kRefused;
  }
  return "OK";
}

std::string GdbServer::set_register(const std::string& text) const {
  const std::size_t equals = std::min(text.find('='), text.size());
  const auto i = from_hex(text.substr(0, equals));
  const auto value = word_from_hex(text.substr(std::min(equals + 1, text.size())));
  if (!i || *i > kPcNumber || !value) return kRefused;
  return set_core_register(nic(), static_cast<int>(*i), *value) ? "OK" : kRefused;
}

std::string GdbServer::memory(const std::string& text) const {
  constexpr std::uint32_t kMost = 0x2000;
  const auto range = range_from_hex(text);
  if (!range) return kRefused;
  const auto bytes = read_bytes(nic(), range->address, std::min(range->bytes, kMost));
  return bytes.empty() && range->bytes > 0 ? kBadAddress : to_hex(bytes);
}

/// Packets M and X: "address,length:bytes".
std::string GdbServer::set_memory(char kind, const std::string& text) const {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string contents = text.substr(std::min(colon + 1, text.size()));
  const auto range = range_from_hex(text.substr(0, colon));
  const auto bytes = kind == 'X' ? bytes_from_binary(contents) : bytes_from_hex(contents);
  if (!range || !bytes || bytes->size() != range->bytes) return kRefused;
  return write_bytes(nic(), range->address, *bytes) ? "OK" : kBadAddress;
}

}  // namespace annelid::simulation
