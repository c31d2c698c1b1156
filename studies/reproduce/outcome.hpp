// The outcome of an item of the papers: a table, curves, and claims, each compared with our result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace annelid::reproduction {

enum class Verdict : std::uint8_t {
  kEqual,   ///< the same number to the printed precision; for words: true
  kWithin,  ///< within the stated tolerance
  kDiffers,
  kNotYet,  ///< there is no result; the claim says why
};

/// "equal", "within tolerance", "differs", "not yet".
std::string_view name_of(Verdict verdict);

/// A number or a sentence of a paper, and our result.
struct Claim {
  std::string text;                      ///< what is claimed
  std::string paper = {}, ours = {};     ///< numbers with their units, or words
  std::optional<double> deviation = {};  ///< ours / paper - 1
  double tolerance = 0;                  ///< largest deviation of either sign
  Verdict verdict = Verdict::kNotYet;
  std::string why = {};  ///< where it is not equal: the reason, in whole sentences
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
