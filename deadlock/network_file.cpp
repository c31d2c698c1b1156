#include "deadlock/network_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "base/parse_number.hpp"
#include "base/split.hpp"

namespace annelid::deadlock {
namespace {

constexpr std::size_t kLongestFile = std::size_t{256} << 20;
constexpr std::size_t kMostNodes = 4096, kMostVcs = 1'000'000, kMostClasses = 16;
constexpr std::uint32_t kMostVcsOfChannel = 64;
constexpr double kFarthest = 1e6;

using Words = std::vector<std::string_view>;

Words words_of(std::string_view text) {
  Words words = split(text, " \t\r");
  std::erase_if(words, [](std::string_view word) { return word.empty(); });
  return words;
}

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }

/// Names and what they stand for.
class Names {
 public:
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const {
    const auto known = numbers_.find(std::string(name));
    return known == numbers_.end() ? std::nullopt : std::optional(known->second);
  }
  bool add(std::string_view name) {
    return numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(numbers_.size()))
        .second;
  }
  [[nodiscard]] std::string did_you_mean(std::string_view name) const {
    constexpr std::size_t kFew = 5000;
    if (numbers_.size() > kFew) return "";
    std::vector<std::string_view> known;
    for (const auto& [one, number] : numbers_) known.push_back(one);
    std::ranges::sort(known);
    return annelid::did_you_mean(name, known);
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// The lines `route`. The one that says most of a packet counts.
class Routes {
 public:
  void set_size(std::uint64_t nodes, std::uint64_t classes) {
    nodes_ = nodes;
    classes_ = classes;
  }
  /// Without a node or a class: for all that have no route of their own. Returns the line of an
  /// older route for the same, or 0.
  std::size_t add(std::uint32_t held, std::optional<std::uint32_t> to,
                  std::optional<std::uint32_t> cls, const std::vector<Choice>& choices,
                  std::size_t line) {
    const auto [route, added] =
        routes_.try_emplace(key(held, to.value_or(nodes_), cls.value_or(classes_)));
    if (!added) return route->second.line;
    route->second = {choices, line};
    return 0;
  }
  void next(std::uint32_t held, Packet packet, std::vector<Choice>& to) const {
    for (const std::uint64_t node : {std::uint64_t{packet.to}, nodes_}) {
      for (const std::uint64_t cls : {std::uint64_t{packet.cls}, classes_}) {
        const auto route = routes_.find(key(held, node, cls));
        if (route == routes_.end()) continue;
        to.insert(to.end(), route->second.choices.begin(), route->second.choices.end());
        return;
      }
    }
  }
  void mark_escapes(const std::vector<bool>& escapes) {
    for (auto& [key, route] : routes_) {
      for (Choice& choice : route.choices) choice.escape |= escapes[choice.vc];
    }
  }

 private:
  struct Route {
    std::vector<Choice> choices;
    std::size_t line = 0;
  };
  [[nodiscard]] std::uint64_t key(std::uint64_t held, std::uint64_t to, std::uint64_t cls) const {
    return (held * (nodes_ + 1) + to) * (classes_ + 1) + cls;
  }
  std::uint64_t nodes_ = 0, classes_ = 0;
  std::unordered_map<std::uint64_t, Route> routes_;
};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file.string()) {}

  Network read() {
    const std::string text = read_text(file_, file_, kLongestFile);
    for (const std::string_view line : split(text, "\n")) {
      ++line_;
      const std::string_view content = trimmed(line.substr(0, line.find('#')));
      if (!content.empty()) read_line(content);
    }
    finish();
    return std::move(network_);
  }

 private:
  struct Keyword {
    std::string_view name;
    void (Reader::*read)(const Words& words);
    std::string_view shape;
    std::size_t least, most;  // words after the keyword
  };
  static constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max();
  static const std::array<Keyword, 8> kKeywords;

  // ---- errors ----

  [[noreturn]] void refuse(std::string_view found, const std::string& expected) const {
    throw InputError(fmt::format("{}:{}: {}", file_, line_, keyword_), std::string(found),
                     expected);
  }

  // ---- lines ----

