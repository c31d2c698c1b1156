// The outcome of an item of the papers: a table, curves, and claims, each compared with our result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "studies/reproduce/laboratory.hpp"

namespace annelid::reproduction {

enum class Verdict : std::uint8_t {
  kEqual,   ///< the same number to the printed precision; for words: true
  kWithin,  ///< within the stated tolerance
  kDiffers,
  kNotYet,  ///< there is no result; the claim says why
};

/// "equal", "within tolerance", "differs", "not yet".
std::string_view name_of(Verdict verdict);

/// How we have our side of a claim. The document counts the three apart.
enum class Evidence : std::uint8_t {
  kHardware,    ///< simulated, cycle by cycle
  kSchedule,    ///< computed by the reference, from schedules
  kArithmetic,  ///< computed from what the papers print: their data, or their formulas
};

/// "hardware", "schedule", "arithmetic".
std::string_view name_of(Evidence evidence);

/// A number or a sentence of a paper, or a value that we computed, and our result. The functions of
/// claims.hpp make them.
struct Claim {
  std::string text;   ///< what is claimed
  std::string paper;  ///< what the paper prints, and nothing else; empty: the claim is ours
  std::string place;  ///< where it prints it
  std::string
      computed;      ///< the value of a formula or schedule that stands in place of a printed one
  std::string ours;  ///< numbers with their units, or words
  std::optional<Evidence> evidence;  ///< nothing: there is no result yet
  std::optional<double> deviation;   ///< ours / claimed - 1
  double tolerance = 0;              ///< largest deviation of either sign
  Verdict verdict = Verdict::kNotYet;
  std::string why;             ///< where it is not equal: the reason, in whole sentences
  std::vector<Measured> runs;  ///< the runs that decide a claim about hardware
};

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

struct Curve {
  std::string title;
  std::vector<std::pair<double, double>> points;
  bool line = true;  ///< joins its points
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<Curve> curves;
  bool log_x = false, log_y = false;
};

struct Outcome {
  Table table;
  std::vector<Plot> plots;  ///< side by side; none: the item is a table
  std::vector<Claim> claims;
  std::vector<std::string> notes;  ///< the method: machine parameters, sources, lost details
};

/// Returns the worst verdict of the claims: differs, then not yet, then within tolerance. Without
/// claims, returns equal.
Verdict worst(const std::vector<Claim>& claims);

}  // namespace annelid::reproduction
