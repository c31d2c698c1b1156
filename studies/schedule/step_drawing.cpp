#include "studies/schedule/step_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace annelid::studies {
namespace {

using reference::Channel;
using reference::Message;
using reference::Network;
using reference::Node;

struct Point {
  double x = 0, y = 0;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double f, Point p) { return {f * p.x, f * p.y}; }
};

constexpr const char* kLink = "#d9d9d9";
constexpr const char* kWaiting = "#c4c4c4";
constexpr const char* kDoneColour = "#8c8c8c";
constexpr const char* kContended = "#e8112d";

/// Draws into one text; the y axis of the nodes goes up, that of the picture down.
class StepDrawing {
 public:
  StepDrawing(const DrawingScale& scale, const StepPicture& picture)
      : s_(scale), p_(picture), net_(picture.network), colours_(colour_messages(net_, p_.step)) {
    for (std::size_t m = 0; m < p_.step.size(); ++m) {
      for (const Channel& c : route(net_, p_.step[m].from, p_.step[m].to)) {
        users_[c].push_back(m);
      }
    }
    choose_lanes();
  }

  std::string draw() {
    links();
    axes();
    find_receivers();
    nodes(false);
    contended();
    for (std::size_t m = 0; m < p_.step.size(); ++m) message(m);
    nodes(true);
    return std::move(text_);
  }

 private:
  [[nodiscard]] Point at(Node n) const {
    return {n.z * s_.plane_x + s_.margin + n.x * s_.cell, s_.margin + (net_.y - 1 - n.y) * s_.cell};
  }

  /// The direction of a channel in the picture; {0, 0} between planes.
  [[nodiscard]] Point direction(const Channel& c) const {
    const auto sign = [](int size, bool ring, int from, int to) {
      const int steps = reference::steps_along(size, ring, from, to);
      return steps > 0 ? 1.0 : steps < 0 ? -1.0 : 0.0;
    };
    return {sign(net_.x, net_.ring[0], c.from.x, c.to.x),
            -sign(net_.y, net_.ring[1], c.from.y, c.to.y)};
  }
  [[nodiscard]] static bool between_planes(const Channel& c) { return c.from.z != c.to.z; }
  /// Whether the channel goes around a ring, not between neighbours in the picture.
  [[nodiscard]] bool wraps(const Channel& c) const {
    const Point d = direction(c), way = at(c.to) - at(c.from);
    if (between_planes(c)) {
      const bool up = reference::steps_along(net_.z, net_.ring[2], c.from.z, c.to.z) > 0;
      return up != (c.to.z > c.from.z);
    }
    return way.x * d.x + way.y * d.y < 0;
  }
  [[nodiscard]] static Point right_of(Point direction) { return {-direction.y, direction.x}; }