  void read_line(std::string_view content) {
    const std::string_view first = content.substr(0, content.find_first_of(" \t"));
    keyword_ = first;
    std::vector<std::string_view> known;
    for (const Keyword& keyword : kKeywords) {
      known.push_back(keyword.name);
      if (keyword.name != first) continue;
      if (first == "route") return read_route(content.substr(first.size()));
      const Words words = words_of(content.substr(first.size()));
      if (words.size() < keyword.least || words.size() > keyword.most) {
        refuse(fmt::format("{} word{} after it", words.size(), words.size() == 1 ? "" : "s"),
               std::string(keyword.shape));
      }
      return (this->*keyword.read)(words);
    }
    keyword_ = "line";
    refuse(quoted(first),
           fmt::format("one of {}", fmt::join(known, ", ")) + did_you_mean(first, known));
  }

  void require_name(std::string_view name) const {
    if (name.find_first_of(".:@!*#") != std::string_view::npos) {
      refuse(quoted(name), "a name without any of . : @ ! * #");
    }
  }

  void read_switching(const Words& words) {
    if (switching_line_ != 0) {
      refuse("a second one", fmt::format("one alone, as in line {}", switching_line_));
    }
    switching_line_ = line_;
    std::vector<std::string_view> known;
    for (const Switching s : {Switching::kWormhole, Switching::kShared, Switching::kCutThrough}) {
      known.push_back(name_of(s));
      if (known.back() == words[0]) {
        network_.switching = s;
        return;
      }
    }
    refuse(quoted(words[0]),
           fmt::format("one of {}", fmt::join(known, ", ")) + did_you_mean(words[0], known));
  }

  void read_node(const Words& words) {
    require_before_routes();
    require_name(words[0]);
    if (network_.nodes.size() == kMostNodes) refuse("one more", "at most 4096 nodes");
    if (!nodes_.add(words[0])) refuse(quoted(words[0]) + " again", "another name");
    Node node{std::string(words[0])};
    if (words.size() == 2) refuse("one coordinate", "two, or none");
    if (words.size() == 3) {
      node.placed = true;
      node.x = coordinate(words[1]);
      node.y = coordinate(words[2]);
    }
    network_.nodes.push_back(std::move(node));
  }

  [[nodiscard]] double coordinate(std::string_view word) const {
    const auto value = parse_number<double>(word);
    if (!value || !(std::abs(*value) <= kFarthest)) {
      refuse(quoted(word), "a number, -1000000..1000000");
    }
    return *value;
  }

  void read_channel(const Words& words) {
    require_before_routes();
    require_name(words[0]);
    std::uint32_t vcs = 1;
    if (words.size() == 4) {
      const auto value = parse_number<std::uint32_t>(words[3]);
      if (!value || *value < 1 || *value > kMostVcsOfChannel) {
        refuse(quoted(words[3]), "an integer, 1..64: its virtual channels");
      }
      vcs = *value;
    }
    const std::uint32_t from = node(words[1]), to = node(words[2]);
    if (from == to) refuse(quoted(words[2]) + " at both ends", "two nodes");
    if (network_.vcs() + vcs > kMostVcs) refuse("more", "at most 1000000 virtual channels");
    if (!channels_.add(words[0])) refuse(quoted(words[0]) + " again", "another name");
    network_.add_channel(std::string(words[0]), from, to, vcs);
  }

  void read_class(const Words& words) {
    require_before_routes();
    if (classes_read_ == 0) network_.classes.clear();
    for (const std::string_view word : words) {
      require_name(word);
      if (network_.classes.size() == kMostClasses) refuse("one more", "at most 16 classes");
      if (!classes_.add(word)) refuse(quoted(word) + " again", "another name");
      network_.classes.emplace_back(word);
      ++classes_read_;
    }
  }

  void read_answer(const Words& words) {
    const auto request = static_cast<std::uint8_t>(message_class(words[0]));
    const auto reply = static_cast<std::uint8_t>(message_class(words[1]));
    for (const Answer& answer : network_.answers) {
      if (answer.request == request) {
        refuse(fmt::format("a second answer to {}", words[0]), "one answer to a class");
      }
    }
    // Along the answers to the reply, the request must not come.
    for (std::uint8_t cls = reply;;) {
      if (cls == request) {
        refuse(fmt::format("a {} that is an answer to itself", words[0]),
               "answers that come to an end");
      }
      const auto next = std::ranges::find(network_.answers, cls, &Answer::request);
      if (next == network_.answers.end()) break;
      cls = next->reply;
    }
    network_.answers.push_back({request, reply});
  }

