// A network as the judge sees it: channels with virtual channels (VCs), and a routing relation that
// says which VCs a packet may take next. docs/reference/deadlock-files.md describes the same as a
// file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace annelid::deadlock {

/// How packets share buffers.
enum class Switching : std::uint8_t {
  kWormhole,    ///< a VC is given to the next packet when its buffer is empty
  kShared,      ///< a VC is given to the next packet when the tail has entered its buffer
  kCutThrough,  ///< a packet goes on only if the next buffer has room for all of it
};
/// "wormhole", "shared", "cut-through".
[[nodiscard]] std::string_view name_of(Switching switching);

struct Node {
  std::string name;
  bool placed = false;  ///< whether x and y say where a picture shows it
  double x = 0, y = 0;
};

struct Channel {
  std::string name;
  std::uint32_t from = 0, to = 0;  ///< nodes
  std::uint32_t vcs = 1;
  std::uint32_t first_vc = 0;  ///< its VCs are numbered on from here
};

/// What the routing relation knows of a packet.
struct Packet {
  std::uint32_t to = 0;  ///< a node
  std::uint8_t cls = 0;  ///< its class of messages
};

/// A VC that a packet may take next.
struct Choice {
  std::uint32_t vc = 0;
  bool escape = false;  ///< it is an escape for this packet
};

/// VCs in a circle. A packet enters the circle only where it leaves room for one more packet behind
/// itself, so the circle never fills up.
struct BubbleRing {
  std::string name;
  std::vector<std::uint32_t> vcs;
};

/// A node takes a packet of class `request` only when it has room for its answer, a packet of class
/// `reply` to the node that has sent the request. Room is for one answer.
struct Answer {
  std::uint8_t request = 0, reply = 0;
};

struct Network {
  std::string name;
  Switching switching = Switching::kWormhole;
  std::vector<Node> nodes;
  std::vector<Channel> channels;
  std::vector<std::string> classes{"packets"};
  std::vector<Answer> answers;  ///< each class is at most once a request, none answers itself
  std::vector<BubbleRing> rings;

  /// Appends the VCs that a packet may take which is at the front of VC `held`, or which node
  /// `held` - vcs() injects. Never asked at the packet's destination, where it is delivered. A node
  /// that finds none sends no such packets.
  std::function<void(std::uint32_t held, Packet packet, std::vector<Choice>& to)> next;

  void add_channel(std::string channel_name, std::uint32_t from, std::uint32_t to,
                   std::uint32_t vcs);
  [[nodiscard]] std::uint32_t vcs() const { return static_cast<std::uint32_t>(of_vc_.size()); }
  [[nodiscard]] std::uint32_t channel_of(std::uint32_t vc) const { return of_vc_[vc]; }
  /// The node whose buffer the VC fills.
  [[nodiscard]] std::uint32_t end_of(std::uint32_t vc) const { return channels[of_vc_[vc]].to; }

  /// *Places* are what packets hold: VCs, then for each node the room for answers of each kind.
  [[nodiscard]] std::uint32_t places() const {
    return vcs() + static_cast<std::uint32_t>(nodes.size() * answers.size());
  }
  [[nodiscard]] std::uint32_t answer_place(std::uint32_t node, std::size_t answer) const {
    return vcs() + static_cast<std::uint32_t>(node * answers.size() + answer);
  }
  /// The node at which a packet in this place is.
  [[nodiscard]] std::uint32_t node_of(std::uint32_t place) const;
  /// "ab", "ab.1" where the channel has several VCs, "node b's reply".
  [[nodiscard]] std::string place_name(std::uint32_t place) const;

 private:
  std::vector<std::uint32_t> of_vc_;  // channels
};

}  // namespace annelid::deadlock
