#include "studies/reproduce/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace annelid::reproduction {
namespace {

Claim claim_of(std::string text, const Ours& by) {
  Claim claim;
  claim.text = std::move(text);
  claim.evidence = by.evidence();
  claim.runs = by.runs();
  return claim;
}

Claim claim_of(std::string text, const Printed& paper, const Ours& by) {
  Claim claim = claim_of(std::move(text), by);
  claim.paper = paper.text();
  claim.place = paper.place();
  return claim;
}

Claim judged(Claim claim, bool equal, bool within, const Reason& why) {
  claim.verdict = equal ? Verdict::kEqual : within ? Verdict::kWithin : Verdict::kDiffers;
  if (equal) return claim;
  claim.why = why.text().empty() ? "No reason is known." : why.text();
  return claim;
}

std::string with_unit(const std::string& value, const std::string& unit) {
  return unit.empty() ? value : value + " " + unit;
}

/// `claimed` has this many decimal places.
Claim compared(Claim claim, double claimed, int decimals, const std::string& unit, double ours,
               double tolerance, const Reason& why) {
  claim.ours = with_unit(fmt::format("{:.{}f}", ours, decimals + 1), unit);
  claim.deviation = ours / claimed - 1;
  claim.tolerance = tolerance;
  // A hair more than half a unit: decimal numbers are not exact.
  const double half_unit = 0.5000001 * std::pow(10.0, -decimals);
  return judged(std::move(claim), std::abs(ours - claimed) <= half_unit,
                std::abs(*claim.deviation) <= tolerance, why);
}

Claim counted(Claim claim, double claimed, long ours, const Reason& why) {
  claim.ours = std::to_string(ours);
  const auto found = static_cast<double>(ours);
  if (claimed != 0) claim.deviation = found / claimed - 1;
  return judged(std::move(claim), found == claimed, false, why);
}

Claim bounded(Claim claim, double bound, double ours, bool holds, const Reason& why) {
  claim.ours = fmt::format("{:.3g}", ours);
  claim.deviation = ours / bound - 1;
  return judged(std::move(claim), holds, false, why);
}

Claim in_words(Claim claim, bool holds, std::string ours, const Reason& why) {
  claim.ours = std::move(ours);
  return judged(std::move(claim), holds, false, why);
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

std::string_view name_of(Evidence evidence) {
  switch (evidence) {
    case Evidence::kHardware:
      return "hardware";
    case Evidence::kSchedule:
      return "schedule";
    case Evidence::kArithmetic:
      break;
  }
  return "arithmetic";
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

Claim number(std::string text, const Printed& paper, double ours, const Ours& by, double tolerance,
             const Reason& why) {
  return compared(claim_of(std::move(text), paper, by), paper.number(), paper.decimals(),
                  paper.unit(), ours, tolerance, why);
}

Claim number(std::string text, const Formula& formula, double ours, const Observed& by,
             double tolerance, const Reason& why) {
  Claim claim = claim_of(std::move(text), by);
  claim.computed = fmt::format(
      "{} ({})", with_unit(fmt::format("{:.{}f}", formula.value, formula.decimals), formula.unit),
      formula.name);
  return compared(std::move(claim), formula.value, formula.decimals, formula.unit, ours, tolerance,
                  why);
}

Claim count(std::string text, const Printed& paper, long ours, const Ours& by, const Reason& why) {
  return counted(claim_of(std::move(text), paper, by), paper.number(), ours, why);
}

Claim count(std::string text, const Formula& formula, long ours, const Observed& by,
            const Reason& why) {
  Claim claim = claim_of(std::move(text), by);
  claim.computed = fmt::format("{:.0f} ({})", formula.value, formula.name);
  return counted(std::move(claim), formula.value, ours, why);
}

Claim share(std::string text, const Printed& paper, double ours, const Ours& by, double points,
            const Reason& why) {
  Claim claim = claim_of(std::move(text), paper, by);
  const double claimed = paper.number() / 100;
  claim.ours = fmt::format("{:.1f} %", 100 * ours);
  claim.deviation = ours / claimed - 1;
  claim.tolerance = points / claimed;
  return judged(std::move(claim), std::abs(ours - claimed) <= 0.005,
                std::abs(ours - claimed) <= points, why);
}

Claim below(std::string text, const Printed& paper, double ours, const Ours& by,
            const Reason& why) {
  const double bound = paper.number();
  return bounded(claim_of(std::move(text), paper, by), bound, ours, ours < bound, why);
}

Claim above(std::string text, const Printed& paper, double ours, const Ours& by,
            const Reason& why) {
  const double bound = paper.number();
  return bounded(claim_of(std::move(text), paper, by), bound, ours, ours > bound, why);
}

Claim words(std::string text, const Printed& paper, bool holds, std::string ours, const Ours& by,
            const Reason& why) {
  return in_words(claim_of(std::move(text), paper, by), holds, std::move(ours), why);
}

Claim words(std::string text, const Formula& formula, bool holds, std::string ours,
            const Observed& by, const Reason& why) {
  Claim claim = claim_of(std::move(text), by);
  claim.computed = formula.name;
  return in_words(std::move(claim), holds, std::move(ours), why);
}

Claim words(std::string text, const Scheduled& schedule, bool holds, std::string ours,
            const OnHardware& by, const Reason& why) {
  Claim claim = claim_of(std::move(text), by);
  claim.computed = schedule.text;
  return in_words(std::move(claim), holds, std::move(ours), why);
}

Claim not_yet(std::string text, const Printed& paper, std::string why) {
  Claim claim;
  claim.text = std::move(text);
  claim.paper = paper.text();
  claim.place = paper.place();
  claim.ours = "-";
  claim.why = std::move(why);
  return claim;
}

}  // namespace annelid::reproduction
