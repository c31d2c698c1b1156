#include "studies/tune/case_maker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "simulation/scenario/algorithm_key.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/memory_layout.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "studies/tune/radices.hpp"

namespace annelid::studies {
namespace {

using Kind = simulation::Key::Kind;
using reference::Algorithm;

constexpr std::size_t kMostTunePoints = 100'000;
constexpr int kMostWithRadices = 1024;

/// The name of a barrier or a one-sided synchronization.
bool moves_nothing(const std::string& operation) {
  for (std::size_t i = 0; i < reference::kOperations; ++i) {
    const auto o = static_cast<reference::Operation>(i);
    if (name_of(o) == operation) return !simulation::has_data(o);
  }
  return false;
}

/// The cases of a grid, one operation, network and number of processes after the other.
class CaseMaker {
 public:
  CaseMaker(TuneGrid& grid, const simulation::Settings& settings)
      : grid_(grid), settings_(settings) {
    for (const std::string& name : settings.texts("tune.algorithm")) unused_.insert(name);
    named_ = unused_;
  }

  void make() {
    std::vector<std::string> operations = settings_.texts("tune.operation");
    if (operations.empty()) operations = {"broadcast"};
    require_known_names(operations);
    for (const std::string& operation : operations) {
      if (moves_nothing(operation))
        settings_.refuse("tune.operation", "operations that move bytes");
      simulation::Settings s = settings_;
      s.set("collective.operation", simulation::Value::of_text(operation),
            s.origin("tune.operation"));
      make_sizes(s);
    }
    if (unused_.empty()) return;
    std::string known;
    for (const TuneCase& c : grid_.cases) {
      const reference::Network network = simulation::reference_network(c.network);
      known += fmt::format("{}for {} on the {}: {}", known.empty() ? "" : "; ",
                           name_of(c.operation), simulation::describe_network(c.network),
                           simulation::algorithm_names(c.operation, &network));
    }
    throw InputError(settings_.origin("tune.algorithm"), "\"" + *unused_.begin() + "\"", known);
  }

 private:
  /// An algorithm that no operation has is a mistyped one, whatever the network.
  void require_known_names(const std::vector<std::string>& operations) const {
    std::vector<std::string_view> known;
    for (const Algorithm& a : reference::algorithms()) {
      if (std::ranges::find(operations, name_of(a.operation)) == operations.end()) continue;
      if (std::ranges::find(known, a.name) == known.end()) known.push_back(a.name);
    }
    if (known.empty()) return;  // an operation is mistyped, which is said later
    for (const std::string& name : named_) {
      if (std::ranges::find(known, name) != known.end()) continue;
      throw InputError(settings_.origin("tune.algorithm"), "\"" + name + "\"",
                       fmt::format("for {}: {}{}", fmt::join(operations, ", "),
                                   simulation::quoted(known), did_you_mean(name, known)));
    }
  }

  void make_sizes(const simulation::Settings& s) {
    const std::vector<std::string> sizes = s.texts("tune.sizes");
    if (sizes.empty()) make_ranks(s);
    for (const std::string& size : sizes) {
      const auto value = simulation::parse_value(Kind::kIntegers, size);
      if (!value) s.refuse("tune.sizes", s.find_key("tune.sizes")->shape);
      simulation::Settings sized = s;
      sized.set("network.size", *value, s.origin("tune.sizes"));
      make_ranks(sized);
    }
  }

  void make_ranks(const simulation::Settings& s) {
    const systemc::NetworkConfig network =
        simulation::read_network(s, simulation::kControlVcWithNics);
    const auto nodes = static_cast<std::int64_t>(network.nodes());
    std::vector<std::int64_t> ranks = s.integers("tune.ranks");
    if (ranks.empty()) ranks = {nodes};
    for (const std::int64_t processes : ranks) {
      if (processes < 1 || processes > nodes) {
        throw InputError(s.origin("tune.ranks"), std::to_string(processes),
                         fmt::format("1..{}, the nodes of the {}", nodes,
                                     simulation::describe_network(network)));
      }
      make_case(s, network, static_cast<int>(processes));
    }
  }

  void make_case(const simulation::Settings& s, const systemc::NetworkConfig& network,
                 int processes) {
    TuneCase c;
    c.network = network;
    c.processes = processes;
    c.operation = simulation::read_operation(s);
    const bool lengths_alone = grid_.has_counts && named_.empty() && has_lengths(c.operation);
    for (const Algorithm& a : reference::algorithms()) {
      if (a.operation != c.operation || (!a.by_rank && !c.takes_all())) continue;
      if (lengths_alone && !a.takes_lengths) continue;
      if (!a.supports(simulation::reference_network(network))) continue;
      if (a.takes_ranks != nullptr && !a.takes_ranks(processes)) continue;
      if (!named_.empty() && !named_.contains(std::string(a.name))) continue;
      unused_.erase(std::string(a.name));
      if (grid_.radices && a.name == "radix") {
        add_radices(s, c, a);
      } else if (const auto scenario = called(s, c, a)) {
        c.algorithms.push_back(*scenario);
      }
    }
    if (c.algorithms.empty()) {
      throw InputError(s.origin(named_.empty() ? "tune.operation" : "tune.algorithm"),
                       "no algorithm for " + describe(c), what_there_is(c));
    }
    grid_.cases.push_back(std::move(c));
    if (grid_.has_counts) {
      add_counts();
    } else {
      for (const std::uint64_t bytes : grid_.bytes) add_size(s, bytes);
    }
    if (grid_.points.size() > kMostTunePoints) {
      throw InputError(s.origin("tune.bytes"), fmt::format("more than {} runs", kMostTunePoints),
                       "fewer");
    }
  }

