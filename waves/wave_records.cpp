#include "waves/wave_records.hpp"

#include "waves/wave_signals.hpp"

namespace annelid::waves {
namespace {

enum ChannelPlace : unsigned { kFlit, kValid, kKind, kVc, kSource, kDestination, kTag, kData };

constexpr std::uint64_t bit(std::uint64_t word, unsigned place) { return word >> place & 1; }
constexpr std::uint64_t field(std::uint64_t word, unsigned place, unsigned width) {
  return word >> place & ((std::uint64_t{1} << width) - 1);
}
constexpr FlitKind kind_in(std::uint64_t info) { return static_cast<FlitKind>(field(info, 2, 2)); }
HeldPacket packet_in(const std::uint64_t* record, std::uint64_t info) {
  return {record[0], bit(info, 1) != 0};
}

}  // namespace

InputNames::InputNames(const systemc::RouterConfig& router) : names_(1) {
  for (Port p = 0; p < kMaxPorts; ++p) {
    for (Vc v = 0; v < kMaxVcs; ++v) {
      const char* const kind = p < router.ports() && router.is_control(p, v) ? "c" : "";
      names_.push_back(p < router.ports() ? port_name(router, p) + "." + std::to_string(v) + kind
                                          : "");
    }
  }
}

// ---- Channels -----------------------------------------------------------------------------------

std::uint64_t ChannelBundle::bits(const std::uint64_t* record, unsigned signal) const {
  switch (signal) {
    case kValid:
      return bit(record[2], 0);
    case kVc:
      return field(record[2], 4, 3);
    case kTag:
      return record[0] >> 48;
    default:
      return record[1];
  }
}

void ChannelBundle::add(std::uint64_t time, const std::uint64_t* before,
                        const std::uint64_t* record, FstChain* chains) {
  const bool all = before == nullptr;
  if (all || before[1] != record[1]) chains[kData].add(time, record[1]);
  const std::uint64_t info = record[2], changed = all ? ~std::uint64_t{0} : before[2] ^ info;
  // Equal heads are equal packets, but for unknown ones.
  const std::uint64_t other = all ? ~std::uint64_t{0} : before[0] ^ record[0];
  if ((changed | other) == 0) return;
  const bool valid = bit(info, 0) != 0;
  const bool known = bit(changed, 1) != 0;
  PacketText& text = texts_->of(packet_in(record, info));
  if (other != 0 || (changed & 0xf) != 0) {
    chains[kFlit].add(time, valid ? text.flit(kind_in(info)) : std::string_view());
  }
  if (bit(changed, 0) != 0) chains[kValid].add(time, bit(info, 0));
  if ((changed & 0xd) != 0) {
    chains[kKind].add(time, valid ? name_of(kind_in(info)) : std::string_view());
  }
  if (field(changed, 4, 3) != 0) chains[kVc].add(time, field(info, 4, 3));
  if (known || field(other, 24, 24) != 0) chains[kSource].add(time, text.source());
  if (known || field(other, 0, 24) != 0) chains[kDestination].add(time, text.destination());
  if (other >> 48 != 0) chains[kTag].add(time, record[0] >> 48);
}

// ---- Input VCs ----------------------------------------------------------------------------------

// The places after `front`: count, routed if there is one, and the rest.
std::uint64_t InputVcBundle::bits(const std::uint64_t* record, unsigned signal) const {
  const std::uint64_t info = record[1];
  switch (routed_ || signal < 2 ? signal : signal + 1) {
    case 1:
      return field(info, 16, 7);
    case 2:
      return bit(info, 4);
    case 3:
      return bit(info, 5);
    case 4:
      return field(info, 8, 4);
    default:
      return field(info, 12, 3);
  }
}

void InputVcBundle::add(std::uint64_t time, const std::uint64_t* before,
                        const std::uint64_t* record, FstChain* chains) {
  const bool all = before == nullptr;
  const std::uint64_t info = record[1], changed = all ? ~std::uint64_t{0} : before[1] ^ info;
  if (all || before[0] != record[0] || (changed & 0xf) != 0) {
    chains[0].add(time, bit(info, 0) != 0 ? texts_->of(packet_in(record, info)).flit(kind_in(info))
                                          : std::string_view());
  }
  if (changed < 16) return;
  FstChain* chain = chains + 1;
  if (field(changed, 16, 7) != 0) chain->add(time, field(info, 16, 7));
  ++chain;
  if (routed_) {
    if (bit(changed, 4) != 0) chain->add(time, bit(info, 4));
    ++chain;
  }
  if (bit(changed, 5) != 0) chain->add(time, bit(info, 5));
  ++chain;
  if (field(changed, 8, 4) != 0) chain->add(time, field(info, 8, 4));
  ++chain;
  if (field(changed, 12, 3) != 0) chain->add(time, field(info, 12, 3));
}

// ---- Output VCs ---------------------------------------------------------------------------------

std::uint64_t OutputVcBundle::bits(const std::uint64_t* record, unsigned signal) const {
  return signal == 0 ? field(record[0], 0, 7) : bit(record[0], 8);
}

void OutputVcBundle::add(std::uint64_t time, const std::uint64_t* before,
                         const std::uint64_t* record, FstChain* chains) {
  const std::uint64_t info = record[0];
  const std::uint64_t changed = before == nullptr ? ~std::uint64_t{0} : before[0] ^ info;
  if (field(changed, 0, 7) != 0) chains[0].add(time, field(info, 0, 7));
  if (bit(changed, 8) != 0) chains[1].add(time, bit(info, 8));
  if (changed >> 16 != 0) {
    chains[2].add(time, std::string_view((*names_)[static_cast<InputNames::Index>(info >> 16)]));
  }
}

}  // namespace annelid::waves
