// What the server answers to gdb's packets.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nic/core_costs.hpp"
#include "nic/disassemble.hpp"
#include "simulation/debugger/gdb_node.hpp"
#include "simulation/debugger/gdb_server.hpp"
#include "simulation/debugger/gdb_text.hpp"

namespace annelid::simulation {
namespace {

// Answers to what cannot be done.
constexpr const char *kRefused = "E01", *kBadAddress = "E14", *kNoRoom = "E28";

/// The registers, for gdb: those of the ABI by their numbers, and the pc. Of a Linux machine gdb
/// would make steps by breakpoints where it expects the thread next, which MRET is not in.
std::string description() {
  std::string text =
      "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target>"
      "<architecture>riscv:rv32</architecture><osabi>none</osabi>"
      "<feature name=\"org.gnu.gdb.riscv.cpu\">";
  for (int i = 0; i < kPcNumber; ++i) {
    text +=
        fmt::format("<reg name=\"{}\" bitsize=\"32\" type=\"{}\"/>", nic::rv32::register_name(i),
                    i == 1   ? "code_ptr"
                    : i == 2 ? "data_ptr"
                             : "int");
  }
  return text + "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\"/></feature></target>";
}

}  // namespace

void GdbServer::answer(const std::string& packet) {
  const char kind = packet.empty() ? 0 : packet.front();
  const std::string rest = packet.empty() ? "" : packet.substr(1);
  switch (kind) {
    case '?':
      return line_.send(reason_);
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
    case 's':
      return resume_at(kind, rest);
    case 'v':
      if (packet == "vCont?") return line_.send("vCont;c;C;s;S");
      if (packet.starts_with("vCont;")) return resume(packet.substr(6));
      return line_.send(packet.starts_with("vKill") ? (state_ = State::kKilled, "OK") : "");
    case 'k':
      state_ = State::kKilled;
      return;
    case 'D':
      line_.send("OK");
      return leave();
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
        fmt::format("PacketSize={:x};qXfer:features:read+;swbreak+;vContSupported+;"
                    "QStartNoAckMode+",
                    GdbConnection::kLongestPacket));
  }
  if (packet == "QStartNoAckMode") {
    line_.send("OK");
    return line_.stop_acknowledging();
  }
  constexpr std::string_view kFeatures = "qXfer:features:read:target.xml:";
  if (packet.starts_with(kFeatures)) return line_.send(features(packet.substr(kFeatures.size())));
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

/// "offset,length" of the description.
std::string GdbServer::features(const std::string& range) {
  const auto part = range_from_hex(range);
  const std::string text = description();
  if (!part || part->address > text.size()) return kRefused;
  const bool last = part->bytes >= text.size() - part->address;
  return (last ? "l" : "m") + text.substr(part->address, part->bytes);
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
  stepped_.reset();
  alone_.reset();
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
  if (done && stepped_ && watchpoints_.empty()) stop_behind_step(*alone_);
}

/// Packets c and s: all nodes go on. An address is the new pc of the thread.
void GdbServer::resume_at(char action, const std::string& address) {
  const auto pc = from_hex(address);
  if (!address.empty() && (!pc || !set_core_register(nic(), kPcNumber, *pc)))
    return line_.send(kRefused);
  resume({action});
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
  if (of[1] == '0' || of[1] == '1') return change_breakpoint(put, range->address);
  return change_watchpoint(
      put, {static_cast<Watchpoint::Kind>(of[1] - '2'), range->address, range->bytes});
}

std::string GdbServer::change_breakpoint(bool put, std::uint32_t address) {
  if (address % 4 != 0 || !nic::in_ram(address, 4)) return kBadAddress;  // no code is there
  put ? (void)breakpoints_.insert(address) : (void)breakpoints_.erase(address);
  return "OK";
}

std::string GdbServer::change_watchpoint(bool put, const Watchpoint& w) {
  if (w.bytes == 0) return kRefused;
  if (put) return watchpoints_.add(w) ? "OK" : kNoRoom;
  watchpoints_.remove(w);
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
