#include "simulation/scenario/calls.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "base/text.hpp"
#include "simulation/scenario/algorithm_key.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/memory_layout.hpp"
#include "simulation/scenario/own_collective.hpp"

namespace annelid::simulation {
namespace {

using Kind = Key::Kind;
using FirmwareTable = std::function<std::vector<nic::Image::Collective>()>;

constexpr std::string_view kGroups = "groups.";
/// Places of a node's table of groups, without that of ALL.
constexpr std::uint32_t kMostPlaces = 15;
/// A call's tag is its number and 1, below 65,536; groups have some of them too.
constexpr std::size_t kMostCalls = 60'000;

std::string group_text(const Value& value) {
  if (value.type != Value::Type::kList) return value.text;
  std::string text;
  for (const Value& item : value.list) {
    if (!text.empty()) text += ' ';
    if (item.type == Value::Type::kText) {
      text += item.text;
    } else {
      text += option_text(item);
    }
  }
  return text;
}

/// Names appear in texts of one line.
void require_name(const std::string& name, const std::string& where) {
  const std::string fault = fault_of_name(name);
  if (fault.empty()) return;
  throw InputError(where, fault,
                   "a name of 1 to 128 bytes of UTF-8 without slashes and control characters");
}

class CallReader {
 public:
  CallReader(const Settings& settings, const systemc::NetworkConfig& network,
             const FirmwareTable& registered)
      : settings_(settings), network_(network), registered_(registered) {}

  ScenarioCalls read() {
    require_named_groups();
    if (settings_.calls() == 0) {
      read_table(settings_, "", 0);
      return std::move(found_);
    }
    for (std::size_t i = 0; i < settings_.calls(); ++i) {
      const Settings table = settings_.with_call(i);
      const std::string name = read_name(table, i);
      const Begin begin = read_begin(table, i);
      const std::size_t first = found_.calls.size();
      read_table(table, name, i);
      for (std::size_t call = first; call < found_.calls.size(); ++call) {
        found_.calls[call].after = begin.after;
        found_.calls[call].start = begin.start;
      }
      names_.push_back(name);
    }
    return std::move(found_);
  }

  std::optional<ProcessGroup> read_one_group() {
    if (!settings_.has("collective.group")) return std::nullopt;
    const GroupSet& set = read_groups(settings_);
    if (set.each) {
      settings_.refuse("collective.group", "one group: without each");
    }
    return set.groups.front();
  }

 private:
  struct Begin {
    std::vector<std::size_t> after;
    Cycle start = 0;
  };

  /// A group that nobody uses is read too, so that its mistakes are found.
  void require_named_groups() const {
    for (const std::string& name : settings_.names_below(std::string(kGroups))) {
      (void)parse_named(name);
    }
  }
  [[nodiscard]] GroupSet parse_named(const std::string& name) const {
    const std::string key = std::string(kGroups) + name;
    require_name(name, settings_.origin(key));
    return parse_groups(group_text(*settings_.find(key)), name, network_, settings_.origin(key));
  }

  std::string read_name(const Settings& s, std::size_t number) const {
    std::string name = s.text("call.name", fmt::format("call {}", number + 1));
    require_name(name, s.origin("call.name"));
    if (std::ranges::find(names_, name) != names_.end()) {
      s.refuse("call.name", "a name that no earlier call has");
    }
    return name;
  }

  Begin read_begin(const Settings& s, std::size_t number) const {
    Begin begin;
    if (s.has("call.start")) {
      if (s.has("call.after")) s.refuse("call.start", "start or after, not both");
      begin.start = static_cast<Cycle>(s.integer("call.start", 0, 0));
      return begin;
    }
    if (!s.has("call.after")) {
      for (std::size_t i = 0; i < number; ++i) begin.after.push_back(i);
      return begin;
    }
    for (const std::string& name : s.texts("call.after")) {
      const auto found = std::ranges::find(names_, name);
      if (found == names_.end()) {
        const std::vector<std::string_view> known(names_.begin(), names_.end());
        throw InputError(s.origin("call.after"), "\"" + name + "\"",
                         names_.empty() ? "an earlier call, of which there is none"
                                        : fmt::format("an earlier call: {}{}", quoted(known),
                                                      did_you_mean(name, known)));
      }
      begin.after.push_back(static_cast<std::size_t>(found - names_.begin()));
    }
    return begin;
  }

