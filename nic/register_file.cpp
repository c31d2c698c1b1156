#include "nic/register_file.hpp"

#include "interface/names.hpp"
#include "nic/csr.hpp"

namespace annelid::nic {
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

constexpr std::uint32_t mask(std::uint32_t bits) { return ~std::uint32_t{0} >> (32 - bits); }

/// For each word of the window the bits that a write keeps; 0 if it may not be written, or does
/// something else.
constexpr auto kKept = [] {
  std::array<std::uint32_t, kIndex.size()> kept{};
  for (const reg::Register& r : reg::kRegisters) {
    const bool acts = r.offset == reg::kError || r.offset == reg::kCounter ||
                      r.offset == reg::kSendGo || r.offset == reg::kRecvGo ||
                      r.offset == reg::kListSet || r.offset == reg::kListGo ||
                      r.offset == reg::kCallDone;
    if (r.writable && !acts) kept[r.offset / 4] = mask(r.bits);
  }
  return kept;
}();

/// For each word of the window how the core may access it early: what a descriptor is made of, what
/// the last reads of COMPLETION and CALL_TICKET have left, and what describes the network and the
/// NIC.
constexpr auto kPrivate = [] {
  std::array<PrivateWords::Word, kIndex.size()> words{};
  const auto mark = [&words](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t at = first / 4; at <= last / 4; ++at) {
      if (kIndex[at] == 0) continue;
      words[at] = {reg::kRegisters[kIndex[at] - 1].readable, kKept[at]};
    }
  };
  mark(reg::kSendDestination, reg::kSendNotify);
  mark(reg::kRecvOperand, reg::kRecvNotify);
  mark(reg::kCompletionBytes, reg::kCompletionTag);
  mark(reg::kCall, reg::kCall + 4 * (reg::kCallWords - 1));
  mark(reg::kId, reg::kMemoryBytes);
  mark(reg::kEagerBytes, reg::kEagerBytes);
  return words;
}();

/// The register that holds `offset`, or nullptr.
const reg::Register* lookup(std::uint32_t offset) {
  if (offset % 4 != 0 || offset / 4 >= kIndex.size() || kIndex[offset / 4] == 0) return nullptr;
  return &reg::kRegisters[kIndex[offset / 4] - 1];
}

// Addresses travel in head flits in the form that the registers have.
static_assert(pack(Address{1, 2, 3}) ==
              (reg::kNodeXField.in(1) | reg::kNodeYField.in(2) | reg::kNodeZField.in(3)));

std::uint32_t topology(const systemc::NetworkConfig& network) {
  std::uint32_t rings = 0;
  for (int d = 0; d < network.dims(); ++d) rings |= network.is_ring(d) ? 1u << d : 0;
  return reg::kTopologyRingsField.in(rings) |
         reg::kTopologyDimsField.in(static_cast<std::uint32_t>(network.dims())) |
         reg::kTopologyOnePortField.in(network.router.one_port() ? 1 : 0);
}

}  // namespace

RegisterFile::RegisterFile(const Units& units)
    : self_(units.self),
      sends_(units.sends),
      receives_(units.receives),
      errors_(units.errors),
      calls_(units.calls),
      completions_(units.completions),
      issuer_(units.issuer),
      lists_(units.lists),
      flow_(units.flow),
      observers_(units.observers) {
  for (const reg::Register& r : reg::kRegisters) word(r.offset) = r.reset;
  const systemc::NetworkConfig& network = self_.config.network;
  word(reg::kNode) = pack(self_.address);
  word(reg::kSizeX) = static_cast<std::uint32_t>(network.size[0]);
  word(reg::kSizeY) = static_cast<std::uint32_t>(network.size[1]);
  word(reg::kSizeZ) = static_cast<std::uint32_t>(network.size[2]);
  word(reg::kPorts) = static_cast<std::uint32_t>(self_.ports());
  word(reg::kTopology) = topology(network);
  word(reg::kMemoryBytes) = static_cast<std::uint32_t>(self_.config.memory_bytes);
  word(reg::kEagerBytes) = self_.config.eager_bytes;
}

std::uint32_t RegisterFile::event(Cycle now) const {
  return reg::kEventCallField.in(call_waits(now) ? 1 : 0) |
         reg::kEventCompletionField.in(completions_.waiting() ? 1 : 0) |
         reg::kEventErrorField.in(errors_.cause() != reg::ErrorCause::kNone ? 1 : 0);
}

std::uint32_t RegisterFile::pending(Cycle now) const {
  return ((event(now) & word(reg::kEventEnable)) != 0 ? rv32::kExternalInterrupt : 0) |
         (timer() <= now ? rv32::kTimerInterrupt : 0);
}

Cycle RegisterFile::timer() const {
  const Cycle timer = Cycle{word(reg::kTimerHigh)} << 32 | word(reg::kTimer);
  return timer == kNever ? kNever : timer + 1;
}

PrivateWords RegisterFile::private_words() { return {reg::kRegisterBase, words_, kPrivate}; }

std::optional<std::uint32_t> RegisterFile::read(std::uint32_t offset, Cycle now) {
  switch (offset) {
    case reg::kCycle:
      word(reg::kCycleHigh) = static_cast<std::uint32_t>(now >> 32);
      break;
    case reg::kCompletion:
      return take_completion();
    case reg::kCallTicket:
      return take_call(now);
    default:
      break;
  }
  return peek(offset, now);
}

