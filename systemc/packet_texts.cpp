#include "systemc/packet_texts.hpp"

#include "systemc/route.hpp"

namespace annelid {
namespace {

// Far from each other, and dark enough for GTKWave's white text.
constexpr std::array<std::string_view, 10> kColours = {
    "DarkCyan", "DarkRed",   "Purple4",        "DarkGreen",     "SaddleBrown",
    "NavyBlue", "DeepPink4", "DarkOliveGreen", "DarkSlateGray", "DarkOrange3"};

constexpr std::array<char, 4> kLetters = {'B', 'H', 'T', 'S'};

}  // namespace

std::string_view kind_of(const Flit& flit) {
  return flit.head ? (flit.tail ? "single" : "head") : (flit.tail ? "tail" : "body");
}

std::string_view colour_of(std::uint64_t head) {
  const HeadFields fields = unpack_head(head);
  // Neighbours in space and in time differ.
  const unsigned mixed = fields.tag + 3u * fields.source.x + 7u * fields.source.y +
                         5u * fields.source.z + fields.destination.x + 3u * fields.destination.y;
  return kColours[mixed % kColours.size()];
}

std::string coloured(std::string_view colour, std::string_view text) {
  std::string result = "?";
  return result.append(colour).append("?").append(text);
}

PacketTexts::PacketTexts(const NetworkConfig& config)
    : router_(config.router), kept_(std::size_t{1} << kPlacesLog2) {
  for (std::size_t kind = 0; kind < kLetters.size(); ++kind) {
    unknown_.flits[kind] = kLetters[kind];
  }
}

void PacketTexts::make(PacketText& place, std::uint64_t head) const {
  const HeadFields fields = unpack_head(head);
  place.head = head;
  place.known = true;
  place.tag = fields.tag;
  place.source = node_name(router_, fields.source);
  place.destination = node_name(router_, fields.destination);
  const std::string way =
      " " + place.source + ">" + place.destination + " #" + std::to_string(fields.tag);
  for (std::size_t kind = 0; kind < kLetters.size(); ++kind) {
    place.flits[kind] = coloured(colour_of(head), kLetters[kind] + way);
  }
}

}  // namespace annelid
