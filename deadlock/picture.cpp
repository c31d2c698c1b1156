#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>

#include "deadlock/report.hpp"

namespace annelid::deadlock {
namespace {

constexpr double kCell = 110, kRadius = 15, kMargin = 70, kHead = 78;
constexpr double kLane = 7;  // from the middle between two nodes to a channel

struct Point {
  double x = 0, y = 0;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double f, Point p) { return {f * p.x, f * p.y}; }
};
double length(Point p) { return std::hypot(p.x, p.y); }

/// Names come from files.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
      safe += c;
    }
  }
  return safe;
}

class Picture {
 public:
  explicit Picture(const Report& report) : r_(report), net_(report.network) {
    place_nodes();
    number_cycle();
  }

  std::string draw() {
    const double words = 7.2 * static_cast<double>(circle_text(net_, circle()).size()) + 40;
    const double width = std::max({size_.x, std::min(words, 1200.0), 520.0});
    const double height = size_.y + kHead;
    const auto out = std::back_inserter(text_);
    fmt::format_to(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
                   "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"DejaVu Sans, "
                   "Helvetica, Arial, sans-serif\">\n<rect width=\"100%\" height=\"100%\" "
                   "fill=\"white\"/>\n<defs>{2}{3}</defs>\n",
                   width, height, arrow_head("grey", kGrey), arrow_head("red", kRed));
    fmt::format_to(out,
                   "<text x=\"20\" y=\"30\" font-size=\"17\" font-weight=\"bold\">{}: {}</text>\n"
                   "<text x=\"20\" y=\"53\" font-size=\"12\" fill=\"#555\">{}</text>\n"
                   "<g transform=\"translate({:.1f} {:.1f})\">\n",
                   escaped(net_.name), verdict_word(r_.judgement.verdict), escaped(subtitle()),
                   (width - size_.x) / 2, kHead);
    for (std::size_t c = 0; c < net_.channels.size(); ++c) {
      if (!on_cycle_.contains(c)) channel(c);
    }
    for (const auto& [c, steps] : on_cycle_) channel(c);
    for (std::size_t n = 0; n < net_.nodes.size(); ++n) node(n);
    for (const std::string& label : labels_) text_ += label;
    return text_ + "</g>\n</svg>\n";
  }

 private:
  static constexpr const char* kGrey = "#bdbdbd";
  static constexpr const char* kRed = "#d4142a";

  [[nodiscard]] const std::vector<std::uint32_t>& circle() const { return r_.judgement.cycle; }

  [[nodiscard]] std::string subtitle() const {
    if (!circle().empty()) return circle_text(net_, circle());
    const std::string proof = proof_text(r_.judgement);
    return proof.empty() ? verdict_text(r_.judgement) : proof;
  }

  static std::string arrow_head(const char* id, const char* colour) {
    return fmt::format(
        "<marker id=\"{}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" "
        "markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 1L10 5L0 "
        "9z\" fill=\"{}\"/></marker>",
        id, colour);
  }

