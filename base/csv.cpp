#include "base/csv.hpp"

#include <fstream>

namespace annelid {

std::string csv_field(const std::string& text) {
  return text.find(',') == std::string::npos ? text : "\"" + text + "\"";
}

std::vector<std::string> split_csv(const std::string& line) {
  std::vector<std::string> fields{""};
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(in, line) && !in.eof();) lines.push_back(split_csv(line));
  return lines;
}

}  // namespace annelid
