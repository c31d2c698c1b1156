// The two sides of a claim, each with its origin in its type, so that a comparison that proves
// nothing does not compile.
//
// On one side stands what the claim says:
//   Printed    a paper prints it: a literal in the source code, or a field of a published table
//   Formula    we evaluated a formula of a paper
//   Scheduled  the reference counted it in a schedule
// On the other side stands how we have our own value:
//   OnHardware  simulated; it holds the runs
//   OnCore      simulated on a core without network
//   OnRouters   a trace, simulated on routers without NICs
//   BySchedule  counted by the reference
//   ByFormula   evaluated from a formula of a paper
//   FromData    computed from other numbers that a paper prints
// A paper may be compared with all of them, a formula with hardware and schedules, a schedule with
// hardware alone (claims.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "studies/reproduce/laboratory.hpp"
#include "studies/reproduce/outcome.hpp"

namespace annelid::reproduction {

/// Text that stands in the source code. The compiler refuses anything that is computed, so no
/// result of ours can pass for one.
struct Literal {
  std::string_view text;
  // Literals are to be written as plain strings.
  consteval Literal(const char* literal) : text(literal) {}  // NOLINT(google-explicit-constructor)
};

/// A number that stands in the source code, and its decimal places.
struct LiteralNumber {
  double value = 0;
  int decimals = 0;
  consteval LiteralNumber(double literal, int places) : value(literal), decimals(places) {}
};

/// What a paper prints, with its place.
class Printed {
 public:
  [[nodiscard]] const std::string& text() const { return text_; }
  /// "Tsai 1997, 3.3.5".
  [[nodiscard]] const std::string& place() const { return place_; }
  /// The number at the beginning of the text, its decimal places, and what follows it. Throws
  /// std::invalid_argument if the text begins with no number and is not read as one.
  [[nodiscard]] double number() const { return value_of().value; }
  [[nodiscard]] int decimals() const { return value_of().decimals; }
  [[nodiscard]] std::string unit() const { return value_of().unit; }
  /// The number that words mean: 1 for "agree almost exactly", 0.5 for "one-half".
  [[nodiscard]] Printed meaning(LiteralNumber number) const;

 private:
  friend Printed printed(Literal place, Literal text);
  friend class PublishedTable;
  struct Value {
    double value = 0;
    int decimals = 0;
    std::string unit;
  };
  Printed(std::string place, std::string text) : place_(std::move(place)), text_(std::move(text)) {}
  [[nodiscard]] Value value_of() const;

  std::string place_, text_;
  std::vector<Value> meaning_;  ///< one, or none
};

/// What a paper prints, word for word; a number comes first, then its unit. A table's numbers come
/// from the table (published.hpp).
Printed printed(Literal place, Literal text);

/// A formula of a paper that we evaluated.
struct Formula {
  std::string name;  ///< with its place: "Eq. 4.1"
  double value = 0;
  int decimals = 0;
  std::string unit = {};
};

/// What the reference counted in a schedule.
struct Scheduled {
  std::string text;
};

struct OnHardware {
  /// The runs that decide the claim: a few, the most telling first. Throws std::invalid_argument if
  /// there is none.
  explicit OnHardware(std::vector<Measured> deciding);
  std::vector<Measured> runs;
};
/// Measured on the RV32 core alone.
struct OnCore {
  explicit OnCore(const CoreCost& cost) : cycles(cost.most()) {}
  std::uint64_t cycles;
};
/// Measured on routers without NICs.
struct OnRouters {
  explicit OnRouters(const Played&) {}
};
struct BySchedule {};
struct ByFormula {};
struct FromData {};

/// Any of them: how our value came about.
class Ours {
 public:
  Ours(OnHardware hardware)  // NOLINT(google-explicit-constructor)
      : evidence_(Evidence::kHardware), runs_(std::move(hardware.runs)) {}
  Ours(OnRouters) : evidence_(Evidence::kHardware) {}    // NOLINT(google-explicit-constructor)
  Ours(OnCore) : evidence_(Evidence::kHardware) {}       // NOLINT(google-explicit-constructor)
  Ours(BySchedule) : evidence_(Evidence::kSchedule) {}   // NOLINT(google-explicit-constructor)
  Ours(ByFormula) : evidence_(Evidence::kArithmetic) {}  // NOLINT(google-explicit-constructor)
  Ours(FromData) : evidence_(Evidence::kArithmetic) {}   // NOLINT(google-explicit-constructor)
  [[nodiscard]] Evidence evidence() const { return evidence_; }
  [[nodiscard]] const std::vector<Measured>& runs() const { return runs_; }

 private:
  Evidence evidence_;
  std::vector<Measured> runs_;
};

/// What may judge a formula: not another formula.
class Observed : public Ours {
 public:
  Observed(OnHardware hardware)
      : Ours(std::move(hardware)) {}                 // NOLINT(google-explicit-constructor)
  Observed(OnRouters routers) : Ours(routers) {}     // NOLINT(google-explicit-constructor)
  Observed(BySchedule schedule) : Ours(schedule) {}  // NOLINT(google-explicit-constructor)
};

/// Why a result is not the claimed one.
class Reason {
 public:
  Reason() = default;  ///< none is known
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  friend Reason fact(std::string);
  friend Reason hypothesis(std::string);
  friend Reason operator+(Reason first, const Reason& second);
  std::string text_;
};
/// What follows from the figures that it names. Throws std::invalid_argument for a text that calls
/// itself a hypothesis.
Reason fact(std::string sentences);
/// What nobody has checked. The document says so.
Reason hypothesis(std::string sentences);
/// One after the other.
Reason operator+(Reason first, const Reason& second);

}  // namespace annelid::reproduction
