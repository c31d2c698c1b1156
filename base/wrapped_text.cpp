#include "base/wrapped_text.hpp"

#include <algorithm>
#include <cctype>

namespace annelid {
namespace {

constexpr char kFixedSpace = '\x1f';  // stands for a space at which no line may break

void add_wrapped_line(std::string& text, std::string_view line, std::size_t width) {
  while (line.size() > width && !line.starts_with(' ')) {
    std::size_t space = line.rfind(' ', width);
    if (space == std::string_view::npos) space = line.find(' ');  // a word that is too long
    if (space == std::string_view::npos) break;
    text.append(line.substr(0, space)) += '\n';
    line.remove_prefix(space + 1);
  }
  text += line;
}

/// "-", "12." or "##": a line that begins with such a word is no plain text in Markdown.
bool has_meaning_at_the_start(std::string_view word) {
  if (word == "-" || word == "+" || word == "*") return true;
  if (word.find_first_not_of('#') == std::string_view::npos) return true;
  if (word.front() == '>' || word.front() == '|') return true;
  const std::size_t end = word.find_first_not_of("0123456789");
  return end != 0 && end == word.size() - 1 && (word.back() == '.' || word.back() == ')');
}

/// The line with fixed spaces where it must not break.
std::string with_fixed_spaces(std::string_view line) {
  std::string text(line);
  bool code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') code = !code;
    if (text[i] != ' ') continue;
    const std::size_t end = std::min(text.find(' ', i + 1), text.size());
    const std::string_view next = std::string_view(text).substr(i + 1, end - i - 1);
    if (code || next.empty() || has_meaning_at_the_start(next)) text[i] = kFixedSpace;
  }
  return text;
}

void add_wrapped_markdown(std::string& text, std::string_view line, std::size_t width) {
  const bool item = line.starts_with("* ");
  if (line.starts_with('|') || line.starts_with('#') || line.starts_with('!')) {
    text += line;
    return;
  }
  if (!item) return add_wrapped_line(text, line, width);
  std::string rest;
  add_wrapped_line(rest, line.substr(2), width - 2);
  text += "* ";
  for (const char c : rest) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
}

/// Calls `add` for each line, and puts the line ends back between them.
template <typename Add>
std::string by_line(std::string_view text, const Add& add) {
  std::string all;
  for (;;) {
    const std::size_t end = text.find('\n');
    add(all, text.substr(0, end));
    if (end == std::string_view::npos) return all;
    all += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width) {
  return by_line(text, [width](std::string& all, std::string_view line) {
    add_wrapped_line(all, line, width);
  });
}

std::string wrapped_markdown(std::string_view text, std::size_t width) {
  std::string all = by_line(text, [width](std::string& made, std::string_view line) {
    if (line.size() <= width || line.starts_with(' ')) {
      made += line;
    } else {
      add_wrapped_markdown(made, with_fixed_spaces(line), width);
    }
  });
  std::ranges::replace(all, kFixedSpace, ' ');
  return all;
}

}  // namespace annelid
