#include "simulation/scenario/group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "base/parse_number.hpp"
#include "base/split.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::simulation {
namespace {

using reference::Node;
using Coordinates = std::array<int, 3>;
/// The dimensions in which ranks go on, the fastest first.
using RankOrder = std::array<std::size_t, 3>;

constexpr RankOrder kRowsFirst = {0, 1, 2}, kColumnsFirst = {1, 0, 2};
constexpr std::array<std::string_view, 3> kShapes = {"row", "column", "plane"};
constexpr std::array<std::string_view, 9> kGroupWords = {
    "all", "row", "column", "plane", "each", "every", "from", "by", "columns-first"};
constexpr std::array<std::string_view, 3> kMakers = {"list", "partition", "grid"};

/// The nodes from `low` to `high` in each dimension.
struct NodeBox {
  Coordinates low{}, high{};
};

/// Nodes, or a box whose ranks have an order.
struct GroupPart {
  NodeBox box;
  std::string name;  ///< of a group of its own
};

class GroupReader {
 public:
  GroupReader(const std::string& text, const systemc::NetworkConfig& network,
              const std::string& where)
      : text_(text), where_(where), network_(network) {
    for (const std::string_view word : split(text, " \t")) {
      if (!word.empty()) words_.push_back(word);
    }
  }

  GroupSet read(const std::string& name) {
    for (const std::string_view word : words_) {
      set_.text += (set_.text.empty() ? "" : " ") + std::string(word);
    }
    read_parts();
    read_modifiers();
    if (set_.maker == GroupMaker::kGrid) require_line();
    if (!set_.each) {
      add_group(parts_, name.empty() ? set_.text : name);
    } else {
      for (const GroupPart& part : parts_) {
        add_group({part}, name.empty() ? part.name : name + ": " + part.name);
      }
    }
    return std::move(set_);
  }

 private:
  // ---- The text -------------------------------------------------------------------------------