  /// To the last case, whose calls have their lengths.
  void add_counts() {
    const std::size_t last = grid_.cases.size() - 1;
    const std::uint64_t share = grid_.cases.back().algorithms.front().call().collective.bytes;
    if (grid_.hybrids == 0) return grid_.add(last, share);
    grid_.add_hybrids(last, share);
  }

  /// To the last case.
  void add_size(const simulation::Settings& s, std::uint64_t bytes) {
    const std::size_t last = grid_.cases.size() - 1;
    if (grid_.hybrids == 0) return grid_.add(last, bytes);
    simulation::Collective call = grid_.cases.back().algorithms.front().call().collective;
    call.bytes = bytes;
    const bool fits = simulation::longest_buffer(call) <= simulation::kLongestMessage;
    if (fits || s.has("tune.bytes")) grid_.add_hybrids(last, bytes);
  }

  /// The call by radix, once for each choice of radices.
  static void add_radices(const simulation::Settings& s, TuneCase& c, const Algorithm& a) {
    if (c.processes > kMostWithRadices) {
      throw InputError(s.origin("tune.radices"), fmt::format("{} processes", c.processes),
                       fmt::format("at most {}: there is a run for each radix", kMostWithRadices));
    }
    const std::optional<simulation::Scenario> call = called(s, c, a);
    for (const Radices& radices : radices_to_tune(c.processes)) {
      c.algorithms.push_back(simulation::Scenario::from(
          with_radices(call->settings, radices, s.origin("tune.radices"))));
    }
  }

  /// The call by an algorithm; nothing if the operator needs an order that it does not keep.
  static std::optional<simulation::Scenario> called(const simulation::Settings& of_case,
                                                    const TuneCase& c, const Algorithm& a) {
    simulation::Settings s = of_case;
    s.set("collective.algorithm", simulation::Value::of_text(std::string(a.name)),
          s.origin("tune.algorithm"));
    if (a.by_rank) {
      set_ranks(s, c);
    } else {
      s.unset("collective.embedding");
    }
    if (simulation::reduces(c.operation) && needs_order(s)) {
      simulation::Settings plain =
          s;  // with an operator that any algorithm takes, to see what the call is
      for (const char* key : {"collective.operator", "collective.type"}) plain.unset(key);
      const simulation::Collective call = simulation::Scenario::from(plain).call().collective;
      if (a.keeps_order == nullptr || !a.keeps_order(call.request())) return std::nullopt;
    }
    return simulation::Scenario::from(s);
  }

  /// Whether an algorithm of the operation takes blocks of different lengths. If none does, the
  /// first algorithm's call is refused with the reason.
  static bool has_lengths(reference::Operation operation) {
    return std::ranges::any_of(reference::algorithms(), [&](const Algorithm& a) {
      return a.operation == operation && a.takes_lengths;
    });
  }

  static bool needs_order(const simulation::Settings& s) {
    return s.text("collective.operator") == name_of(reference::Operator::kAffine);
  }

  /// Where the embedding decides who takes part, or what a result is, it must be the same for all
  /// algorithms: that of the call, or rows.
  static void set_ranks(simulation::Settings& s, const TuneCase& c) {
    if (!c.takes_all()) {
      s.set("collective.ranks", simulation::Value::of_integer(c.processes), s.origin("tune.ranks"));
    }
    const bool is_scan =
        c.operation == reference::Operation::kScan || c.operation == reference::Operation::kExscan;
    if ((is_scan || needs_order(s) || !c.takes_all()) && !s.has("collective.embedding")) {
      s.set("collective.embedding", simulation::Value::of_text("rows"), "collective.embedding");
    }
  }

  static std::string what_there_is(const TuneCase& c) {
    std::string text;
    for (const Algorithm& a : reference::algorithms()) {
      if (a.operation != c.operation) continue;
      text += fmt::format("{}\"{}\" ({}{})", text.empty() ? "" : ", ", a.name, a.sizes,
                          a.by_rank ? "" : ", all nodes");
    }
    return text.empty() ? "an operation that there is an algorithm for" : text;
  }

  TuneGrid& grid_;
  const simulation::Settings& settings_;
  std::set<std::string> named_, unused_;
};

}  // namespace

void make_cases(TuneGrid& grid, const simulation::Settings& settings) {
  CaseMaker(grid, settings).make();
}

}  // namespace annelid::studies
