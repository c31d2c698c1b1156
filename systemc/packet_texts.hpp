// What waveforms say about a packet and its flits.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "systemc/config.hpp"
#include "systemc/flit.hpp"

namespace annelid {

/// The texts of one packet.
struct PacketText {
  std::uint64_t head = 0;  ///< the data of its head flit, which names it
  bool known = false;      ///< false: only flits without their head have been seen
  std::uint16_t tag = 0;
  std::string source, destination;   ///< "2,0"
  std::array<std::string, 4> flits;  ///< by tail * 2 + head: "?DarkCyan?B 2,0>5,3 #17"

  [[nodiscard]] const std::string& of(const Flit& flit) const {
    return flits[(flit.tail ? 2u : 0u) + (flit.head ? 1u : 0u)];
  }
};

/// "head", "body", "tail", "single".
[[nodiscard]] std::string_view kind_of(const Flit& flit);
/// The background that GTKWave gives a box of text, by X11 name. Equal packets have equal colours
/// in all waveforms.
[[nodiscard]] std::string_view colour_of(std::uint64_t head);
/// Text that GTKWave draws on that background: "?DarkCyan?text".
[[nodiscard]] std::string coloured(std::string_view colour, std::string_view text);

/// Makes texts and keeps those of late, as a packet's flits are shown at many places.
class PacketTexts {
 public:
  explicit PacketTexts(const NetworkConfig& config);

  /// The packet with that head flit; valid until the next call.
  [[nodiscard]] const PacketText& of(std::uint64_t head) {
    PacketText& place = kept_[place_of(head)];
    if (!place.known || place.head != head) make(place, head);
    return place;
  }
  /// A packet whose head was not seen.
  [[nodiscard]] const PacketText& unknown() const { return unknown_; }

 private:
  static constexpr unsigned kPlacesLog2 = 11;

  /// Fibonacci hashing (Knuth, volume 3, section 6.4).
  static std::size_t place_of(std::uint64_t head) {
    return static_cast<std::size_t>(head * 0x9e37'79b9'7f4a'7c15 >> (64 - kPlacesLog2));
  }
  void make(PacketText& place, std::uint64_t head) const;

  RouterConfig router_;
  std::vector<PacketText> kept_;
  PacketText unknown_;
};

}  // namespace annelid
