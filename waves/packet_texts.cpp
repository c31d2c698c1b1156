#include "waves/packet_texts.hpp"

#include "systemc/network/route.hpp"

namespace annelid::waves {
namespace {

// Far from each other, and dark enough for GTKWave's white text.
constexpr std::array<std::string_view, 10> kColours = {
    "DarkCyan", "DarkRed",   "Purple4",        "DarkGreen",     "SaddleBrown",
    "NavyBlue", "DeepPink4", "DarkOliveGreen", "DarkSlateGray", "DarkOrange3"};

}  // namespace

std::string_view name_of(FlitKind kind) {
  static constexpr std::array<std::string_view, 4> kNames = {"body", "head", "tail", "single"};
  return kNames[kind];
}

std::string_view colour_of(std::uint64_t head) {
  const systemc::HeadFields fields = systemc::unpack_head(head);
  // Neighbours in space and in time differ.
  const unsigned mixed = fields.tag + 3u * fields.source.x + 7u * fields.source.y +
                         5u * fields.source.z + fields.destination.x + 3u * fields.destination.y;
  return kColours[mixed % kColours.size()];
}

std::string coloured(std::string_view colour, std::string_view text) {
  std::string result = "?";
  return result.append(colour).append("?").append(text);
}

PacketText::PacketText(const systemc::RouterConfig& router, std::uint64_t head)
    : head_(head), known_(true) {
  const systemc::HeadFields fields = systemc::unpack_head(head);
  const std::string source = node_name(router, fields.source);
  const std::string destination = node_name(router, fields.destination);
  std::string text = coloured(colour_of(head), "B ");
  letter_ = static_cast<std::uint8_t>(text.size() - 2);
  source_ = static_cast<std::uint8_t>(text.size());
  source_length_ = static_cast<std::uint8_t>(source.size());
  text.append(source).append(">");
  destination_ = static_cast<std::uint8_t>(text.size());
  destination_length_ = static_cast<std::uint8_t>(destination.size());
  text.append(destination).append(" #").append(std::to_string(fields.tag));
  length_ = static_cast<std::uint8_t>(text.copy(text_.data(), text_.size()));
}

PacketTexts::PacketTexts(const systemc::NetworkConfig& config)
    : router_(config.router), kept_(std::size_t{1} << kPlacesLog2) {}

}  // namespace annelid::waves