  /// The groups of the key collective.group, with their places.
  const GroupSet& read_groups(const Settings& s) {
    const std::string text = s.text("collective.group");
    const std::string where = s.origin("collective.group");
    const auto named = settings_.names_below(std::string(kGroups));
    const bool is_name = std::ranges::find(named, text) != named.end();
    if (!is_name && !named.empty()) require_no_name(text, where, named);
    GroupSet set = is_name ? parse_named(text) : parse_groups(text, "", network_, where);
    for (std::size_t i = 0; i < found_.groups.size(); ++i) {
      if (texts_[i] == text) return found_.groups[i];
    }
    const bool grid = set.maker == GroupMaker::kGrid;
    if (grid && grid_) {
      set.made_with = grid_;
    } else {
      if (grid) grid_ = found_.groups.size();
      last_place_ += grid ? 2 : 1;
    }
    if (last_place_ > kMostPlaces) {
      throw InputError(
          where, "too many groups",
          fmt::format("groups that take at most {} places at a node: a grid takes two, "
                      "any other text one",
                      kMostPlaces));
    }
    if (grid && !set.made_with) row_place_ = last_place_ - 1;
    const std::uint32_t place = !grid                        ? last_place_
                                : set.part == GridPart::kRow ? row_place_
                                                             : row_place_ + 1;
    for (ProcessGroup& group : set.groups) group.place = place;
    texts_.push_back(text);
    found_.groups.push_back(std::move(set));
    return found_.groups.back();
  }
  /// A word that is no group at all is meant as a name.
  void require_no_name(const std::string& text, const std::string& where,
                       const std::vector<std::string>& named) const {
    const bool is_word = std::ranges::all_of(
        text, [](unsigned char c) { return std::isalpha(c) != 0 || c == '_' || c == '-'; });
    if (!is_word || text == "all") return;
    const std::vector<std::string_view> known(named.begin(), named.end());
    throw InputError(where, "\"" + text + "\"",
                     fmt::format("a name of [groups] ({}) or a group as \"row 3\"{}", quoted(known),
                                 did_you_mean(text, known)));
  }

  void read_table(const Settings& s, const std::string& name, std::size_t table) {
    std::optional<CollectiveChoice> own = read_own_collective(s, network_, registered_);
    if (own && s.has("collective.group")) {
      s.refuse("collective.group", "no group: a collective of your own is called at all nodes");
    }
    if (own) return add(std::move(*own), name, table);
    if (!s.has("collective.group")) return add(read_collective(s, network_), name, table);
    const GroupSet& set = read_groups(s);
    if (set.each && settings_.calls() == 0) return read_each(s, set, "", table);
    if (set.each) return read_each(s, set, name, table);
    add(read_collective(s, network_, set.groups.data()), name, table);
  }
  /// A call for each group, named as the group.
  void read_each(const Settings& s, const GroupSet& set, const std::string& name,
                 std::size_t table) {
    for (const ProcessGroup& group : set.groups) {
      add(read_collective(s, network_, &group),
          name.empty() ? group.name : name + ": " + group.name, table);
    }
  }
  void add(CollectiveChoice choice, const std::string& name, std::size_t table) {
    if (found_.calls.size() == kMostCalls) {
      throw InputError(settings_.origin("collective.group"), "too many calls",
                       fmt::format("at most {}", kMostCalls));
    }
    found_.calls.push_back({name, std::move(choice.collective), std::move(choice.payload),
                            std::move(choice.contents), table});
  }

  const Settings& settings_;
  const systemc::NetworkConfig& network_;
  const FirmwareTable& registered_;
  ScenarioCalls found_;
  std::vector<std::string> names_;   ///< of the tables so far
  std::vector<std::string> texts_;   ///< of found_.groups: what calls name them by
  std::uint32_t last_place_ = 0;     ///< the last one that is taken
  std::optional<std::size_t> grid_;  ///< the set whose operation makes the grid
  std::uint32_t row_place_ = 0;      ///< of the grid
};

}  // namespace

std::array<Key, 4> call_keys() {
  return {
      Key{"groups.NAME", Kind::kNodes, "a group as \"row 3\", or a list of nodes", nullptr, nullptr,
          "A group of nodes, which calls name by NAME (docs/reference/scenarios.md, \"Groups\")."},
      Key{"call.name", Kind::kText, "text", nullptr, nullptr,
          "The name of a [[call]]. Such a table has the keys of [collective] as well; the value in "
          "[collective] itself is the default for all calls.",
          "call 1, call 2 and so on"},
      Key{"call.after", Kind::kTexts, "names of earlier calls", nullptr, nullptr,
          "Each process begins the [[call]] when it has ended these calls, if it takes part in "
          "them.",
          "all earlier calls"},
      Key{"call.start", Kind::kInteger, "an integer, cycles", nullptr, nullptr,
          "In place of after: the cycle of the run in which the processes of the [[call]] are "
          "called."}};
}

ScenarioCalls read_calls(const Settings& settings, const systemc::NetworkConfig& network,
                         const FirmwareTable& registered) {
  return CallReader(settings, network, registered).read();
}

std::optional<ProcessGroup> read_group(const Settings& settings,
                                       const systemc::NetworkConfig& network) {
  return CallReader(settings, network, {}).read_one_group();
}

}  // namespace annelid::simulation
