// The models of communication in Section 2.7 of the dissertation (Tsai 1997), fitted to measured
// times by least squares. Times may be in any unit; parameters are in the same.
//
//   Postal     T(k)    = (k - 1) u + lambda u          k messages of one length, one after the
//   other LogP       T(k)    = L + 2 o + (k - 1) max(g, o)   the same LogGP      T(k, m) = L + 2 o
//   + k (m - 1) G + (k - 1) max(g, o)     k messages of m bytes Hockney    T(m)    = t0 + m / r_inf
//   Xu-Hwang   T(n, m) = t0(n) + m / r_inf(n)          a collective operation of n nodes
//
// A stream of k messages goes from one process to one other. T ends when the last one has been
// received. (m - 1) is 0 for a message of 0 bytes. Section 2.7 gives the models in words. The forms
// for streams follow from them, and LogGP's from Alexandrov and others (1995), its source [7].
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/costs/growth.hpp"
#include "reference/costs/least_squares.hpp"
#include "reference/costs/tau_model.hpp"

namespace annelid::reference::models {

enum class Model : std::uint8_t { kPostal, kLogP, kLogGP, kHockney, kXuHwang };
inline constexpr int kModels = 5;
[[nodiscard]] std::string_view name_of(Model model);      ///< "LogGP"
[[nodiscard]] std::string_view equation_of(Model model);  ///< "T(m) = t0 + m / r_inf"
/// Whether the model's points are streams of messages between two processes.
[[nodiscard]] bool is_of_streams(Model model);

/// A measured operation.
struct Point {
  double nodes = 2;
  double messages = 1;  ///< of a stream; 1 for any other operation
  double bytes = 0;     ///< of one message, or of the operation's block
  double time = 0;
  /// How long the processors were busy with messages on the critical path, the sender's and the
  /// receiver's. Nothing if that is not known.
  std::optional<double> sender = {}, receiver = {};
};

enum class Unit : std::uint8_t { kNone, kTime, kTimePerByte, kBytesPerTime, kBytes };

struct Parameter {
  std::string symbol;
  std::string meaning;
  Unit unit = Unit::kNone;
  std::optional<double> value;
  std::string missing;  ///< without a value: why the points do not determine it
};

/// A line for one number of nodes (Xu and Hwang).
struct NodesLine {
  double nodes = 0;
  tau::Fit fit;
};

struct ModelFit {
  Model model = Model::kHockney;
  std::vector<Point> points;   ///< those that the model speaks of
  std::vector<double> fitted;  ///< their times by the model
  std::vector<Parameter> parameters;
  std::size_t unknowns = 0;  ///< that the points determine
  double worst = 0;          ///< largest deviation of a time from the fitted one, as a share of it
  /// The largest deviation where each point is predicted from a fit to all others. Nothing if no
  /// fit to the others predicts any point. A fit that goes through its points is judged by this
  /// alone.
  std::optional<double> worst_left_out;
  std::vector<std::string> remarks;  ///< whole sentences: what is odd about this fit

  // How to predict.
  LeastSquares solution;         ///< all models but Xu-Hwang
  double set_up = 0;             ///< part of the times that is no parameter: a call's set-up
  std::optional<double> single;  ///< models of streams: a message without set-up, L + 2 o
  std::vector<NodesLine>
      lines;  ///< Xu-Hwang, by nodes; of each: t0 = start, 1 / r_inf = per_length
  std::optional<GrowthFit> start_growth, length_growth;  ///< Xu-Hwang, of three numbers of nodes

  /// Returns the model's time, or nothing if the model or its points do not tell it.
  [[nodiscard]] std::optional<double> predict(const Point& point) const;
  /// Returns the time of a broadcast of a message of so many bytes along a binomial tree of
  /// 2^levels processes. Each sends first to its child with the most descendants. Only for models
  /// of streams; the others, and points without streams, give nothing.
  [[nodiscard]] std::optional<double> predict_binomial(int levels, double bytes) const;
};

/// Fits a model. Postal and LogP, which have no length, take the points of the least length. Throws
/// std::invalid_argument without points, and for points of several nodes where the model is of
/// streams (nodes must be 2) or Hockney's (all the same).
[[nodiscard]] ModelFit fit(Model model, std::span<const Point> points);

}  // namespace annelid::reference::models
