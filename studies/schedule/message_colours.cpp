#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "studies/schedule/step_drawing.hpp"

namespace annelid::studies {
namespace {

using reference::Node;

struct Rgb {
  int r, g, b;
};
// Far from each other, dark enough on white, none of them the red of contention.
constexpr std::array<Rgb, 9> kColours = {{{0x1F, 0x6F, 0xB4},
                                          {0xE0, 0x7B, 0x00},
                                          {0x1B, 0x93, 0x5C},
                                          {0x8E, 0x3F, 0xA8},
                                          {0x00, 0x9F, 0xB7},
                                          {0xA8, 0x7A, 0x00},
                                          {0xC2, 0x2F, 0x86},
                                          {0x5C, 0x63, 0xC9},
                                          {0x6B, 0x8E, 0x23}}};

/// Mixed with white (amount > 0) or black (< 0).
std::string shaded(Rgb colour, double amount) {
  const auto mixed = [amount](int c) {
    const double towards = amount > 0 ? 255 : 0;
    return static_cast<int>(std::lround(c + (towards - c) * std::abs(amount)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(colour.r), mixed(colour.g), mixed(colour.b));
}

/// The nodes that a sender's messages may pass: corners of a box.
struct Reach {
  Node low, high;
  void add(Node n) {
    low = {std::min(low.x, n.x), std::min(low.y, n.y), std::min(low.z, n.z)};
    high = {std::max(high.x, n.x), std::max(high.y, n.y), std::max(high.z, n.z)};
  }
  /// Whether the boxes, each widened by one node, have one in common.
  [[nodiscard]] bool near(const Reach& other) const {
    const auto apart = [](int low_a, int high_a, int low_b, int high_b) {
      return low_a > high_b + 1 || low_b > high_a + 1;
    };
    return !apart(low.x, high.x, other.low.x, other.high.x) &&
           !apart(low.y, high.y, other.low.y, other.high.y) &&
           !apart(low.z, high.z, other.low.z, other.high.z);
  }
};

}  // namespace

MessageColours colour_messages(const reference::Network& network, const reference::Step& step) {
  struct Sender {
    Node node;
    Reach reach;
    std::size_t colour = 0;
  };
  std::vector<Sender> senders;
  std::vector<std::size_t> sender_at(static_cast<std::size_t>(network.nodes()), ~std::size_t{0});
  const auto at = [&](Node n) { return static_cast<std::size_t>(index_of(network, n)); };
  for (const reference::Message& m : step) {
    std::size_t& s = sender_at[at(m.from)];
    if (s == ~std::size_t{0}) {
      s = senders.size();
      senders.push_back({m.from, {m.from, m.from}, 0});
    }
    senders[s].reach.add(m.to);
  }
  // Each takes the colour that its coloured neighbours use least, beginning at another one each.
  for (std::size_t s = 0; s < senders.size(); ++s) {
    std::array<int, kColours.size()> used{};
    for (std::size_t o = 0; o < s; ++o) {
      used[senders[o].colour] += senders[o].reach.near(senders[s].reach) ? 1 : 0;
    }
    for (std::size_t c = 0, best = used.size(); c < used.size(); ++c) {
      const std::size_t colour = (s + c) % used.size();
      if (best < used.size() && used[colour] >= used[best]) continue;
      best = senders[s].colour = colour;
    }
  }
  MessageColours result;
  result.senders.resize(sender_at.size());
  for (const Sender& s : senders) result.senders[at(s.node)] = shaded(kColours[s.colour], 0);
  constexpr std::array kShades = {0.0, 0.3, -0.3, 0.15, -0.15, 0.42, -0.42};
  std::vector<std::size_t> sent(senders.size());
  for (const reference::Message& m : step) {
    const std::size_t s = sender_at[at(m.from)];
    result.messages.push_back(
        shaded(kColours[senders[s].colour], kShades[sent[s]++ % kShades.size()]));
  }
  return result;
}

}  // namespace annelid::studies