  /// Where the file says, or in a circle if it does not say it of every node.
  void place_nodes() {
    const std::size_t nodes = net_.nodes.size();
    const bool placed = std::ranges::all_of(net_.nodes, &Node::placed);
    for (std::size_t n = 0; n < nodes; ++n) {
      const double turn =
          2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(nodes);
      const double radius = std::max(1.0, static_cast<double>(nodes) / 5);
      at_.push_back(placed ? Point{net_.nodes[n].x, -net_.nodes[n].y}
                           : radius * Point{std::sin(turn), -std::cos(turn)});
    }
    double unit = std::numeric_limits<double>::infinity();
    for (const Channel& channel : net_.channels) {
      const double apart = length(at_[channel.to] - at_[channel.from]);
      if (apart > 0) unit = std::min(unit, apart);
    }
    Point low{1e9, 1e9}, high{-1e9, -1e9};
    for (Point& p : at_) {
      if (std::isfinite(unit)) p = kCell / unit * p;
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    for (Point& p : at_) p = p - low + Point{kMargin, kMargin};
    size_ = high - low + Point{2 * kMargin, 2 * kMargin};
  }

  void number_cycle() {
    for (std::size_t i = 0; i < circle().size(); ++i) {
      if (circle()[i] < net_.vcs()) {
        on_cycle_[net_.channel_of(circle()[i])].push_back(i);
      } else {  // room for an answer, at a node
        nodes_on_cycle_[net_.node_of(circle()[i])].push_back(i + 1);
      }
    }
  }

  /// Whether the straight line between two nodes leads past a third.
  [[nodiscard]] bool passes_a_node(Point a, Point b) const {
    const Point along = b - a;
    const double l = length(along);
    return std::ranges::any_of(at_, [&](Point p) {
      const double t = ((p.x - a.x) * along.x + (p.y - a.y) * along.y) / (l * l);
      if (t <= 1e-6 || t >= 1 - 1e-6) return false;
      return length(p - (a + t * along)) < kRadius;
    });
  }

  void channel(std::size_t number) {
    const Channel& c = net_.channels[number];
    const Point a = at_[c.from], b = at_[c.to];
    const double l = length(b - a);
    if (l < 1e-6) return;
    const Point along = 1 / l * (b - a), right{-along.y, along.x};
    const bool bent = passes_a_node(a, b);
    const double bulge = bent ? std::min(0.35 * l, 0.16 * l + 26) : 0;
    const Point start = a + kRadius * along + kLane * right;
    const Point end = b - (kRadius + 2) * along + kLane * right;
    const Point middle = 0.5 * (start + end) + bulge * right;
    const auto steps = on_cycle_.find(number);
    const bool red = steps != on_cycle_.end();
    fmt::format_to(std::back_inserter(text_),
                   "<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" "
                   "stroke=\"{}\" stroke-width=\"{}\" marker-end=\"url(#{})\"><title>{}"
                   "</title></path>\n",
                   start.x, start.y, middle.x, middle.y, end.x, end.y, red ? kRed : kGrey,
                   red ? 2.6 : 1.3, red ? "red" : "grey", escaped(c.name));
    if (red) label(c, steps->second, 0.25 * (start + end) + 0.5 * middle + 4.0 * right, right);
  }

  /// The number of the step, and the VC if the channel has several.
  void label(const Channel& c, const std::vector<std::size_t>& steps, Point at, Point right) {
    std::string words;
    for (const std::size_t i : steps) {
      words += fmt::format("{}{}", words.empty() ? "" : ", ", i + 1);
      if (c.vcs > 1) words += fmt::format(" (.{})", circle()[i] - c.first_vc);
    }
    const char* const anchor = right.x > 0.5 ? "start" : right.x < -0.5 ? "end" : "middle";
    labels_.push_back(fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" font-weight=\"bold\" fill=\"{}\" "
        "text-anchor=\"{}\">{}</text>\n",
        at.x + 2 * right.x, at.y + 4 + 8 * right.y, kRed, anchor, words));
  }

  void node(std::size_t n) {
    const Point p = at_[n];
    const auto steps = nodes_on_cycle_.find(n);
    const bool red = steps != nodes_on_cycle_.end();
    fmt::format_to(std::back_inserter(text_),
                   "<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"{2}\" fill=\"white\" "
                   "stroke=\"{6}\" stroke-width=\"{7}\"/><text x=\"{0:.1f}\" y=\"{3:.1f}\" "
                   "font-size=\"{4}\" text-anchor=\"middle\">{5}</text>\n",
                   p.x, p.y, kRadius, p.y + 4, net_.nodes[n].name.size() > 3 ? 9 : 12,
                   escaped(net_.nodes[n].name), red ? kRed : "#555", red ? 2.6 : 1.4);
    if (!red) return;
    labels_.push_back(fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" font-weight=\"bold\" fill=\"{}\" "
        "text-anchor=\"middle\">{}</text>\n",
        p.x, p.y + kRadius + 16, kRed, fmt::join(steps->second, ", ")));
  }

  const Report& r_;
  const Network& net_;
  std::vector<Point> at_;
  Point size_;
  std::map<std::size_t, std::vector<std::size_t>> on_cycle_;  // by channel: steps of the circle
  std::map<std::size_t, std::vector<std::size_t>> nodes_on_cycle_;
  std::string text_;
  std::vector<std::string> labels_;  // above all lines
};

}  // namespace

std::string report_picture(const Report& report) { return Picture(report).draw(); }

}  // namespace annelid::deadlock