  template <typename... Arguments>
  void write(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  // Messages that share a channel get lanes beside each other.
  void choose_lanes() {
    lanes_.assign(p_.step.size(), 0);
    for (const auto& [channel, users] : users_) {
      for (std::size_t u = 1; u < users.size(); ++u) {
        for (std::size_t o = 0; o < u; ++o) {
          if (lanes_[users[u]] == lanes_[users[o]]) ++lanes_[users[u]], o = ~std::size_t{0};
        }
      }
    }
  }
  [[nodiscard]] double offset(std::size_t message) const {
    return std::min(s_.lane + lanes_[message] * s_.line * 1.5, s_.cell * 0.42);
  }

  void line(Point a, Point b, const char* style) {
    write("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" {}/>", a.x, a.y, b.x, b.y, style);
  }

  void links() {
    const std::string style =
        fmt::format("stroke=\"{}\" stroke-width=\"{:.1f}\"", kLink, s_.line * 0.6);
    const std::string ring = style + " stroke-dasharray=\"2 2\"";
    const double stub = 0.55 * s_.cell;
    for (int z = 0; z < net_.z; ++z) {
      for (int y = 0; y < net_.y; ++y) {
        const Point a = at({0, y, z}), b = at({net_.x - 1, y, z});
        line(a, b, style.c_str());
        if (!net_.ring[0] || net_.x == 1) continue;
        line(a - Point{stub, 0}, a, ring.c_str());
        line(b, b + Point{stub, 0}, ring.c_str());
      }
      for (int x = 0; x < net_.x; ++x) {
        const Point a = at({x, 0, z}), b = at({x, net_.y - 1, z});
        line(a, b, style.c_str());
        if (!net_.ring[1] || net_.y == 1) continue;
        line(a + Point{0, stub}, a, ring.c_str());
        line(b, b - Point{0, stub}, ring.c_str());
      }
    }
    text_ += '\n';
  }

  void axes() {
    const double size = std::clamp(s_.cell * 0.3, 8.0, 12.0);
    const int every = s_.cell >= 22 ? 1 : s_.cell >= 11 ? 4 : 8;
    const double off = s_.margin - size * 0.3;
    write("<g font-size=\"{:.0f}\" fill=\"#888\" text-anchor=\"middle\">", size);
    for (int z = 0; z < net_.z; ++z) {
      for (int x = 0; x < net_.x; x += every) {
        const Point a = at({x, 0, z});
        write("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", a.x, a.y + off, x);
      }
      for (int y = 0; y < net_.y && net_.y > 1 && z == 0; y += every) {
        const Point a = at({0, y, z});
        write("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", a.x - off + size * 0.3,
              a.y + size * 0.35, y);
      }
      if (net_.z > 1) {
        const Point a = at({0, 0, z});
        write("<text x=\"{:.1f}\" y=\"{:.1f}\" font-style=\"italic\">z = {}</text>",
              a.x + (net_.x - 1) * s_.cell / 2, a.y + off + size * 1.3, z);
      }
    }
    text_ += "</g>\n";
  }

  void contended() {
    for (const auto& [c, users] : users_) {
      if (users.size() < 2) continue;
      double low = s_.cell, high = 0;
      for (const std::size_t m : users) {
        low = std::min(low, offset(m));
        high = std::max(high, offset(m));
      }
      const double width = high - low + 3.6 * s_.line;
      const std::string style =
          fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{:.1f}\" stroke-opacity=\"0.5\"",
                      kContended, width);
      if (between_planes(c)) {
        write("<path d=\"{}\" {}/>", arc(c, 0), style);
        continue;
      }
      const Point d = direction(c), shift = (low + high) / 2 * right_of(d);
      const double reach = wraps(c) ? 0.55 : 1;
      line(at(c.from) + shift, at(c.from) + shift + reach * s_.cell * d, style.c_str());
      if (wraps(c)) line(at(c.to) + shift - reach * s_.cell * d, at(c.to) + shift, style.c_str());
    }
  }

  /// A channel between planes: an arc over what lies between; around a ring two stubs.
  [[nodiscard]] std::string arc(const Channel& c, double gap) const {
    const Point a = at(c.from), b = at(c.to);
    const double up = (b.x > a.x) != wraps(c) ? 1 : -1;  // to the right over, to the left under
    const double height = up * s_.cell * 0.45;
    if (wraps(c)) {
      const double out = up * s_.cell * 0.7;
      return fmt::format(
          "M{:.1f} {:.1f}q{:.1f} {:.1f} {:.1f} {:.1f}M{:.1f} {:.1f}q{:.1f} {:.1f} {:.1f} {:.1f}",
          a.x, a.y, out * 0.5, -height * 0.9, out, -height, b.x - out, b.y - height, out * 0.4, 0.0,
          out - up * gap, height - up * gap * 0.7);
    }
    const double way = b.x - a.x - up * gap;
    return fmt::format("M{:.1f} {:.1f}c{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", a.x, a.y,
                       up * s_.cell * 0.5, -height, way - up * s_.cell * 0.6, -height, way,
                       -up * gap * 0.5);
  }

  void arrow_head(Point tip, Point d, const std::string& colour) {
    const double length = 3.2 * s_.line + 1.5, half = 1.5 * s_.line + 0.8;
    const Point r = right_of(d), base = tip - length * d;
    const Point a = base + half * r, b = base - half * r;
    write("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z\" fill=\"{}\"/>", tip.x, tip.y,
          a.x, a.y, b.x, b.y, colour);
  }

  void message(std::size_t m) {
    const auto channels = route(net_, p_.step[m].from, p_.step[m].to);
    const std::string& colour = colours_.messages[m];
    const double away = offset(m);
    const double head = 3.2 * s_.line + 1.5;
    std::string plane, arcs;
    Point tip, tip_direction;
    const auto to = [](char command, Point p) {
      return fmt::format("{}{:.1f} {:.1f}", command, p.x, p.y);
    };
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const Channel& c = channels[i];
      const bool last = i + 1 == channels.size();
      if (between_planes(c)) {
        arcs += arc(c, last ? s_.node + head * 0.8 : 0);
        if (last) {
          const double up = (at(c.to).x > at(c.from).x) != wraps(c) ? 1 : -1;
          tip_direction = {up * 0.82, up * 0.57};
          tip = at(c.to) - s_.node * tip_direction;
        }
        continue;
      }
      const Point d = direction(c), shift = away * right_of(d);
      const bool first = i == 0;
      const bool turns =
          !last && !between_planes(channels[i + 1]) &&
          (direction(channels[i + 1]).x != d.x || direction(channels[i + 1]).y != d.y);
      if (first) plane += to('M', at(c.from) + shift + s_.node * 0.8 * d);
      if (wraps(c)) {
        plane += to('L', at(c.from) + shift + 0.55 * s_.cell * d);
        plane += to('M', at(c.to) + shift - 0.55 * s_.cell * d);
      }
      if (last) {
        tip = at(c.to) + shift - std::sqrt(std::max(0.0, s_.node * s_.node - away * away)) * d;
        tip_direction = d;
        plane += to('L', tip - head * 0.8 * d);
      } else if (turns) {
        const Point next = direction(channels[i + 1]);
        const Point corner = at(c.to) + shift + away * right_of(next);
        const double round = std::min(s_.cell * 0.18, 7.0);
        plane += to('L', corner - round * d) + to('Q', corner) + to(' ', corner + round * next);
      } else {
        plane += to('L', at(c.to) + shift);
      }
    }
    const std::string stroke =
        fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{:.1f}\" stroke-linejoin=\"round\"",
                    colour, s_.line);
    if (!plane.empty()) write("<path d=\"{}\" {}/>", plane, stroke);
    if (!arcs.empty()) write("<path d=\"{}\" {} stroke-dasharray=\"4 2\"/>", arcs, stroke);
    if (!channels.empty()) arrow_head(tip, tip_direction, colour);
    text_ += '\n';
  }

  void find_receivers() {
    received_.resize(p_.states.size());
    for (std::size_t m = 0; m < p_.step.size(); ++m) {
      received_[static_cast<std::size_t>(index_of(net_, p_.step[m].to))] = colours_.messages[m];
    }
  }

  /// Draws nodes: those that send or receive lie on the messages, the others below.
  void nodes(bool taking_part) {
    for (int i = 0; i < net_.nodes(); ++i) {
      const auto n = static_cast<std::size_t>(i);
      const std::string &sends = colours_.senders[n], &receives = received_[n];
      if (taking_part == (sends.empty() && receives.empty())) continue;
      const Point c = at(reference::node_at(net_, i));
      const bool done = p_.states[n] == NodeState::kDone;
      const std::string fill = !sends.empty() ? sends : done ? kDoneColour : "white";
      const std::string edge = !receives.empty() ? receives : fill == "white" ? kWaiting : fill;
      const double width = receives.empty() ? s_.line * 0.6 : s_.line * 1.4;
      write(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" stroke=\"{}\" "
          "stroke-width=\"{:.1f}\"/>",
          c.x, c.y, s_.node - width / 2, fill, edge, width);
      if (p_.root == nullptr || reference::node_at(net_, i) != *p_.root) continue;
      write(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"none\" stroke=\"#111\" "
          "stroke-width=\"{:.1f}\"/>",
          c.x, c.y, s_.node + s_.line * 0.9, s_.line * 0.7);
    }
    text_ += '\n';
  }

  const DrawingScale& s_;
  const StepPicture& p_;
  const Network& net_;
  const MessageColours colours_;
  std::map<Channel, std::vector<std::size_t>> users_;
  std::vector<int> lanes_;
  std::vector<std::string> received_;  ///< by node: the colour of a message to it, or ""
  std::string text_;
};

}  // namespace

DrawingScale::DrawingScale(const Network& network) {
  const int longest = std::max(network.x, network.y);
  cell = std::clamp(480.0 / longest, 22.0, 48.0);
  node = cell * 0.19;
  lane = cell * 0.07;
  line = std::clamp(cell * 0.05, 1.2, 2.4);
  margin = (network.has_rings() ? 0.75 : 0.5) * cell + 8;
  plane_x = (network.x - 1) * cell + 2 * margin + (network.z > 1 ? 6 : 0);
  plane_y = (network.y - 1) * cell + 2 * margin + (network.z > 1 ? 14 : 0);
}

std::string draw_step(const DrawingScale& scale, const StepPicture& picture) {
  return StepDrawing(scale, picture).draw();
}

}  // namespace annelid::studies
