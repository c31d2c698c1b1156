#include "base/csv.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "base/files.hpp"
#include "base/fnv1a.hpp"

namespace annelid {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) line += csv_field(field) + ",";
  line.back() = '\n';
  return line;
}

std::vector<std::vector<std::string>> split_csv(std::string_view text) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> line{""};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && quoted && text.substr(i + 1).starts_with('"')) {
      line.back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      line.emplace_back();
    } else if (c == '\n' && !quoted) {
      lines.push_back(std::move(line));
      line = {""};
    } else {
      line.back() += c;
    }
  }
  return lines;
}

std::string csv_checksum(const std::vector<std::string>& names,
                         const std::vector<std::string>& cells) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!cells[i].empty()) sum += fnv1a(csv_line({names[i], cells[i]}));
  }
  return fmt::format("{:016x}", sum);
}

std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  return split_csv(read_text(file));
}

}  // namespace annelid
