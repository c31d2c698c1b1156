#include "simulation/scenario/settings.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "base/parse_number.hpp"
#include "base/split.hpp"
#include "base/text.hpp"
#include "systemc/network/config.hpp"

namespace annelid::simulation {
namespace {

using Kind = Key::Kind;
using Type = Value::Type;

constexpr std::string_view kCall = "call.";

bool all_of_type(const Value& list, Type type) {
  return list.type == Type::kList && !list.list.empty() &&
         std::ranges::all_of(list.list, [&](const Value& v) { return v.type == type; });
}

/// "64", "64k", "1M"; nothing for any other text.
std::optional<std::int64_t> parse_bytes(std::string_view text) {
  const int shift = text.ends_with('k') ? 10 : text.ends_with('M') ? 20 : 0;
  if (shift != 0) text.remove_suffix(1);
  const auto n = parse_number<std::int64_t>(text);
  constexpr std::int64_t kMost = std::int64_t{1}
                                 << 40;  // of any unit; keys have bounds of their own
  if (!n || *n < -kMost || *n > kMost) return std::nullopt;
  return *n * (std::int64_t{1} << shift);
}

bool fits(const Value& v, Kind kind) {
  switch (kind) {
    case Kind::kText:
      return v.type == Type::kText;
    case Kind::kInteger:
      return v.type == Type::kInteger;
    case Kind::kNumber:
      return v.is_number();
    case Kind::kBoolean:
      return v.type == Type::kBoolean;
    case Kind::kIntegers:
      return v.type == Type::kInteger || all_of_type(v, Type::kInteger);
    case Kind::kTexts:
      return v.type == Type::kText || all_of_type(v, Type::kText);
    case Kind::kBytes:
      return v.type == Type::kInteger || (v.type == Type::kText && parse_bytes(v.text));
    case Kind::kLengths:
      return v.type == Type::kInteger || v.type == Type::kText || all_of_type(v, Type::kInteger);
    case Kind::kNodes:
      return v.type == Type::kText || all_of_type(v, Type::kText) ||
             (all_of_type(v, Type::kList) && std::ranges::all_of(v.list, [](const Value& node) {
                return all_of_type(node, Type::kInteger);
              }));
  }
  return false;
}

/// Refuses two values for a key, because one would have no effect.
void require_each_once(std::span<const Override> overrides) {
  for (auto o = overrides.begin(); o != overrides.end(); ++o) {
    const auto first = std::ranges::find(overrides.begin(), o, o->key, &Override::key);
    if (first == o) continue;
    throw InputError(o->option,
                     fmt::format("a second value for {}, beside {}", o->key, first->option),
                     "one of the two");
  }
}

}  // namespace

void IdleValues::add(const std::string& key, const InputError& error) {
  ++values_.try_emplace(key, Idle{error}).first->second.times;
}

void IdleValues::require_use(std::size_t settings) const {
  for (const auto& [key, idle] : values_) {
    if (idle.times == settings) throw idle.error;
  }
}

std::vector<std::string_view> names_of_keys(std::span<const Key> keys) {
  std::vector<std::string_view> names;
  for (const Key& key : keys) names.emplace_back(key.name);
  return names;
}

bool replaces(std::span<const Override> overrides, std::string_view key) {
  return std::ranges::find(overrides, key, &Override::key) != overrides.end();
}

std::optional<Value> parse_value(Kind kind, const std::string& text) {
  switch (kind) {
    case Kind::kInteger:
      if (const auto n = parse_number<std::int64_t>(text)) return Value::of_integer(*n);
      return std::nullopt;
    case Kind::kBytes:
      if (const auto n = parse_bytes(text)) return Value::of_integer(*n);
      return std::nullopt;
    case Kind::kNumber:
      if (const auto n = parse_number<double>(text)) return Value::of_number(*n);
      return std::nullopt;
    case Kind::kBoolean:
      if (text == "true" || text == "false") return Value::of_boolean(text == "true");
      return std::nullopt;
    case Kind::kIntegers: {
      std::vector<Value> list;
      for (const std::string_view part : split(text, ",x")) {
        const auto n = parse_number<std::int64_t>(part);
        if (!n) return std::nullopt;
        list.push_back(Value::of_integer(*n));
      }
      return Value::of_list(std::move(list));
    }
    case Kind::kTexts: {
      std::vector<Value> list;
      for (const std::string_view part : split(text, ",")) {
        list.push_back(Value::of_text(std::string(part)));
      }
      return Value::of_list(std::move(list));
    }
    default:
      return Value::of_text(text);
  }
}

std::string option_text(const Value& value) {
  if (value.type == Type::kText) return value.text;
  if (value.type != Type::kList) return value.shown;
  std::string text;
  for (const Value& item : value.list) text += (text.empty() ? "" : ",") + option_text(item);
  return text;
}

Settings::Settings(std::vector<Key> keys, const std::filesystem::path& file,
                   std::span<const Override> overrides, const std::string& others)
    : keys_(std::move(keys)) {
  if (!file.empty()) read(file, others);
  require_each_once(overrides);
  for (const Override& o : overrides) set(o);
}

const Key* Settings::find_key(const std::string& name) const {
  constexpr std::string_view kAnyName = ".NAME";
  const auto key = std::ranges::find_if(keys_, [&](const Key& k) {
    const std::string_view known = k.name;
    if (!known.ends_with(kAnyName)) return known == name;
    const std::size_t prefix = known.size() - kAnyName.size() + 1;
    return name.size() > prefix && name.starts_with(known.substr(0, prefix)) &&
           name.find('.', prefix) == std::string::npos;
  });
  return key == keys_.end() ? nullptr : &*key;
}

const Key& Settings::known_key(const std::string& name, const std::string& where) const {
  if (const Key* const key = find_key(name)) return *key;
  const std::vector<std::string_view> known = names_of_keys(keys_);
  throw InputError(where, "an unknown key",
                   fmt::format("one of {}{}", fmt::join(known, ", "), did_you_mean(name, known)));
}

void Settings::read(const std::filesystem::path& file, const std::string& others) {
  file_ = file;
  for (const TomlEntry& entry : read_toml(file)) {
    if (!others.empty() && entry.key.starts_with(others)) continue;
    const std::string where = fmt::format("{}:{}: {}", file.string(), entry.line, entry.key);
    const bool has_calls = find_key("call.name") != nullptr;
    if (has_calls && entry.table > 0 && entry.key == "call") {
      calls_.resize(std::max(calls_.size(), entry.table));
    } else if (has_calls && entry.table > 0 && entry.key.starts_with(kCall)) {
      calls_.resize(std::max(calls_.size(), entry.table));
      calls_[entry.table - 1].push_back(entry);
      calls_[entry.table - 1].back().key = entry.key.substr(kCall.size());
    } else if (has_calls && entry.key.starts_with(kCall)) {
      throw InputError(where, "a table [call]", "tables [[call]], of which there can be several");
    } else {
      set_from_file(entry.key, entry.value, where);
    }
  }
}

void Settings::set_from_file(const std::string& name, const Value& found,
                             const std::string& origin) {
  const Key& key = known_key(name, origin);
  set(name, found, origin);
  Value& value = values_[name].value;
  if (key.is_path && !value.text.empty() && std::filesystem::path(value.text).is_relative()) {
    value.text = (file_.parent_path() / value.text).string();
  }
}

Settings Settings::with_call(std::size_t number) const {
  Settings settings = *this;
  settings.calls_.clear();
  for (const auto& [key, setting] : values_) settings.defaults_.insert(key);
  for (const TomlEntry& entry : calls_[number]) {
    const std::string where = fmt::format("{}:{}: {}", file_.string(), entry.line, entry.key);
    std::string name = std::string(kCall) + entry.key;
    if (find_key(name) == nullptr) name = "collective." + entry.key;
    if (find_key(name) == nullptr) {
      std::vector<std::string_view> known;
      for (const std::string_view key : names_of_keys(keys_)) {
        for (const std::string_view table : {kCall, std::string_view("collective.")}) {
          if (key.starts_with(table)) known.push_back(key.substr(table.size()));
        }
      }
      throw InputError(
          where, "an unknown key of a [[call]]",
          fmt::format("one of {}{}", fmt::join(known, ", "), did_you_mean(entry.key, known)));
    }
    if (has(name) && !from_file(name)) continue;  // an option has replaced it
    settings.set_from_file(name, entry.value, where);
    settings.defaults_.erase(name);
  }
  return settings;
}

std::vector<std::string> Settings::names_below(const std::string& prefix) const {
  std::vector<std::string> names;
  for (auto at = values_.lower_bound(prefix); at != values_.end(); ++at) {
    if (!at->first.starts_with(prefix)) break;
    names.push_back(at->first.substr(prefix.size()));
  }
  return names;
}

void Settings::set(const Override& o) {
  const Key& key = known_key(o.key, o.option);
  const auto value = parse_value(key.kind, o.text);
  if (!value) throw InputError(o.option, "\"" + o.text + "\"", key.shape);
  set(o.key, *value, o.option);
}

void Settings::set(const std::string& key, const Value& value, const std::string& origin) {
  const Key& k = known_key(key, origin);
  if (!fits(value, k.kind)) throw InputError(origin, value.shown, k.shape);
  values_[key] = {value, origin};
  if (k.kind == Kind::kBytes && value.type == Type::kText) {
    values_[key].value = Value::of_integer(*parse_bytes(value.text));
  }
}

std::vector<std::string> Settings::assignments() const {
  std::vector<std::string> all;
  for (const auto& [key, setting] : values_) all.push_back(key + "=" + option_text(setting.value));
  return all;
}

const Value* Settings::find(const std::string& key) const {
  const auto it = values_.find(key);
  return it == values_.end() ? nullptr : &it->second.value;
}

std::string Settings::text(const std::string& key, const std::string& otherwise) const {
  const Value* v = find(key);
  return v == nullptr ? otherwise : v->text;
}

std::int64_t Settings::integer(const std::string& key, std::int64_t otherwise, std::int64_t low,
                               std::int64_t high) const {
  const Value* v = find(key);
  if (v == nullptr) return otherwise;
  if (v->integer < low || v->integer > high) refuse(key, fmt::format("{}..{}", low, high));
  return v->integer;
}

double Settings::number(const std::string& key, double otherwise) const {
  const Value* v = find(key);
  return v == nullptr ? otherwise : v->number;
}

bool Settings::boolean(const std::string& key, bool otherwise) const {
  const Value* v = find(key);
  return v == nullptr ? otherwise : v->boolean;
}

std::vector<std::int64_t> Settings::integers(const std::string& key) const {
  const Value* v = find(key);
  if (v == nullptr) return {};
  if (v->type != Type::kList) return {v->integer};
  std::vector<std::int64_t> result;
  for (const Value& item : v->list) result.push_back(item.integer);
  return result;
}

std::vector<std::string> Settings::texts(const std::string& key) const {
  const Value* v = find(key);
  if (v == nullptr) return {};
  if (v->type != Type::kList) return {v->text};
  std::vector<std::string> result;
  for (const Value& item : v->list) result.push_back(item.text);
  return result;
}

std::size_t Settings::choice(const std::string& key, std::span<const std::string_view> names,
                             std::size_t otherwise) const {
  if (!has(key)) return otherwise;
  const auto name = std::ranges::find(names, text(key));
  if (name != names.end()) return static_cast<std::size_t>(name - names.begin());
  std::string all;
  for (const std::string_view n : names) {
    all += fmt::format("{}\"{}\"", all.empty() ? "" : " or ", n);
  }
  refuse(key, all + did_you_mean(text(key), names));
}

bool Settings::from_file(const std::string& key) const {
  return !file_.empty() && has(key) && origin(key).starts_with(file_.string());
}

std::string Settings::name(const std::string& otherwise) const {
  std::string name = text("name", file_.empty() ? otherwise : file_.stem().string());
  const std::string fault = fault_of_name(name);
  if (!fault.empty()) {
    throw InputError(origin("name"), fault,
                     "1 to 128 bytes of UTF-8 without slashes and control characters, as the name "
                     "becomes a folder's");
  }
  return name;
}

std::string Settings::origin(const std::string& key) const {
  if (const auto it = values_.find(key); it != values_.end()) return it->second.origin;
  if (!file_.empty()) return file_.string() + ": " + key;
  const Key* k = find_key(key);
  return k != nullptr && k->option != nullptr ? k->option : key;
}

void Settings::refuse(const std::string& key, const std::string& expected) const {
  const Value* v = find(key);
  throw InputError(origin(key), v == nullptr ? "nothing" : v->shown, expected);
}

void Settings::refuse_idle(const std::string& key, const std::string& decider,
                           const std::string& found, const std::string& expected) const {
  if (!has(key) || defaults_.contains(key)) return;
  const bool replaced = has(decider) && !from_file(decider);
  if (from_file(key) && replaced) return;
  const InputError error(origin(key), found, expected);
  if (!idle_) throw error;
  idle_->add(key, error);
}

void Settings::checked(const std::function<void()>& check) const {
  try {
    check();
  } catch (const systemc::ConfigError& error) {
    const std::string key = error.key().substr(0, error.key().find('['));
    throw InputError(origin(key), error.found(), error.expected());
  }
}

}  // namespace annelid::simulation