  [[nodiscard]] std::string next() const {
    return at_ < words_.size() ? std::string(words_[at_]) : std::string();
  }
  bool take(std::string_view word) {
    if (next() != word) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const {
    throw InputError(where_, found, expected);
  }
  /// The word that is no word of the language.
  [[noreturn]] void refuse_next(const std::string& expected) const {
    const std::string found = next().empty() ? "the end" : "\"" + next() + "\"";
    refuse(found + (text_ == next() ? "" : " in \"" + text_ + "\""),
           expected + did_you_mean(next(), kGroupWords));
  }
  int take_number(const char* what, int low, int high) {
    const auto n = parse_number<int>(next());
    if (!n || *n < low || *n > high) refuse_next(fmt::format("{}, {} to {}", what, low, high));
    ++at_;
    return *n;
  }

  [[nodiscard]] std::string some_parts() const {
    return fmt::format(
        "nodes as {0}, boxes as {1}..{0}, all, row N, column N, plane N or \"each row\", with "
        "blanks between them",
        systemc::node_text(network_, network_.last()), systemc::node_text(network_, Address{}));
  }

  [[nodiscard]] int size(std::size_t dimension) const { return network_.size[dimension]; }
  [[nodiscard]] NodeBox everything() const { return {{}, {size(0) - 1, size(1) - 1, size(2) - 1}}; }

  void read_parts() {
    if (take("each")) {
      set_.each = true;
      read_each();
      return;
    }
    while (at_ < words_.size() && !at_modifier()) parts_.push_back(read_part());
    if (parts_.empty() && !words_.empty()) parts_.push_back(with_order({everything(), "all"}));
    if (parts_.empty())
      refuse(text_.empty() ? "nothing" : "no node in \"" + text_ + "\"", some_parts());
  }
  [[nodiscard]] bool at_modifier() const {
    const std::string word = next();
    return word == "every" || word == "by" || word == "columns-first" || word == "from";
  }

  GroupPart read_part() {
    if (take("all")) return with_order({everything(), "all"});
    for (const std::string_view shape : kShapes) {
      if (take(shape)) return read_shape(shape);
    }
    const std::string word = next();
    const std::size_t dots = word.find("..");
    const auto low = node_of(word.substr(0, dots));
    const auto high = dots == std::string::npos ? low : node_of(word.substr(dots + 2));
    if (!low || !high) refuse_next(some_parts());
    NodeBox box{*low, *high};
    for (std::size_t d = 0; d < 3; ++d) {
      if (box.low[d] > box.high[d]) refuse_next("a box from its lowest corner to its highest");
    }
    ++at_;
    return dots == std::string::npos ? GroupPart{box, word} : with_order({box, word});
  }
  GroupPart with_order(GroupPart part) {
    ordered_ = true;
    return part;
  }

  /// Coordinates as "3,1"; nothing for any other text. Throws InputError for a node outside.
  [[nodiscard]] std::optional<Coordinates> node_of(const std::string& text) const {
    Coordinates place{};
    const auto parts = split(text, ",");
    if (parts.size() != static_cast<std::size_t>(network_.dims())) return std::nullopt;
    for (std::size_t d = 0; d < parts.size(); ++d) {
      const auto n = parse_number<int>(parts[d]);
      if (!n) return std::nullopt;
      place[d] = *n;
    }
    for (std::size_t d = 0; d < parts.size(); ++d) {
      if (place[d] >= 0 && place[d] < size(d)) continue;
      refuse(fmt::format("node {}", text),
             fmt::format("nodes of the {}: {} to {}", describe_network(network_),
                         systemc::node_text(network_, Address{}),
                         systemc::node_text(network_, network_.last())));
    }
    return place;
  }

  /// Which dimensions a row, column or plane has, and which are given.
  static std::vector<std::size_t> fixed_of(std::string_view shape) {
    if (shape == "row") return {1, 2};
    if (shape == "column") return {0, 2};
    return {2};
  }
  void require_dimensions(std::string_view shape) const {
    const int needed = shape == "plane" ? 3 : 2;
    if (network_.dims() >= needed) return;
    refuse(fmt::format("\"{}\" on the {}", shape, describe_network(network_)),
           fmt::format("a network of {} dimensions for a {}",
                       needed == 3 ? "three" : "two or three", shape));
  }
  [[nodiscard]] static std::string name_of(std::string_view shape,
                                           const std::vector<std::size_t>& given,
                                           const NodeBox& box) {
    std::string text;
    for (const std::size_t d : given)
      text += (text.empty() ? "" : ",") + std::to_string(box.low[d]);
    return fmt::format("{} {}", shape, text);
  }
  /// The fixed dimensions that the network has.
  [[nodiscard]] std::vector<std::size_t> given_of(std::string_view shape) const {
    std::vector<std::size_t> fixed = fixed_of(shape);
    std::erase_if(fixed,
                  [this](std::size_t d) { return d >= static_cast<std::size_t>(network_.dims()); });
    return fixed;
  }

  /// "row 3"; in three dimensions "row 3,1", which is y and z.
  GroupPart read_shape(std::string_view shape) {
    require_dimensions(shape);
    const std::vector<std::size_t> given = given_of(shape);
    const std::string expected =
        given.size() == 1 ? fmt::format("the number of a {}, 0 to {}", shape, size(given[0]) - 1)
                          : fmt::format("the two other coordinates of a {}, 0,0 to {},{}", shape,
                                        size(given[0]) - 1, size(given[1]) - 1);
    const std::string word = next();
    const auto parts = split(word, ",");
    if (parts.size() != given.size()) refuse_next(expected);
    NodeBox box = everything();
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto n = parse_number<int>(parts[i]);
      if (!n || *n < 0 || *n >= size(given[i])) refuse_next(expected);
      box.low[given[i]] = box.high[given[i]] = *n;
    }
    ++at_;
    GroupPart part{box, name_of(shape, given, box)};
    return shape == "plane" ? with_order(part) : part;
  }

  void read_each() {
    const auto shape = std::ranges::find(kShapes, next());
    if (shape == kShapes.end()) refuse_next("each row, each column or each plane");
    require_dimensions(*shape);
    ++at_;
    const std::vector<std::size_t> given = given_of(*shape);
    const int outer = given.size() > 1 ? size(given[1]) : 1;
    for (int j = 0; j < outer; ++j) {
      for (int i = 0; i < size(given[0]); ++i) {
        NodeBox box = everything();
        box.low[given[0]] = box.high[given[0]] = i;
        if (given.size() > 1) box.low[given[1]] = box.high[given[1]] = j;
        parts_.push_back({box, name_of(*shape, given, box)});
      }
    }
    ordered_ = *shape == "plane";
    line_ = *shape != "plane";
    set_.part = *shape == "column" ? GridPart::kColumn : GridPart::kRow;
  }

