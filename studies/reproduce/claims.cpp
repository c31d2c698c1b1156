#include "studies/reproduce/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace annelid::reproduction {
namespace {

Claim judged(Claim claim, bool equal, bool within, std::string why) {
  claim.verdict = equal ? Verdict::kEqual : within ? Verdict::kWithin : Verdict::kDiffers;
  if (!equal) claim.why = std::move(why);
  return claim;
}

std::string with_unit(const std::string& value, const std::string& unit) {
  return unit.empty() ? value : value + " " + unit;
}

Claim bounded(std::string text, double bound, std::string paper, double ours, bool holds,
              std::string why) {
  Claim claim{std::move(text), std::move(paper), fmt::format("{:.3g}", ours), ours / bound - 1};
  return judged(std::move(claim), holds, false, std::move(why));
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kEqual:
      return "equal";
    case Verdict::kWithin:
      return "within tolerance";
    case Verdict::kDiffers:
      return "differs";
    case Verdict::kNotYet:
      break;
  }
  return "not yet";
}

Verdict worst(const std::vector<Claim>& claims) {
  const auto any = [&](Verdict v) {
    return std::ranges::any_of(claims, [v](const Claim& c) { return c.verdict == v; });
  };
  for (const Verdict v : {Verdict::kDiffers, Verdict::kNotYet, Verdict::kWithin}) {
    if (any(v)) return v;
  }
  return Verdict::kEqual;
}

Claim number(std::string text, double paper, int decimals, double ours, double tolerance,
             const std::string& unit, std::string why) {
  const double deviation = ours / paper - 1;
  Claim claim{std::move(text),
              with_unit(fmt::format("{:.{}f}", paper, std::max(decimals, 0)), unit),
              with_unit(fmt::format("{:.{}f}", ours, std::max(decimals, 0) + 1), unit), deviation,
              tolerance};
  // A hair more than half a unit: decimal numbers are not exact.
  const double printed = 0.5000001 * std::pow(10.0, -decimals);
  return judged(std::move(claim), std::abs(ours - paper) <= printed,
                std::abs(deviation) <= tolerance, std::move(why));
}

Claim count(std::string text, long paper, long ours, std::string why) {
  Claim claim{std::move(text), std::to_string(paper), std::to_string(ours), {}};
  if (paper != 0) claim.deviation = static_cast<double>(ours) / static_cast<double>(paper) - 1;
  return judged(std::move(claim), paper == ours, false, std::move(why));
}

Claim share(std::string text, double paper, double ours, double points, std::string why) {
  Claim claim{std::move(text), fmt::format("{:.0f} %", 100 * paper),
              fmt::format("{:.1f} %", 100 * ours), ours / paper - 1, points / paper};
  return judged(std::move(claim), std::abs(ours - paper) <= 0.005, std::abs(ours - paper) <= points,
                std::move(why));
}

Claim below(std::string text, double bound, std::string paper, double ours, std::string why) {
  return bounded(std::move(text), bound, std::move(paper), ours, ours < bound, std::move(why));
}

Claim above(std::string text, double bound, std::string paper, double ours, std::string why) {
  return bounded(std::move(text), bound, std::move(paper), ours, ours > bound, std::move(why));
}

Claim words(std::string text, std::string paper, bool holds, std::string ours, std::string why) {
  Claim claim{std::move(text), std::move(paper), std::move(ours), {}};
  return judged(std::move(claim), holds, false, std::move(why));
}

Claim not_yet(std::string text, std::string paper, std::string why) {
  Claim claim{std::move(text), std::move(paper), "-", {}};
  claim.why = std::move(why);
  return claim;
}

}  // namespace annelid::reproduction
