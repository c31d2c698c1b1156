#include "cli/scenario.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <vector>

#include "cli/input_error.hpp"
#include "cli/toml_file.hpp"

namespace annelid::cli {
namespace {

/// A value as the file or the command line gives it: an integer, two integers, or text.
struct Value {
  enum class Kind : std::uint8_t { kInteger, kPair, kText } kind = Kind::kText;
  std::array<std::int64_t, 2> numbers{};
  std::string text;

  [[nodiscard]] std::string shown() const {
    switch (kind) {
      case Kind::kInteger:
        return fmt::format("{}", numbers[0]);
      case Kind::kPair:
        return fmt::format("{},{}", numbers[0], numbers[1]);
      default:
        return fmt::format("\"{}\"", text);
    }
  }
};

int integer_in(const Value& v, const std::string& where, std::int64_t low, std::int64_t high) {
  if (v.numbers[0] < low || v.numbers[0] > high) {
    throw InputError(where, v.shown(), fmt::format("{} to {}", low, high));
  }
  return static_cast<int>(v.numbers[0]);
}

/// What a key is, and how a value of it changes the scenario.
struct Key {
  std::string_view name;
  Value::Kind kind;
  std::string_view shape;  ///< for messages
  void (*apply)(Scenario&, const Value&, const std::string& where);
};

template <typename Enum, std::size_t n>
Enum choice(const Value& v, const std::string& where, const std::array<Enum, n>& values) {
  std::string all;
  for (Enum e : values) {
    if (v.text == name_of(e)) return e;
    all += fmt::format("{}\"{}\"", all.empty() ? "" : " or ", name_of(e));
  }
  throw InputError(where, v.shown(), all);
}

void apply_size(Scenario& s, const Value& v, const std::string& where) {
  for (std::int64_t n : v.numbers) {
    if (n < 1 || n > 256) throw InputError(where, v.shown(), "two sizes of 1 to 256 nodes");
  }
  s.network.size[0] = static_cast<int>(v.numbers[0]);
  s.network.size[1] = static_cast<int>(v.numbers[1]);
}

void apply_root(Scenario& s, const Value& v, const std::string& where) {
  for (std::int64_t n : v.numbers) {
    if (n < 0 || n > 255) throw InputError(where, v.shown(), "coordinates x, y of 0 to 255");
  }
  s.root = {static_cast<std::uint8_t>(v.numbers[0]), static_cast<std::uint8_t>(v.numbers[1]), 0};
}

void apply_firmware(Scenario& s, const Value& v, const std::string&) {
  using Kind = FirmwareChoice::Kind;
  if (v.text == "rv32") {
    s.firmware = {Kind::kRv32, {}};
  } else if (v.text == "native") {
    s.firmware = {Kind::kNative, {}};
  } else {
    s.firmware = {Kind::kElfFile, v.text};
  }
}

constexpr auto kInteger = Value::Kind::kInteger;
constexpr auto kPair = Value::Kind::kPair;
constexpr auto kText = Value::Kind::kText;

const std::array<Key, 12> kKeys = {{
    {"name", kText, "text",
     [](Scenario& s, const Value& v, const std::string&) { s.name = v.text; }},
    {"network.size", kPair, "two integers, nodes in x and y", apply_size},
    {"router.local_ports", kInteger, "an integer",
     [](Scenario& s, const Value& v, const std::string& where) {
       s.network.router.local_ports = integer_in(v, where, 1, kMaxLocalPorts);
     }},
    {"router.vcs", kInteger, "an integer",
     [](Scenario& s, const Value& v, const std::string& where) {
       s.network.router.vcs = integer_in(v, where, 1, kMaxVcs);
     }},
    {"router.local_vcs", kInteger, "an integer",
     [](Scenario& s, const Value& v, const std::string& where) {
       s.network.router.local_vcs = integer_in(v, where, 1, kMaxVcs);
     }},
    {"router.depth", kInteger, "an integer, flits",
     [](Scenario& s, const Value& v, const std::string& where) {
       s.network.router.depth = integer_in(v, where, 1, kMaxDepth);
     }},
    {"firmware", kText, "\"rv32\", \"native\" or the path of an RV32 ELF file", apply_firmware},
    {"collective.operation", kText, "text",
     [](Scenario& s, const Value& v, const std::string& where) {
       s.operation = choice(v, where, std::array{Operation::kBroadcast});
     }},
    {"collective.algorithm", kText, "text",
     [](Scenario& s, const Value& v, const std::string& where) {
       s.algorithm = choice(v, where, std::array{Algorithm::kEdn, Algorithm::kRecursiveDoubling});
     }},
    {"collective.root", kPair, "two integers, the coordinates x and y", apply_root},
    {"collective.payload", kText, "the path of a file",
     [](Scenario& s, const Value& v, const std::string&) { s.payload = v.text; }},
    {"limits.cycles", kInteger, "an integer, cycles",
     [](Scenario& s, const Value& v, const std::string& where) {
       if (v.numbers[0] < 1) throw InputError(where, v.shown(), "at least 1 cycle");
       s.cycle_limit = static_cast<Cycle>(v.numbers[0]);
     }},
}};

const Key* find_key(std::string_view name) {
  for (const Key& key : kKeys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

std::string known_keys() {
  std::string all;
  for (const Key& key : kKeys) all += fmt::format("{}{}", all.empty() ? "" : ", ", key.name);
  return all;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

/// "8" as an integer, "3,5" or "8x8" as a pair.
std::optional<Value> parse_value(Value::Kind kind, const std::string& text) {
  Value v{kind, {}, text};
  if (kind == Value::Kind::kText) return v;
  std::string_view rest = text;
  const std::size_t count = kind == Value::Kind::kPair ? 2 : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = i + 1 < count ? rest.find_first_of(",x") : rest.size();
    if (end == std::string_view::npos) return std::nullopt;
    const auto n = parse_integer(rest.substr(0, end));
    if (!n) return std::nullopt;
    v.numbers[i] = *n;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return v;
}

}  // namespace

std::string_view name_of(Operation) { return "broadcast"; }

std::string_view name_of(Algorithm algorithm) {
  return algorithm == Algorithm::kEdn ? "edn" : "recursive-doubling";
}

Scenario Scenario::read(const std::filesystem::path& file) {
  Scenario s;
  s.file_ = file.string();
  s.name = file.stem().string();
  for (const TomlEntry& entry : read_toml(file)) {
    const std::string where = fmt::format("{}:{}: {}", file.string(), entry.line, entry.key);
    const Key* key = find_key(entry.key);
    if (key == nullptr) {
      throw InputError(where, "an unknown key", "one of " + known_keys());
    }
    Value v{key->kind, {}, entry.text};
    const bool fits = key->kind == kText ? entry.type == TomlEntry::Type::kText
                      : key->kind == kInteger
                          ? entry.type == TomlEntry::Type::kInteger
                          : entry.type == TomlEntry::Type::kIntegers && entry.integers.size() == 2;
    if (!fits) throw InputError(where, entry.shown, std::string(key->shape));
    for (std::size_t i = 0; i < entry.integers.size(); ++i) v.numbers[i] = entry.integers[i];
    key->apply(s, v, where);
    s.origins_[entry.key] = where;
  }
  for (std::filesystem::path* path : {&s.payload, &s.firmware.elf}) {
    if (!path->empty() && path->is_relative()) *path = file.parent_path() / *path;
  }
  return s;
}

void Scenario::override_value(const std::string& key, const std::string& option,
                              const std::string& text) {
  const Key& k = *find_key(key);
  const auto v = parse_value(k.kind, text);
  if (!v) throw InputError(option, "\"" + text + "\"", std::string(k.shape));
  k.apply(*this, *v, option);
  origins_[key] = option;
}

std::string Scenario::origin(const std::string& key) const {
  const auto it = origins_.find(key);
  return it == origins_.end() ? file_ + ": " + key : it->second;
}

void Scenario::validate() const {
  if (root.x >= network.size[0] || root.y >= network.size[1]) {
    throw InputError(origin("collective.root"), fmt::format("{},{}", root.x, root.y),
                     fmt::format("a node of the {}x{} mesh: 0,0 to {},{}", network.size[0],
                                 network.size[1], network.size[0] - 1, network.size[1] - 1));
  }
  if (payload.empty()) {
    throw InputError(origin("collective.payload"), "nothing", "the path of the file to broadcast");
  }
  if (algorithm == Algorithm::kEdn) {
    const int n = network.size[0];
    const bool power_of_two = (n & (n - 1)) == 0;
    if (n != network.size[1] || n < 4 || !power_of_two) {
      throw InputError(origin("collective.algorithm"),
                       fmt::format("\"edn\" on {}x{}", network.size[0], network.size[1]),
                       "a square mesh of 4, 8, 16, 32, 64, 128 or 256 for \"edn\"; "
                       "\"recursive-doubling\" fits every size");
    }
  }
}

}  // namespace annelid::cli
