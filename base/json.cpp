#include "base/json.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "base/nearest.hpp"

namespace annelid {

bool nested_too_deeply(std::string_view json) {
  constexpr int kDeepest = 100;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

JsonFile::JsonFile(const std::filesystem::path& file, std::span<const std::string_view> keys)
    : file_(file.string()) {
  constexpr const char* kExpected = "the file as annelid has written it";
  const std::string text = read_text(file);
  try {
    json_ = parse_json(text, file_);
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    throw InputError(file_ + ":" + std::to_string(1 + std::count(text.begin(), end, '\n')),
                     "no JSON", kExpected);
  } catch (const nlohmann::json::exception&) {
    throw InputError(file_, "a number that is too large", kExpected);
  }
  if (!json_.is_object()) throw InputError(file_, "no JSON object", kExpected);
  for (const auto& [key, value] : json_.items()) {
    if (std::ranges::find(keys, key) != keys.end()) continue;
    throw InputError(file_, "an unknown key \"" + key + "\"", kExpected + did_you_mean(key, keys));
  }
}

std::string JsonFile::text(const std::string& key) const { return get<std::string>(key, "a text"); }
std::vector<std::string> JsonFile::texts(const std::string& key) const {
  return get<std::vector<std::string>>(key, "a list of texts");
}

}  // namespace annelid
