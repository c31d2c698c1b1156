// The texts that waveforms show for a packet and its flits.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "systemc/network/config.hpp"
#include "systemc/network/flit.hpp"

namespace annelid::waves {

/// The position of a flit in its packet: bit 0 for the head, bit 1 for the tail.
using FlitKind = std::uint8_t;
[[nodiscard]] constexpr FlitKind kind_of(const systemc::Flit& flit) {
  return static_cast<FlitKind>((flit.tail ? 2 : 0) + (flit.head ? 1 : 0));
}
/// "head", "body", "tail", "single".
[[nodiscard]] std::string_view name_of(FlitKind kind);

/// A packet as an input or a channel remembers it, identified by its head flit.
struct HeldPacket {
  std::uint64_t head = 0;  ///< the data of its head flit, which identifies it; 0 if unknown
  bool known = false;      ///< false: its head passed before the recording began
  friend bool operator==(const HeldPacket&, const HeldPacket&) = default;
};

/// The texts of one packet, in a cache line.
class alignas(64) PacketText {
 public:
  /// A packet whose head has not been seen.
  PacketText() = default;
  PacketText(const systemc::RouterConfig& router, std::uint64_t head);

  /// "?DarkCyan?B 2,0>5,3 #17"; valid until the next call.
  [[nodiscard]] std::string_view flit(FlitKind kind) {
    text_[letter_] = "BHTS"[kind];
    return {text_.data(), length_};
  }
  [[nodiscard]] std::string_view source() const { return {&text_[source_], source_length_}; }
  [[nodiscard]] std::string_view destination() const {
    return {&text_[destination_], destination_length_};
  }
  [[nodiscard]] bool is_of(std::uint64_t head) const { return known_ && head_ == head; }

 private:
  std::uint64_t head_ = 0;
  bool known_ = false;
  // Positions of these in the text.
  std::uint8_t letter_ = 0, source_ = 0, destination_ = 0;
  std::uint8_t length_ = 1, source_length_ = 0, destination_length_ = 0;
  // At most "?DarkOliveGreen?B 255,255,255>255,255,255 #65535".
  std::array<char, 49> text_{};
};

/// The background colour that GTKWave gives a text box, as an X11 name. Equal packets have equal
/// colours in all waveforms.
[[nodiscard]] std::string_view colour_of(std::uint64_t head);
/// Text that GTKWave draws on that background: "?DarkCyan?text".
[[nodiscard]] std::string coloured(std::string_view colour, std::string_view text);

/// Makes texts and keeps recent ones, because a packet's flits are shown in many places.
class PacketTexts {
 public:
  explicit PacketTexts(const systemc::NetworkConfig& config);

  /// The texts of a packet; valid until the next call.
  [[nodiscard]] PacketText& of(const HeldPacket& packet) {
    if (!packet.known) return unknown_;
    PacketText& place = kept_[place_of(packet.head)];
    if (!place.is_of(packet.head)) place = PacketText(router_, packet.head);
    return place;
  }

 private:
  static constexpr unsigned kPlacesLog2 = 11;

  /// Fibonacci hashing (Knuth, volume 3, section 6.4).
  static std::size_t place_of(std::uint64_t head) {
    return static_cast<std::size_t>(head * 0x9e37'79b9'7f4a'7c15 >> (64 - kPlacesLog2));
  }

  systemc::RouterConfig router_;
  std::vector<PacketText> kept_;
  PacketText unknown_;
};

}  // namespace annelid::waves
