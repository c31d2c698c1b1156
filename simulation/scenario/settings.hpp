// The values of a command: the keys that it knows, a TOML file, and the options that replace the
// file's values. Each value keeps its origin (file and line, or option) for messages.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/input_error.hpp"
#include "simulation/scenario/toml_file.hpp"

namespace annelid::simulation {

/// A key of a scenario, and the option with the same meaning. Settings, --help and the reference of
/// keys (docs/reference/scenario-keys.md) are all made from these descriptions.
struct Key {
  enum class Kind : std::uint8_t {
    kText,
    kInteger,
    kNumber,
    kBoolean,
    kIntegers,  ///< an integer or a list; as an option 8x8 or 3,5
    kTexts,     ///< a text or a list; as an option a,b
    kLengths,   ///< an integer, a text, or a list of integers
    kBytes,     ///< an integer, or a text with a unit: "64k", "1M" (1024 and 1024 * 1024)
    kNodes,     ///< a text, or a list of texts, or of lists of coordinates
  };
  const char* name;  ///< one that ends in ".NAME" stands for any name there
  Kind kind;
  const char* shape;           ///< the form of a value, for messages: "an integer, bytes"
  const char* option;          ///< nullptr: only in files
  const char* metavar;         ///< of the option's value; nullptr: a flag, or no option
  const char* help;            ///< what the key means, in whole sentences
  const char* otherwise = "";  ///< the default value, as an option takes it or in words
  bool is_path = false;        ///< a path in a file is relative to the file
};

[[nodiscard]] std::vector<std::string_view> names_of_keys(std::span<const Key> keys);

/// A value from the command line. It replaces the file's value.
struct Override {
  std::string key, option, text;
};
/// Whether one of them replaces the value of this key.
[[nodiscard]] bool replaces(std::span<const Override> overrides, std::string_view key);

/// Parses an option's text as a value of this kind. Returns nothing if the text does not fit the
/// kind.
[[nodiscard]] std::optional<Value> parse_value(Key::Kind kind, const std::string& text);
/// Returns the text with which an option gives this value.
[[nodiscard]] std::string option_text(const Value& value);

/// The values that have no effect, of several settings that were made from the same ones.
class IdleValues {
 public:
  void add(const std::string& key, const InputError& error);
  /// Throws the error of a value that had no effect in all `settings` of them.
  void require_use(std::size_t settings) const;

 private:
  struct Idle {
    InputError error;  ///< the first one
    std::size_t times = 0;
  };
  std::map<std::string, Idle> values_;
};

class Settings {
 public:
  explicit Settings(std::vector<Key> keys) : keys_(std::move(keys)) {}
  /// Reads a file (unless its name is empty), then sets the values that replace the file's, as
  /// read() and set() do. Throws InputError for two overrides of the same key.
  Settings(std::vector<Key> keys, const std::filesystem::path& file,
           std::span<const Override> overrides, const std::string& others = {});

  /// Reads a file. Ignores keys below `others` ("sweep."). Throws InputError for an unreadable
  /// file, an error of TOML syntax, an unknown key or a wrong type.
  void read(const std::filesystem::path& file, const std::string& others = {});
  /// Replaces a value. Throws InputError for an unknown key, and for a text of another type.
  void set(const Override& override);
  /// Replaces a value by text as an option takes it: set("router.vcs", "4"), set("network.size",
  /// "4x4"). Messages name the key.
  void set(const std::string& key, const std::string& text) { set({key, key, text}); }
  /// Sets a value from another source. Messages name its `origin`.
  void set(const std::string& key, const Value& value, const std::string& origin);
  /// Removes the key's value, as if nothing had set it.
  void unset(const std::string& key) { values_.erase(key); }

  /// Returns all values that are set, as --set takes them: "router.vcs=2".
  [[nodiscard]] std::vector<std::string> assignments() const;

  /// The number of tables [[call]] in the file. Only commands that know the key "call.name" have
  /// them.
  [[nodiscard]] std::size_t calls() const { return calls_.size(); }
  /// Returns these settings with the values of such a table: its own keys as "call.name", and those
  /// of a collective as "collective.root". Options replace them. All other values are defaults,
  /// which need have no effect in this call. Throws InputError for other keys.
  [[nodiscard]] Settings with_call(std::size_t number) const;

  [[nodiscard]] const Key* find_key(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& key) const { return values_.contains(key); }
  [[nodiscard]] const Value* find(const std::string& key) const;
  [[nodiscard]] std::string text(const std::string& key, const std::string& otherwise = {}) const;
  /// Throws InputError if the value is not between the bounds.
  [[nodiscard]] std::int64_t integer(const std::string& key, std::int64_t otherwise,
                                     std::int64_t low = -1'000'000'000,
                                     std::int64_t high = 1'000'000'000) const;
  [[nodiscard]] double number(const std::string& key, double otherwise) const;
  [[nodiscard]] bool boolean(const std::string& key, bool otherwise) const;
  /// Return the values of a list; empty if the key is not set.
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& key) const;
  /// Returns the names that are set of a key as "groups.NAME": `prefix` is "groups.".
  [[nodiscard]] std::vector<std::string> names_below(const std::string& prefix) const;
  /// Returns the index of the value in `names`. Throws InputError for any other text.
  [[nodiscard]] std::size_t choice(const std::string& key, std::span<const std::string_view> names,
                                   std::size_t otherwise) const;
  /// The scenario's file; empty if there is none.
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// Whether the scenario's file, and nothing after it, sets the key.
  [[nodiscard]] bool from_file(const std::string& key) const;
  /// The name of the scenario: the file's, unless the key "name" says otherwise.
  [[nodiscard]] std::string name(const std::string& otherwise) const;

  /// Returns "file:line: key" or the option, whichever set the key last. If nothing set the key,
  /// returns "file: key", or without a file the option or the key alone.
  [[nodiscard]] std::string origin(const std::string& key) const;
  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const;
  /// Throws InputError for a value that has no effect because of the key `decider`: "a value for a
  /// broadcast". A value of the file is accepted if the command line replaces the file's value of
  /// `decider`.
  void refuse_idle(const std::string& key, const std::string& decider, const std::string& found,
                   const std::string& expected) const;
  /// From now on refuse_idle() adds to these values in place of throwing. So do copies.
  void collect_idle(std::shared_ptr<IdleValues> idle) { idle_ = std::move(idle); }
  /// Calls `check`. If it throws a ConfigError, throws an InputError with the key's origin instead.
  void checked(const std::function<void()>& check) const;

 private:
  struct Setting {
    Value value;
    std::string origin;
  };
  /// Throws InputError.
  [[nodiscard]] const Key& known_key(const std::string& name, const std::string& where) const;
  void set_from_file(const std::string& key, const Value& value, const std::string& origin);

  std::vector<Key> keys_;
  std::filesystem::path file_;
  std::map<std::string, Setting> values_;
  std::vector<std::vector<TomlEntry>> calls_;  ///< of each table [[call]], without "call."
  std::set<std::string> defaults_;             ///< of with_call(): what the table does not set
  std::shared_ptr<IdleValues> idle_;           ///< usually none
};

}  // namespace annelid::simulation
