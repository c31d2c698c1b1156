#include "reference/costs/communication_models.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

namespace annelid::reference::models {
namespace {

constexpr std::size_t index(Model model) { return static_cast<std::size_t>(model); }

/// The factors of a point in the model's equation.
Factors factors_of(Model model, const Point& p) {
  switch (model) {
    case Model::kPostal:
    case Model::kLogP:
      return {1, p.messages - 1};
    case Model::kLogGP:
      return {1, p.messages - 1, p.messages * std::max(p.bytes - 1, 0.0)};
    default:
      return {1, p.bytes};
  }
}

LeastSquares solved(Model model, std::span<const Point> points) {
  std::vector<Factors> factors;
  std::vector<double> times;
  for (const Point& p : points) {
    factors.push_back(factors_of(model, p));
    times.push_back(p.time);
  }
  return least_squares(factors, times);
}

double deviation(double time, double fitted) { return std::abs(time / fitted - 1); }

/// Each point by a fit to all others.
std::optional<double> worst_left_out(Model model, std::span<const Point> points) {
  std::optional<double> worst;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<Point> others(points.begin(), points.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (others.empty()) continue;
    const auto time = solved(model, others).at(factors_of(model, points[i]));
    if (time) worst = std::max(worst.value_or(0), deviation(points[i].time, *time));
  }
  return worst;
}

std::vector<Point> of_least_length(std::span<const Point> points) {
  const double least = std::ranges::min(points, {}, &Point::bytes).bytes;
  std::vector<Point> chosen;
  std::ranges::copy_if(points, std::back_inserter(chosen),
                       [&](const Point& p) { return p.bytes == least; });
  return chosen;
}

constexpr double kRounding = 1e-9;

/// What a message costs the two processors and the network, and a call its sender, once.
struct Overheads {
  double set_up = 0, sender = 0, receiver = 0, network = 0;
};

/// From points of one length. What each further message of a stream adds to the sender's time is
/// its overhead. A single message tells the rest: the network has what the processors have not.
std::optional<Overheads> overheads_of(std::span<const Point> points) {
  std::vector<Factors> factors;
  std::vector<double> sender;
  const Point* single = nullptr;
  for (const Point& p : points) {
    if (!p.sender || !p.receiver) continue;
    factors.push_back({1, p.messages});
    sender.push_back(*p.sender);
    if (p.messages == 1) single = &p;
  }
  const LeastSquares line = least_squares(factors, sender);
  if (single == nullptr || !line.unknowns[1]) return std::nullopt;
  Overheads found{*single->sender - *line.unknowns[1], *line.unknowns[1], *single->receiver,
                  single->time - *single->sender - *single->receiver};
  if (std::abs(found.set_up) < kRounding * *single->sender) found.set_up = 0;
  return found;
}

constexpr const char* kNoStreams =
    "no two points differ in their number of messages; a stream of several tells it";
constexpr const char* kOneLength =
    "all messages have one length, so the time of their bytes hides in the other parameters";
constexpr const char* kEntangled =
    "the points do not tell the parameters apart; vary the length and the number of messages";
constexpr const char* kNoOverheads =
    "the points do not say how long the processors are busy with one message and with several";

/// Why a parameter of the least squares is missing.
const char* why_missing(const ModelFit& fit) {
  const Point& first = fit.points.front();
  const auto differ = [&](double Point::*part) {
    return std::ranges::any_of(fit.points, [&](const Point& p) { return p.*part != first.*part; });
  };
  if (fit.model == Model::kLogGP && !differ(&Point::bytes)) return kOneLength;
  return differ(&Point::messages) ? kEntangled : kNoStreams;
}

/// Sets the time of a message: of one byte for LogGP, else of the fit's length. `length` is that of
/// the points of the overheads.
void add_overheads(ModelFit& fit, const std::optional<Overheads>& o, double length) {
  if (!o) {
    fit.single = fit.solution.unknowns[0];
    return;
  }
  fit.single = o->sender + o->receiver + o->network;
  if (fit.model == Model::kLogGP && length > 1) {
    const auto& per_byte = fit.solution.unknowns[2];
    fit.single = per_byte ? std::optional(*fit.single - (length - 1) * *per_byte) : std::nullopt;
  }
  fit.set_up = o->set_up;
  fit.parameters.push_back({"set-up", "of the call at the sender, once; no part of the model",
                            Unit::kTime, fit.set_up, ""});
}

void add_postal(ModelFit& fit) {
  const auto& further = fit.solution.unknowns[1];
  const bool known = fit.single && further && *further > 0;
  fit.parameters.push_back(
      {"u", "time for which the sender is engaged in a message", Unit::kTime, further, kNoStreams});
  fit.parameters.push_back({"lambda", "latency of a message in units of u", Unit::kNone,
                            known ? std::optional(*fit.single / *further) : std::nullopt,
                            further ? "the time does not grow with the messages" : kNoStreams});
  if (known && *fit.single < *further) {
    fit.remarks.emplace_back(
        "lambda is below 1: the model asserts at least 1, so it does not describe these points "
        "(Section 2.7).");
  }
}

void add_log_p(ModelFit& fit, const std::optional<Overheads>& o) {
  const char* const unsolved = why_missing(fit);
  std::optional<double> overhead, latency, gap = fit.solution.unknowns[1];
  std::string no_gap = unsolved;
  if (o) {
    overhead = (o->sender + o->receiver) / 2;
    if (fit.single) latency = *fit.single - o->sender - o->receiver;
    if (gap && *gap <= o->sender * (1 + kRounding)) {
      gap.reset();
      no_gap = "the overhead hides it: the sender is never idle, so it is at most the sender's o";
    }
    fit.remarks.emplace_back(
        "The model has one o for both processors. It is the mean of the two measured ones.");
  }
  fit.parameters.push_back({"L + 2 o", "of one message", Unit::kTime, fit.single, unsolved});
  fit.parameters.push_back({"L", "time that a message spends in the network", Unit::kTime, latency,
                            o ? unsolved : kNoOverheads});
  fit.parameters.push_back({"o", "time for which a processor is busy with a message", Unit::kTime,
                            overhead, kNoOverheads});
  if (o) {
    fit.parameters.push_back({"o, sender", "of the two, the sender's", Unit::kTime, o->sender, ""});
    fit.parameters.push_back({"o, receiver", "and the receiver's", Unit::kTime, o->receiver, ""});
  }
  fit.parameters.push_back(
      {"g", "time from the start of a message to that of the next", Unit::kTime, gap, no_gap});
}

void add_hockney(ModelFit& fit) {
  const auto start = fit.solution.unknowns[0], slope = fit.solution.unknowns[1];
  const bool grows = start && slope && *slope > 0;
  const char* const missing =
      !slope ? "no two points differ in their length" : "the time does not grow with the length";
  fit.parameters.push_back(
      {"t0", "start-up time: the latency of a message of 0 bytes", Unit::kTime, start, missing});
  fit.parameters.push_back({"r_inf", "asymptotic bandwidth", Unit::kBytesPerTime,
                            grows ? std::optional(1 / *slope) : std::nullopt, missing});
  fit.parameters.push_back({"m_1/2", "length with half of that bandwidth: t0 r_inf = 1 / tau",
                            Unit::kBytes, grows ? std::optional(*start / *slope) : std::nullopt,
                            missing});
}

ModelFit fit_streams(Model model, std::span<const Point> points) {
  ModelFit fit;
  fit.model = model;
  const std::vector<Point> shortest = of_least_length(points);
  fit.points = model == Model::kPostal || model == Model::kLogP
                   ? shortest
                   : std::vector<Point>(points.begin(), points.end());
  if (fit.points.size() < points.size()) {
    fit.remarks.emplace_back("The model has no length: only the points of the least length count.");
  }
  fit.solution = solved(model, fit.points);
  const std::optional<Overheads> overheads = overheads_of(shortest);
  add_overheads(fit, overheads, shortest.front().bytes);
  if (model == Model::kPostal) {
    add_postal(fit);
  } else {
    add_log_p(fit, overheads);
  }
  if (model == Model::kLogGP) {
    fit.parameters.push_back({"G", "time of each further byte of a long message",
                              Unit::kTimePerByte, fit.solution.unknowns[2], why_missing(fit)});
  }
  return fit;
}

/// The fit's own points, and each of them by the others.
void judge(ModelFit& fit) {
  fit.fitted = fit.solution.fitted;
  fit.unknowns = fit.solution.rank;
  fit.worst_left_out = worst_left_out(fit.model, fit.points);
}

/// A model without streams has only times of single messages.
void require_single(std::span<const Point> points) {
  for (const Point& p : points) {
    if (p.messages != 1) throw std::invalid_argument("a stream of messages: one message each");
  }
}

std::vector<NodesLine> lines_by_nodes(std::span<const Point> points) {
  std::map<double, std::vector<tau::Sample>> samples;
  for (const Point& p : points) samples[p.nodes].push_back({p.bytes, p.time});
  std::vector<NodesLine> lines;
  lines.reserve(samples.size());
  for (const auto& [nodes, of_nodes] : samples) lines.push_back({nodes, tau::fit(of_nodes)});
  return lines;
}

std::optional<GrowthFit> growth_of(const std::vector<NodesLine>& lines,
                                   double formulas::LinearTime::*part) {
  if (lines.size() < 3) return std::nullopt;
  std::vector<NodeValue> values;
  values.reserve(lines.size());
  for (const NodesLine& l : lines) values.push_back({l.nodes, l.fit.line.*part});
  return fit_growth(values);
}

void add_growth(ModelFit& fit) {
  fit.start_growth = growth_of(fit.lines, &formulas::LinearTime::start);
  fit.length_growth = growth_of(fit.lines, &formulas::LinearTime::per_length);
}

/// Predicts all points of each number of nodes from the lines of the others.
std::optional<double> worst_nodes_left_out(const ModelFit& fit) {
  std::optional<double> worst;
  for (const NodesLine& left_out : fit.lines) {
    ModelFit others;
    others.model = fit.model;
    std::ranges::copy_if(fit.lines, std::back_inserter(others.lines),
                         [&](const NodesLine& l) { return l.nodes != left_out.nodes; });
    add_growth(others);
    for (const Point& p : fit.points) {
      if (p.nodes != left_out.nodes) continue;
      const auto time = others.predict(p);
      if (time) worst = std::max(worst.value_or(0), deviation(p.time, *time));
    }
  }
  return worst;
}

ModelFit fit_xu_hwang(std::span<const Point> points) {
  ModelFit fit;
  fit.model = Model::kXuHwang;
  fit.points.assign(points.begin(), points.end());
  fit.lines = lines_by_nodes(points);
  add_growth(fit);
  for (const Point& p : points) {
    fit.fitted.push_back(
        std::ranges::find(fit.lines, p.nodes, &NodesLine::nodes)->fit.line.at(p.bytes));
  }
  fit.unknowns = 2 * fit.lines.size();
  fit.worst_left_out = worst_nodes_left_out(fit);
  return fit;
}

void require_nodes(Model model, std::span<const Point> points) {
  if (points.empty()) throw std::invalid_argument("a fit needs points");
  for (const Point& p : points) {
    if (is_of_streams(model) && p.nodes != 2) {
      throw std::invalid_argument("messages between two nodes");
    }
    if (model == Model::kHockney && p.nodes != points.front().nodes) {
      throw std::invalid_argument("points of one number of nodes");
    }
  }
}

}  // namespace

std::string_view name_of(Model model) {
  constexpr std::array<std::string_view, kModels> kNames = {"Postal", "LogP", "LogGP", "Hockney",
                                                            "Xu-Hwang"};
  return kNames[index(model)];
}

std::string_view equation_of(Model model) {
  constexpr std::array<std::string_view, kModels> kEquations = {
      "T(k) = (k - 1) u + lambda u", "T(k) = L + 2 o + (k - 1) max(g, o)",
      "T(k, m) = L + 2 o + k (m - 1) G + (k - 1) max(g, o)", "T(m) = t0 + m / r_inf",
      "T(n, m) = t0(n) + m / r_inf(n)"};
  return kEquations[index(model)];
}

bool is_of_streams(Model model) {
  return model == Model::kPostal || model == Model::kLogP || model == Model::kLogGP;
}

std::optional<double> ModelFit::predict(const Point& point) const {
  if (model != Model::kXuHwang) {
    const bool other_length =
        (model == Model::kPostal || model == Model::kLogP) && point.bytes != points.front().bytes;
    return other_length ? std::nullopt : solution.at(factors_of(model, point));
  }
  const auto line = std::ranges::find(lines, point.nodes, &NodesLine::nodes);
  if (line != lines.end()) return line->fit.line.at(point.bytes);
  if (!start_growth || !length_growth) return std::nullopt;
  return start_growth->best.at(point.nodes) + length_growth->best.at(point.nodes) * point.bytes;
}

std::optional<double> ModelFit::predict_binomial(int levels, double bytes) const {
  if (!is_of_streams(model)) return std::nullopt;
  const auto one = predict({2, 1, bytes, 0}), two = predict({2, 2, bytes, 0});
  if (!one || !two || !single) return std::nullopt;
  double message = *single;
  if (model == Model::kLogGP) message += std::max(bytes - 1, 0.0) * *solution.unknowns[2];
  std::vector<double> time = {
      0};  // of a tree of so many levels, from when its root has the message
  for (int height = 1; height <= levels; ++height) {
    double last = 0;
    for (int child = 0; child < height; ++child) {
      const double begin = child * (*two - *one);
      last = std::max(last, begin + message + time[static_cast<std::size_t>(height - 1 - child)]);
    }
    time.push_back(last);
  }
  return set_up + time.back();
}

ModelFit fit(Model model, std::span<const Point> points) {
  require_nodes(model, points);
  if (!is_of_streams(model)) require_single(points);
  ModelFit result;
  if (model == Model::kXuHwang) {
    result = fit_xu_hwang(points);
  } else if (model == Model::kHockney) {
    result.model = model;
    result.points.assign(points.begin(), points.end());
    result.solution = solved(model, points);
    add_hockney(result);
    judge(result);
  } else {
    result = fit_streams(model, points);
    judge(result);
  }
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    result.worst = std::max(result.worst, deviation(result.points[i].time, result.fitted[i]));
  }
  for (const Parameter& p : result.parameters) {
    if (p.value.value_or(0) >= 0) continue;
    result.remarks.push_back(p.symbol +
                             " is below 0: these points do not follow the equation, so its "
                             "parameters mean little.");
  }
  if (result.points.size() <= result.unknowns) {
    result.remarks.emplace_back(
        "There are no more points than unknowns, so the fit goes through all of them. Its "
        "deviations say nothing about the model.");
  }
  return result;
}

}  // namespace annelid::reference::models
