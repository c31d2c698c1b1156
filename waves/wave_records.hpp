// The values of a channel, an input VC and an output VC in a cycle, as records of the waveform.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "systemc/network/router_state.hpp"
#include "waves/fst_bundle.hpp"
#include "waves/packet_texts.hpp"

namespace annelid::waves {

/// The names of a router's input VCs: "xm.0", or "xm.1c" for a control VC.
class InputNames {
 public:
  using Index = std::uint8_t;  ///< index of an input VC; the name of kNone is ""
  static constexpr Index kNone = 0;

  explicit InputNames(const systemc::RouterConfig& router);
  [[nodiscard]] static Index index(Port in, Vc vc) {
    return static_cast<Index>(1 + in * kMaxVcs + vc);
  }
  [[nodiscard]] const std::string& operator[](Index input) const { return names_[input]; }
  [[nodiscard]] const std::string& of(Port in, Vc vc) const { return names_[index(in, vc)]; }

 private:
  std::vector<std::string> names_;
};

/// The flit on a channel, with the signals flit, valid, kind, vc, source, destination, tag, data.
class ChannelBundle final : public FstBundle {
 public:
  using Record = std::array<std::uint64_t, 3>;
  explicit ChannelBundle(std::shared_ptr<PacketTexts> texts)
      : FstBundle(8, 3), texts_(std::move(texts)) {}

  [[nodiscard]] static Record nothing() { return {}; }
  [[nodiscard]] static Record record(const HeldPacket& packet, const systemc::Flit& flit) {
    return {packet.head, flit.data,
            1u | (packet.known ? 2u : 0u) | unsigned{kind_of(flit)} << 2 | unsigned{flit.vc} << 4};
  }

  [[nodiscard]] std::uint64_t bits(const std::uint64_t* record, unsigned signal) const override;
  void add(std::uint64_t time, const std::uint64_t* before, const std::uint64_t* record,
           FstChain* chains) override;

 private:
  std::shared_ptr<PacketTexts> texts_;
};

/// An input VC: front, count, routed (with three or more stages), active, out_port, out_vc.
class InputVcBundle final : public FstBundle {
 public:
  using Record = std::array<std::uint64_t, 2>;
  InputVcBundle(std::shared_ptr<PacketTexts> texts, bool routed)
      : FstBundle(routed ? 6 : 5, 2), texts_(std::move(texts)), routed_(routed) {}

  /// `packet` is the packet of the front flit.
  [[nodiscard]] static Record record(const HeldPacket& packet, const systemc::InputVcState& state) {
    const bool front = state.count > 0, known = front && packet.known;
    return {known ? packet.head : 0,
            (known ? 2u : 0u) | (front ? 1u | unsigned{kind_of(state.front)} << 2 : 0u) |
                (state.routed ? 1u << 4 : 0u) | (state.active ? 1u << 5 : 0u) |
                unsigned{state.out_port} << 8 | unsigned{state.out_vc} << 12 |
                unsigned{state.count} << 16};
  }

  [[nodiscard]] std::uint64_t bits(const std::uint64_t* record, unsigned signal) const override;
  void add(std::uint64_t time, const std::uint64_t* before, const std::uint64_t* record,
           FstChain* chains) override;

 private:
  std::shared_ptr<PacketTexts> texts_;
  bool routed_;
};

/// An output VC: credits, owned, owner.
class OutputVcBundle final : public FstBundle {
 public:
  using Record = std::array<std::uint64_t, 1>;
  explicit OutputVcBundle(std::shared_ptr<const InputNames> names)
      : FstBundle(3, 1), names_(std::move(names)) {}

  [[nodiscard]] static Record record(const systemc::OutputVcState& state, InputNames::Index owner) {
    return {state.credits | (state.owned ? 1u << 8 : 0u) | unsigned{owner} << 16};
  }

  [[nodiscard]] std::uint64_t bits(const std::uint64_t* record, unsigned signal) const override;
  void add(std::uint64_t time, const std::uint64_t* before, const std::uint64_t* record,
           FstChain* chains) override;

 private:
  std::shared_ptr<const InputNames> names_;
};

}  // namespace annelid::waves
