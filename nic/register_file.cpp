#include "nic/register_file.hpp"

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

/// The register that holds `offset`, or nullptr.
const reg::Register* lookup(std::uint32_t offset) {
  if (offset % 4 != 0 || offset / 4 >= kIndex.size() || kIndex[offset / 4] == 0) return nullptr;
  return &reg::kRegisters[kIndex[offset / 4] - 1];
}

constexpr std::uint32_t mask(std::uint32_t bits) { return ~std::uint32_t{0} >> (32 - bits); }

std::uint32_t topology(const systemc::NetworkConfig& network) {
  std::uint32_t rings = 0;
  for (int d = 0; d < network.dims(); ++d) rings |= network.is_ring(d) ? 1u << d : 0;
  return reg::kTopologyRingsField.in(rings) |
         reg::kTopologyDimsField.in(static_cast<std::uint32_t>(network.dims())) |
         reg::kTopologyOnePortField.in(network.router.one_port() ? 1 : 0);
}

}  // namespace

RegisterFile::RegisterFile(Shared& shared) : shared_(shared) {
  for (const reg::Register& r : reg::kRegisters) word(r.offset) = r.reset;
  const systemc::NetworkConfig& network = shared.config.network;
  word(reg::kNode) = pack(shared.address);
  word(reg::kSizeX) = static_cast<std::uint32_t>(network.size[0]);
  word(reg::kSizeY) = static_cast<std::uint32_t>(network.size[1]);
  word(reg::kSizeZ) = static_cast<std::uint32_t>(network.size[2]);
  word(reg::kPorts) = static_cast<std::uint32_t>(shared.ports());
  word(reg::kTopology) = topology(network);
  word(reg::kMemoryBytes) = static_cast<std::uint32_t>(shared.config.memory_bytes);
  word(reg::kEagerBytes) = shared.config.eager_bytes;
}

std::uint32_t RegisterFile::event(Cycle now) const {
  return reg::kEventCallField.in(shared_.calls.waiting(now) ? 1 : 0) |
         reg::kEventCompletionField.in(shared_.completions.waiting() ? 1 : 0) |
         reg::kEventErrorField.in(shared_.errors.cause() != reg::ErrorCause::kNone ? 1 : 0);
}

std::uint32_t RegisterFile::pending(Cycle now) const {
  return ((event(now) & word(reg::kEventEnable)) != 0 ? rv32::kExternalInterrupt : 0) |
         (timer() <= now ? rv32::kTimerInterrupt : 0);
}

Cycle RegisterFile::timer() const {
  const Cycle timer = Cycle{word(reg::kTimerHigh)} << 32 | word(reg::kTimer);
  return timer == kNever ? kNever : timer + 1;
}

std::optional<std::uint32_t> RegisterFile::read(std::uint32_t offset, Cycle now) {
  const reg::Register* r = lookup(offset);
  if (r == nullptr || !r->readable) return std::nullopt;
  return read_special(*r, offset, now);
}

std::uint32_t RegisterFile::read_special(const reg::Register& entry, std::uint32_t offset,
                                         Cycle now) {
  const ErrorSubject& subject = shared_.errors.subject();
  const std::uint32_t index = (offset - entry.offset) / 4;
  switch (entry.offset) {
    case reg::kCycle:
      word(reg::kCycleHigh) = static_cast<std::uint32_t>(now >> 32);
      return static_cast<std::uint32_t>(now);
    case reg::kEvent:
      return event(now);
    case reg::kError:
      return static_cast<std::uint32_t>(shared_.errors.cause());
    case reg::kErrorNode:
      return pack(subject.peer);
    case reg::kErrorInfo:
      return reg::kErrorInfoTagField.in(subject.tag) | reg::kErrorInfoIdField.in(subject.id);
    case reg::kSendSpace:
      return shared_.completions.send_space();
    case reg::kRecvSpace:
      return shared_.completions.receive_space();
    case reg::kCompletion:
      return shared_.completions.take();
    case reg::kCompletionBytes:
      return shared_.completions.taken_bytes();
    case reg::kCounter:
      return shared_.completions.counters()[index];
    case reg::kCall:
      return shared_.calls.word(index);
    case reg::kCallTicket:
      return shared_.calls.take(now);
    default:
      return word(offset);
  }
}

bool RegisterFile::write(std::uint32_t offset, std::uint32_t value, Cycle now) {
  const reg::Register* r = lookup(offset);
  if (r == nullptr || !r->writable) return false;
  value &= mask(r->bits);
  switch (r->offset) {
    case reg::kError:
      shared_.errors.clear();
      break;
    case reg::kCounter:
      shared_.completions.write_counter((offset - reg::kCounter) / 4, value);
      break;
    case reg::kSendGo:
      send(static_cast<std::uint16_t>(value), now);
      break;
    case reg::kRecvGo:
      receive(static_cast<std::uint16_t>(value), now);
      break;
    case reg::kCallDone:
      finish_call(value, now);
      break;
    default:
      word(offset) = value;
  }
  return true;
}

void RegisterFile::finish_call(std::uint32_t done, Cycle now) {
  const auto ticket = static_cast<std::uint16_t>(reg::kCallDoneTicketField.of(done));
  if (!shared_.calls.finish(done)) {
    return shared_.errors.fail(
        now, reg::ErrorCause::kBadCall, {{}, 0, ticket},
        "CALL_DONE for ticket " + std::to_string(ticket) + ", which is not taken");
  }
  if (shared_.observer != nullptr) {
    shared_.observer->call_finished(now, shared_.node, ticket, reg::kCallDoneResultField.of(done));
  }
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

}  // namespace annelid::nic