  void read_escape(const Words& words) {
    for (const std::string_view word : words) {
      for (const std::uint32_t one : vcs(word)) {
        if (escapes_.size() <= one) escapes_.resize(one + 1);
        escapes_[one] = true;
      }
    }
  }

  void read_bubble(const Words& words) {
    require_name(words[0]);
    if (!rings_.add(words[0])) refuse(quoted(words[0]) + " again", "another name");
    BubbleRing ring{std::string(words[0]), {}};
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto found = vcs(words[i]);
      if (found.size() != 1) refuse(quoted(words[i]), "one virtual channel, as " + first_of(found));
      if (in_ring_.size() <= found[0]) in_ring_.resize(found[0] + 1);
      if (in_ring_[found[0]]) refuse(quoted(words[i]) + " again", "each channel in one ring");
      in_ring_[found[0]] = true;
      ring.vcs.push_back(found[0]);
    }
    for (std::size_t i = 0; i < ring.vcs.size(); ++i) {
      const Channel& one = network_.channels[network_.channel_of(ring.vcs[i])];
      const Channel& next =
          network_.channels[network_.channel_of(ring.vcs[(i + 1) % ring.vcs.size()])];
      if (one.to != next.from) {
        refuse(fmt::format("{} after {}", next.name, one.name),
               fmt::format("a channel that starts at {}", network_.nodes[one.to].name));
      }
    }
    if (ring_line_ == 0) ring_line_ = line_;
    network_.rings.push_back(std::move(ring));
  }

  void read_route(std::string_view content) {
    const std::size_t colon = content.find(':');
    const Words words = words_of(content.substr(0, colon));
    const std::string shape = "route FROM TO [CLASS]: VC ...";
    if (colon == std::string_view::npos) refuse("no \":\"", shape);
    if (words.size() < 2 || words.size() > 3) {
      refuse(fmt::format("{} word{} before the \":\"", words.size(), words.size() == 1 ? "" : "s"),
             shape);
    }
    begin_routes();
    const std::vector<std::uint32_t> held = held_of(words[0]);
    injects_ = injects_ || held[0] >= network_.vcs();
    const std::uint32_t here =
        held[0] < network_.vcs() ? network_.end_of(held[0]) : held[0] - network_.vcs();
    std::optional<std::uint32_t> to, cls;
    if (words[1] != "*") to = node(words[1]);
    if (to == here) {
      refuse(fmt::format("{}, where such packets are", words[1]),
             "another node: there a packet is delivered");
    }
    if (words.size() == 3) cls = message_class(words[2]);
    std::vector<Choice> choices;
    for (std::string_view word : words_of(content.substr(colon + 1))) {
      const bool escape = word.ends_with('!');
      if (escape) word.remove_suffix(1);
      for (const std::uint32_t vc : vcs(word)) {
        const Channel& channel = network_.channels[network_.channel_of(vc)];
        if (channel.from != here) {
          refuse(fmt::format("{}, which starts at {}", word, network_.nodes[channel.from].name),
                 fmt::format("a channel that starts at {}", network_.nodes[here].name));
        }
        if (std::ranges::find(choices, vc, &Choice::vc) != choices.end()) {
          refuse(quoted(word) + " again", "each virtual channel once");
        }
        choices.push_back({vc, escape});
      }
    }
    if (choices.empty()) refuse("nothing after the \":\"", "the virtual channels that may be next");
    for (const std::uint32_t one : held) {
      const std::size_t older = routes_->add(one, to, cls, choices, line_);
      if (older != 0) {
        refuse(fmt::format("the same as line {} once more", older), "all choices in one line");
      }
    }
  }

  // ---- words ----

  [[nodiscard]] std::uint32_t node(std::string_view name) const {
    const auto known = nodes_.find(name);
    if (!known) refuse(quoted(name), "a node of a line above" + nodes_.did_you_mean(name));
    return *known;
  }

  [[nodiscard]] std::uint32_t message_class(std::string_view name) const {
    const auto known = classes_.find(name);
    if (!known) refuse(quoted(name), "a class of a line above" + classes_.did_you_mean(name));
    return *known;
  }

  /// "ab" stands for all VCs of the channel, "ab.1" for one.
  [[nodiscard]] std::vector<std::uint32_t> vcs(std::string_view word) const {
    const std::size_t dot = word.find('.');
    const auto known = channels_.find(word.substr(0, dot));
    if (!known) {
      refuse(quoted(word),
             "a channel of a line above" + channels_.did_you_mean(word.substr(0, dot)));
    }
    const Channel& channel = network_.channels[*known];
    std::vector<std::uint32_t> found;
    if (dot == std::string_view::npos) {
      for (std::uint32_t vc = 0; vc < channel.vcs; ++vc) found.push_back(channel.first_vc + vc);
      return found;
    }
    const auto vc = parse_number<std::uint32_t>(word.substr(dot + 1));
    if (!vc || *vc >= channel.vcs) {
      refuse(quoted(word), channel.vcs == 1
                               ? fmt::format("{}.0, its only virtual channel", channel.name)
                               : fmt::format("{0}.0 to {0}.{1}", channel.name, channel.vcs - 1));
    }
    found.push_back(channel.first_vc + *vc);
    return found;
  }

  [[nodiscard]] std::string first_of(const std::vector<std::uint32_t>& found) const {
    return network_.place_name(found[0]);
  }

  /// "@a" is what node a injects, "ab" and "ab.1" what is in such VCs.
  [[nodiscard]] std::vector<std::uint32_t> held_of(std::string_view word) const {
    if (word.starts_with('@')) return {network_.vcs() + node(word.substr(1))};
    return vcs(word);
  }

  // ---- order ----

  /// Routes number what they know, so nothing may be added later.
  void begin_routes() {
    if (routes_) return;
    routes_ = std::make_shared<Routes>();
    routes_->set_size(network_.nodes.size(), network_.classes.size());
  }
  void require_before_routes() const {
    if (routes_) refuse("it below a route", "it above all routes");
  }

  void finish() {
    keyword_ = "end";
    if (!routes_) refuse("no route", "a network: node, channel and route lines");
    escapes_.resize(network_.vcs());
    routes_->mark_escapes(escapes_);
    if (ring_line_ != 0 && network_.switching != Switching::kCutThrough) {
      line_ = ring_line_;
      keyword_ = "bubble";
      refuse(fmt::format("a ring with bubbles and switching {}", name_of(network_.switching)),
             "switching cut-through");
    }
    network_.next = [routes = routes_](std::uint32_t held, Packet packet, std::vector<Choice>& to) {
      routes->next(held, packet, to);
    };
    if (!injects_) refuse("no route from a node", "one at least, as route @a b: ab");
  }

  const std::string file_;
  std::size_t line_ = 0, switching_line_ = 0, ring_line_ = 0, classes_read_ = 0;
  bool injects_ = false;
  std::string_view keyword_;
  Network network_;
  Names nodes_, channels_, classes_, rings_;
  std::vector<bool> escapes_, in_ring_;
  std::shared_ptr<Routes> routes_;
};

const std::array<Reader::Keyword, 8> Reader::kKeywords = {{
    {"switching", &Reader::read_switching, "switching wormhole, shared or cut-through", 1, 1},
    {"node", &Reader::read_node, "node NAME [X Y]", 1, 3},
    {"channel", &Reader::read_channel, "channel NAME FROM TO [VCS]", 3, 4},
    {"class", &Reader::read_class, "class NAME ...", 1, Reader::kMany},
    {"answer", &Reader::read_answer, "answer REQUEST REPLY", 2, 2},
    {"escape", &Reader::read_escape, "escape VC ...", 1, Reader::kMany},
    {"bubble", &Reader::read_bubble, "bubble RING VC VC ...", 3, Reader::kMany},
    {"route", nullptr, "", 0, 0},
}};

}  // namespace

Network read_network_file(const std::filesystem::path& file) {
  Network network = Reader(file).read();
  network.name = file.filename().string();
  return network;
}

}  // namespace annelid::deadlock
