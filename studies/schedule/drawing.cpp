#include "studies/schedule/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "studies/schedule/step_drawing.hpp"
#include "studies/schedule/text.hpp"

namespace annelid::studies {
namespace {

using reference::Operation;
using reference::Schedule;
using reference::Step;

constexpr double kHead = 64;   // title and subtitle
constexpr double kTitle = 26;  // of a panel
constexpr double kLegend = 44;
constexpr double kMargin = 20;

bool spreads(Operation o) { return o == Operation::kBroadcast || o == Operation::kScatter; }
bool collects(Operation o) { return o == Operation::kReduce || o == Operation::kGather; }

/// Columns of panels: the most balanced page of about 3 : 2.
std::size_t columns_for(std::size_t panels, double width, double height) {
  std::size_t best = 1;
  double least = 1e300;
  for (std::size_t columns = 1; columns <= panels; ++columns) {
    const std::size_t rows = (panels + columns - 1) / columns;
    const double shape =
        static_cast<double>(columns) * width / (static_cast<double>(rows) * height);
    const auto empty = static_cast<double>(rows * columns - panels);
    const double badness = std::abs(std::log(shape / 1.5)) + 0.25 * empty;
    if (badness < least) least = badness, best = columns;
  }
  return best;
}

/// After a step: who has the data now, or has given it away.
void advance(Operation operation, const reference::Network& net, const Step& step,
             std::vector<NodeState>& states) {
  if (!spreads(operation) && !collects(operation)) return;
  for (const reference::Message& m : step) {
    const reference::Node n = spreads(operation) ? m.to : m.from;
    states[static_cast<std::size_t>(index_of(net, n))] = NodeState::kDone;
  }
}

std::string legend(Operation operation, bool contended, double x, double y) {
  std::string text;
  auto out = std::back_inserter(text);
  const auto entry = [&](const std::string& mark, const std::string& words) {
    fmt::format_to(out,
                   "<g transform=\"translate({:.0f} {:.0f})\">{}<text x=\"18\" y=\"4\">{}"
                   "</text></g>",
                   x, y, mark, words);
    x += 34 + 6.3 * static_cast<double>(words.size());
  };
  const auto circle = [](const char* fill, const char* stroke, double width) {
    return fmt::format(
        "<circle cx=\"6\" cy=\"0\" r=\"6\" fill=\"{}\" stroke=\"{}\" "
        "stroke-width=\"{}\"/>",
        fill, stroke, width);
  };
  fmt::format_to(out, "<g font-size=\"12\" fill=\"#444\">");
  entry(circle("#1f6fb4", "#1f6fb4", 1), "sends in this step");
  entry(circle("white", "#1f6fb4", 3), "receives");
  if (spreads(operation)) entry(circle("#8c8c8c", "#8c8c8c", 1), "has it already");
  if (collects(operation)) entry(circle("#8c8c8c", "#8c8c8c", 1), "has given its own");
  entry(circle("white", "#c4c4c4", 1.2), spreads(operation) ? "has nothing yet" : "neither");
  if (spreads(operation) || collects(operation)) {
    entry(
        "<circle cx=\"6\" cy=\"0\" r=\"4\" fill=\"#888\"/><circle cx=\"6\" cy=\"0\" r=\"7\" "
        "fill=\"none\" stroke=\"#111\" stroke-width=\"1.5\"/>",
        "root");
  }
  entry(
      "<path d=\"M-4 0H8\" stroke=\"#1f6fb4\" stroke-width=\"2.2\"/><path d=\"M14 0L6 4L6 -4z\" "
      "fill=\"#1f6fb4\"/>",
      "a message and its channels");
  if (contended) {
    entry("<path d=\"M-4 0H14\" stroke=\"#e8112d\" stroke-opacity=\"0.5\" stroke-width=\"9\"/>",
          "a channel that several messages of the step need");
  }
  return text + "</g>\n";
}

}  // namespace

std::string draw_schedule(const simulation::Collective& c, const systemc::NetworkConfig& network,
                          const Schedule& schedule) {
  const auto contention = reference::contention(c.network, schedule);
  const bool contended =
      std::ranges::any_of(contention, [](const auto& step) { return !step.conflicts.empty(); });
  const DrawingScale scale(c.network);
  const std::size_t panels = std::max<std::size_t>(schedule.steps.size(), 1);
  const double width = std::max(scale.plane_x * c.network.z, 190.0);
  const double height = scale.plane_y + kTitle;
  const std::size_t columns = columns_for(panels, width, height);
  const std::size_t rows = (panels + columns - 1) / columns;
  const double page_x = std::max(static_cast<double>(columns) * (width + kMargin) + kMargin,
                                 contended ? 1120.0 : 800.0);
  const double page_y = kHead + static_cast<double>(rows) * (height + kMargin) + kLegend;

  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
                 "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"DejaVu Sans, Helvetica, Arial, "
                 "sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
                 page_x, page_y);
  fmt::format_to(out,
                 "<text x=\"{0}\" y=\"32\" font-size=\"19\" font-weight=\"bold\">{1}</text>\n"
                 "<text x=\"{0}\" y=\"53\" font-size=\"13\" fill=\"#555\">{2}</text>\n",
                 kMargin, describe(c, network), totals_text(c, schedule));
  std::vector<NodeState> states(static_cast<std::size_t>(c.network.nodes()), NodeState::kIdle);
  if (spreads(c.operation())) {
    states[static_cast<std::size_t>(index_of(c.network, c.root))] = NodeState::kDone;
  }
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const Step& step = schedule.steps[i];
    const std::size_t column = i % columns, row = i / columns;
    const double x = kMargin + static_cast<double>(column) * (width + kMargin);
    const double y = kHead + kMargin / 2 + static_cast<double>(row) * (height + kMargin);
    fmt::format_to(out, "<g transform=\"translate({:.1f} {:.1f})\">\n", x, y);
    fmt::format_to(out,
                   "<rect x=\"-4\" y=\"-4\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"6\" "
                   "fill=\"#fcfcfc\" stroke=\"#e4e4e4\"/>",
                   width + 8, height + 8);
    fmt::format_to(out,
                   "<text x=\"8\" y=\"16\" font-size=\"14\" font-weight=\"bold\">Step {}</text>"
                   "<text x=\"{:.1f}\" y=\"16\" font-size=\"12\" fill=\"#666\" "
                   "text-anchor=\"end\">{}</text>\n",
                   i + 1, width - 8, step_text(step, contention[i]));
    fmt::format_to(out,
                   "<text x=\"{:.1f}\" y=\"31\" font-size=\"12\" fill=\"#e8112d\" "
                   "text-anchor=\"end\">{}</text>\n",
                   width - 8, contended_text(contention[i]));
    fmt::format_to(out, "<g transform=\"translate({:.1f} {:.1f})\">\n",
                   (width - scale.plane_x * c.network.z) / 2, kTitle);
    text += draw_step(scale, {c.network, step, states, c.has_root() ? &c.root : nullptr});
    text += "</g></g>\n";
    advance(c.operation(), c.network, step, states);
  }
  text += legend(c.operation(), contended, kMargin + 6, page_y - kLegend / 2);
  return text + "</svg>\n";
}

}  // namespace annelid::studies
