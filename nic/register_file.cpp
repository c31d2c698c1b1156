#include "nic/register_file.hpp"

#include <stdexcept>

#include "systemc/route.hpp"

namespace annelid {
namespace {

/// For each word of the window the place of its register in reg::kRegisters, plus 1; 0 for none.
constexpr auto kIndex = [] {
  std::array<std::uint8_t, (reg::kAwaitNode + 4) / 4> index{};
  std::uint8_t place = 0;
  for (const reg::Register& r : reg::kRegisters) {
    ++place;
    for (std::uint32_t word = 0; word < r.words; ++word) index[r.offset / 4 + word] = place;
  }
  return index;
}();

/// The register that holds `offset`, or nullptr.
const reg::Register* lookup(std::uint32_t offset) {
  if (offset % 4 != 0 || offset / 4 >= kIndex.size() || kIndex[offset / 4] == 0) return nullptr;
  return &reg::kRegisters[kIndex[offset / 4] - 1];
}

constexpr std::uint32_t mask(std::uint32_t bits) { return ~std::uint32_t{0} >> (32 - bits); }

}  // namespace

RegisterFile::RegisterFile(Shared& shared) : shared_(shared) {
  for (const reg::Register& r : reg::kRegisters) word(r.offset) = r.reset;
  word(reg::kNode) = pack(shared.address);
  word(reg::kSizeX) = static_cast<std::uint32_t>(shared.config.network.size[0]);
  word(reg::kSizeY) = static_cast<std::uint32_t>(shared.config.network.size[1]);
  word(reg::kPorts) = static_cast<std::uint32_t>(shared.ports());
}

std::optional<std::uint32_t> RegisterFile::read(std::uint32_t offset, Cycle now) {
  const reg::Register* r = lookup(offset);
  if (r == nullptr || !r->readable) return std::nullopt;
  switch (offset) {
    case reg::kCycle:
      return static_cast<std::uint32_t>(now);
    case reg::kEvent:
      return event(now);
    case reg::kError:
      return static_cast<std::uint32_t>(shared_.error);
    case reg::kSendSpace:
      return shared_.completions.send_space();
    case reg::kRecvSpace:
      return shared_.completions.receive_space();
    case reg::kCompletion:
      return take_completion();
    case reg::kCall:  // word 0: the core takes the call
      if (call_ == CallState::kPending && call_visible_ <= now) call_ = CallState::kTaken;
      return word(offset);
    default:
      return word(offset);
  }
}

bool RegisterFile::write(std::uint32_t offset, std::uint32_t value, Cycle now) {
  const reg::Register* r = lookup(offset);
  if (r == nullptr || !r->writable) return false;
  value &= mask(r->bits);
  switch (offset) {
    case reg::kSendGo:
      send(static_cast<std::uint16_t>(value), now);
      return true;
    case reg::kRecvGo:
      receive(static_cast<std::uint16_t>(value), now);
      return true;
    case reg::kCallDone:
      return finish_call(value, now);
    default:
      word(offset) = value;
      return true;
  }
}

std::uint32_t RegisterFile::take_completion() {
  const auto completion = shared_.completions.take();
  if (!completion) return 0;
  word(reg::kCompletionBytes) = completion->bytes;
  return reg::kCompletionValidField.in(1) |
         reg::kCompletionReceiveField.in(completion->receive ? 1 : 0) |
         reg::kCompletionIdField.in(completion->id);
}

bool RegisterFile::in_network(std::uint32_t address) const {
  const NetworkConfig& network = shared_.config.network;
  const Address a = unpack_address(address);
  return address <= 0xffffff && network.contains(a);
}

bool RegisterFile::check(std::uint32_t address, std::uint32_t offset, std::uint32_t bytes,
                         Cycle now) {
  if (!in_network(address)) {
    shared_.fail(now, reg::ErrorCause::kBadAddress,
                 "node " + to_string(unpack_address(address)) + " is not in the network");
    return false;
  }
  if (bytes > reg::kMaxMessageBytes || !shared_.memory.contains(offset, bytes)) {
    shared_.fail(now, reg::ErrorCause::kBadRange,
                 std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
                     ", node memory has " + std::to_string(shared_.memory.size()) +
                     ", a message at most " + std::to_string(reg::kMaxMessageBytes));
    return false;
  }
  return true;
}

void RegisterFile::send(std::uint16_t id, Cycle now) {
  const std::uint32_t address = word(reg::kSendDestination);
  const std::uint32_t port = word(reg::kSendPort);
  if (shared_.completions.send_space() == 0) {
    return shared_.fail(now, reg::ErrorCause::kSendOverflow, "64 sends are under way");
  }
  if (!check(address, word(reg::kSendOffset), word(reg::kSendBytes), now)) return;
  const auto ports = static_cast<std::uint32_t>(shared_.ports());
  if (port != reg::kPortByRoute && port >= ports) {
    return shared_.fail(now, reg::ErrorCause::kBadPort,
                        "port " + std::to_string(port) + " of " + std::to_string(ports));
  }
  Send send;
  send.destination = shared_.config.network.id(unpack_address(address));
  send.offset = word(reg::kSendOffset);
  send.bytes = word(reg::kSendBytes);
  send.step = word(reg::kSendStep);
  send.tag = static_cast<std::uint16_t>(word(reg::kSendTag));
  send.id = id;
  send.ready = now + 1;
  shared_.match.number(send);
  unsigned engine = port;
  if (send.destination == shared_.node) {
    engine = CompletionQueue::kOwnNode;
  } else if (port == reg::kPortByRoute) {
    engine = first_output(shared_.config.network, shared_.address, unpack_address(address)) % ports;
  }
  shared_.queue(engine).push(send);
  shared_.completions.start(false);
  if (shared_.observer != nullptr) shared_.observer->send_posted(now, info_of(send, shared_.node));
}

void RegisterFile::receive(std::uint16_t id, Cycle now) {
  const std::uint32_t address = word(reg::kRecvSource);
  if (shared_.completions.receive_space() == 0) {
    return shared_.fail(now, reg::ErrorCause::kRecvOverflow, "64 receives are under way");
  }
  if (!check(address, word(reg::kRecvOffset), word(reg::kRecvBytes), now)) return;
  Receive receive;
  receive.source = shared_.config.network.id(unpack_address(address));
  receive.offset = word(reg::kRecvOffset);
  receive.room = word(reg::kRecvBytes);
  receive.tag = static_cast<std::uint16_t>(word(reg::kRecvTag));
  receive.id = id;
  shared_.match.post(receive, now);
  shared_.completions.start(true);
}

void RegisterFile::call(const Call& call, Cycle visible) {
  if (calling()) throw std::logic_error("Nic::call: the call before is not finished");
  const auto set = [this](reg::CallWord which, std::uint32_t value) {
    word(reg::kCall + 4 * static_cast<std::uint32_t>(which)) = value;
  };
  set(reg::CallWord::kOperation, static_cast<std::uint32_t>(call.operation));
  set(reg::CallWord::kAlgorithm, static_cast<std::uint32_t>(call.algorithm));
  set(reg::CallWord::kRoot, pack(call.root));
  set(reg::CallWord::kOffset, call.offset);
  set(reg::CallWord::kBytes, call.bytes);
  set(reg::CallWord::kTag, call.tag);
  call_ = CallState::kPending;
  call_visible_ = visible;
}

bool RegisterFile::finish_call(std::uint32_t result, Cycle now) {
  if (!calling() || call_visible_ > now) return false;
  call_ = CallState::kNone;
  if (shared_.observer != nullptr) shared_.observer->call_finished(now, shared_.node, result);
  return true;
}

std::string RegisterFile::awaits() const {
  static constexpr const char* kWhat[] = {"nothing", "a receive from ", "a send to "};
  static constexpr const char* kAlgorithm[] = {"no algorithm", "EDN", "recursive doubling"};
  const std::uint32_t await = word(reg::kAwait);
  const std::uint32_t what = reg::kAwaitWhatField.of(await);
  const std::uint32_t algorithm = reg::kAwaitAlgorithmField.of(await);
  if (what == 0) return "";
  std::string text =
      what < std::size(kWhat) ? kWhat[what] : "something (" + std::to_string(what) + ") of ";
  text += to_string(unpack_address(word(reg::kAwaitNode))) + " (";
  text += algorithm < std::size(kAlgorithm) ? kAlgorithm[algorithm]
                                            : "algorithm " + std::to_string(algorithm);
  return text + ", step " + std::to_string(reg::kAwaitStepField.of(await)) + ')';
}

}  // namespace annelid