  void read_modifiers() {
    if (take("columns-first")) {
      if (!ordered_) {
        refuse("\"columns-first\" in \"" + text_ + "\"",
               "a box, all or a plane before it: their ranks can go by columns");
      }
      order_ = kColumnsFirst;
    }
    if (take("every")) {
      stride_ = take_number("the distance of members", 1, static_cast<int>(network_.nodes()));
      if (take("from"))
        first_ = take_number("the first member", 0, static_cast<int>(network_.nodes()) - 1);
    }
    if (take("by")) {
      const auto maker = std::ranges::find(kMakers, next());
      if (maker == kMakers.end()) refuse_next("by list, by partition or by grid");
      set_.maker = static_cast<GroupMaker>(maker - kMakers.begin());
      ++at_;
    }
    if (at_ < words_.size()) {
      refuse_next(at_modifier()
                      ? "columns-first, every N [from I] and by MAKER, each once and in this order"
                      : "the end, columns-first, every N [from I] or by MAKER");
    }
  }

  /// FORM_GRID makes whole rows and columns of a network.
  void require_line() {
    const bool row = !set_.each && parts_.size() == 1 && parts_[0].name.starts_with("row ");
    const bool column = !set_.each && parts_.size() == 1 && parts_[0].name.starts_with("column ");
    if (column) set_.part = GridPart::kColumn;
    if (network_.dims() == 2 && stride_ == 1 && first_ == 0 && (row || column || line_)) return;
    refuse("\"" + text_ + "\"",
           "a row, a column, each row or each column of a network of two dimensions: by grid makes "
           "no other groups");
  }

  // ---- The groups -----------------------------------------------------------------------------

  void add_nodes(const NodeBox& box, std::vector<Node>& nodes) const {
    Coordinates at = box.low;
    const auto [fast, middle, slow] = order_;
    for (at[slow] = box.low[slow]; at[slow] <= box.high[slow]; ++at[slow]) {
      for (at[middle] = box.low[middle]; at[middle] <= box.high[middle]; ++at[middle]) {
        for (at[fast] = box.low[fast]; at[fast] <= box.high[fast]; ++at[fast]) {
          nodes.push_back({at[0], at[1], at[2]});
        }
      }
    }
  }

  void add_group(const std::vector<GroupPart>& parts, const std::string& name) {
    std::vector<Node> all, chosen;
    for (const GroupPart& part : parts) add_nodes(part.box, all);
    for (auto i = static_cast<std::size_t>(first_); i < all.size();
         i += static_cast<std::size_t>(stride_))
      chosen.push_back(all[i]);
    if (chosen.empty()) {
      refuse(fmt::format("\"from {}\" in \"{}\"", first_, text_),
             fmt::format("less than {}, so that the group has a member", all.size()));
    }
    std::vector<Node> sorted = chosen;
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) {
      refuse(fmt::format("node {} twice in \"{}\"",
                         systemc::node_text(network_, {static_cast<std::uint8_t>(twice->x),
                                                       static_cast<std::uint8_t>(twice->y),
                                                       static_cast<std::uint8_t>(twice->z)}),
                         text_),
             "each node at most once in a group");
    }
    set_.groups.push_back({name, std::make_shared<const reference::NodeList>(std::move(chosen))});
  }

  std::string text_, where_;
  const systemc::NetworkConfig& network_;
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
  GroupSet set_;
  std::vector<GroupPart> parts_;
  bool ordered_ = false, line_ = false;
  RankOrder order_ = kRowsFirst;
  int stride_ = 1, first_ = 0;
};

}  // namespace

GroupSet parse_groups(const std::string& text, const std::string& name,
                      const systemc::NetworkConfig& network, const std::string& where) {
  return GroupReader(text, network, where).read(name);
}

}  // namespace annelid::simulation