std::optional<std::uint32_t> RegisterFile::peek(std::uint32_t offset, Cycle now) const {
  switch (offset) {
    case reg::kCycle:
      return static_cast<std::uint32_t>(now);
    case reg::kEvent:
      return event(now);
    case reg::kError:
      return static_cast<std::uint32_t>(errors_.cause());
    case reg::kErrorNode:
      return pack(errors_.subject().peer);
    case reg::kErrorInfo:
      return reg::kErrorInfoTagField.in(errors_.subject().tag) |
             reg::kErrorInfoIdField.in(errors_.subject().id);
    case reg::kSendSpace:
      return completions_.send_space();
    case reg::kRecvSpace:
      return completions_.receive_space();
    case reg::kCompletion:
      return completions_.oldest();
    case reg::kCallTicket:
      return call_waits(now) ? calls_.oldest(now) : 0;
    case reg::kListSpace:
      return lists_.space();
    case reg::kListPlays:
      return lists_.plays();
    default:
      break;
  }
  const reg::Register* r = lookup(offset);
  if (r == nullptr || !r->readable) return std::nullopt;
  if (r->offset == reg::kCounter) return completions_.counters()[(offset - reg::kCounter) / 4];
  return word(offset);
}

std::uint32_t RegisterFile::take_completion() {
  const std::uint32_t completion = completions_.take();
  if (reg::kCompletionValidField.of(completion) == 0) return completion;
  if (reg::kCompletionListField.of(completion) != 0) {
    for (const std::uint32_t of :
         {reg::kCompletionBytes, reg::kCompletionNode, reg::kCompletionTag}) {
      word(of) = 0;
    }
    return completion;
  }
  const Place place = completions_.taken_place();
  const bool receive = reg::kCompletionReceiveField.of(completion) != 0;
  word(reg::kCompletionBytes) = completions_.taken_bytes();
  word(reg::kCompletionNode) = pack(receive ? receives_[place].from : sends_[place].to);
  word(reg::kCompletionTag) = receive ? receives_[place].tag : sends_[place].tag;
  return completion;
}

std::uint32_t RegisterFile::take_call(Cycle now) {
  const std::uint32_t ticket = call_waits(now) ? calls_.take(now) : 0;
  if (reg::kCallTicketValidField.of(ticket) == 0) return ticket;
  for (std::uint32_t i = 0; i < reg::kCallWords; ++i) word(reg::kCall + 4 * i) = calls_.word(i);
  return ticket;
}

bool RegisterFile::write(std::uint32_t offset, std::uint32_t value, Cycle now) {
  if (offset % 4 != 0 || offset / 4 >= kKept.size()) return false;
  const std::uint32_t kept = kKept[offset / 4];
  if (kept == 0) return act(offset, value, now);
  word(offset) = value & kept;
  return true;
}

/// A write that does more than to keep the value.
bool RegisterFile::act(std::uint32_t offset, std::uint32_t value, Cycle now) {
  const reg::Register* r = lookup(offset);
  if (r == nullptr || !r->writable) return false;
  value &= mask(r->bits);
  switch (r->offset) {
    case reg::kError:
      errors_.clear();
      break;
    case reg::kCounter:
      completions_.write_counter((offset - reg::kCounter) / 4, value);
      break;
    case reg::kSendGo:
      send(static_cast<std::uint16_t>(value), now);
      break;
    case reg::kRecvGo:
      receive(static_cast<std::uint16_t>(value), now);
      break;
    case reg::kListSet:
      lists_.set(static_cast<std::uint16_t>(value),
                 {word(reg::kListOffset), reg::kListCountsReceivesField.of(word(reg::kListCounts)),
                  reg::kListCountsSendsField.of(word(reg::kListCounts))},
                 now);
      break;
    case reg::kListGo:
      lists_.go(static_cast<std::uint16_t>(value), now);
      break;
    default:
      finish_call(value, now);  // CALL_DONE
  }
  return true;
}

void RegisterFile::finish_call(std::uint32_t done, Cycle now) {
  const auto ticket = static_cast<std::uint16_t>(reg::kCallDoneTicketField.of(done));
  if (!calls_.finish(done)) {
    return errors_.fail(now, reg::ErrorCause::kBadCall, {{}, 0, ticket},
                        "CALL_DONE for ticket " + std::to_string(ticket) + ", which is not taken");
  }
  if (observers_.nic != nullptr) {
    observers_.nic->call_finished(now, self_.node, ticket, reg::kCallDoneResultField.of(done));
  }
}

std::string RegisterFile::awaits() const {
  const std::uint32_t await = word(reg::kAwait);
  const auto what = static_cast<reg::AwaitWhat>(reg::kAwaitWhatField.of(await));
  const auto algorithm = static_cast<reg::Algorithm>(reg::kAwaitAlgorithmField.of(await));
  if (what == reg::AwaitWhat::kNothing) return "";
  std::string text = reg::name_of(what) == nullptr ? "" : "a ";
  text += reg::text_of(what) + (what == reg::AwaitWhat::kReceive ? " from " : " to ");
  const std::uint32_t node = word(reg::kAwaitNode);
  text += (node == reg::kAnyNode ? "any node" : self_.text(unpack_address(node))) + " (";
  text += algorithm == reg::Algorithm::kNone ? "no algorithm" : reg::text_of(algorithm);
  return text + ", step " + std::to_string(reg::kAwaitStepField.of(await)) + ')';
}

}  // namespace annelid::nic
