#include "cli/help_format.hpp"

#include <sstream>

#include "base/wrapped_text.hpp"

namespace annelid::cli {
namespace {

constexpr std::size_t kWidth = 100;

}  // namespace

std::string HelpFormat::make_description(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_description(app), kWidth);
}

std::string HelpFormat::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = CLI::Formatter::make_option_name(option, is_positional);
  const std::size_t brace = name.find('{');  // CLI11 shows the value that the flag has by itself
  if (brace == std::string::npos) return name;
  return name.substr(0, brace) + "[=" + option->get_type_name() + "]";
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  // A flag. If it may have a value, its name shows that.
  if (option->get_type_size() == 0 || option->get_expected_min() == 0) return "";
  std::string value = option->get_type_name();  // "N", or "N:INT in [1 - 4]"
  if (const std::size_t bounds = value.find(" in ["); bounds != std::string::npos) {
    value.resize(value.rfind(':', bounds));
  }
  std::string text = value.empty() ? "" : " " + value;
  if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
  return text + (option->get_required() ? " REQUIRED" : "");
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  std::string text = CLI::Formatter::make_option_desc(option);
  const std::string otherwise = option->get_default_str();
  if (!otherwise.empty()) text += " Default: " + otherwise + ".";
  return wrapped(text, kWidth - get_column_width());
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  std::ostringstream out;
  CLI::detail::format_help(out, command->get_display_name(true),
                           wrapped(command->get_description(), kWidth - get_column_width()),
                           get_column_width());
  return out.str();
}

std::string HelpFormat::make_footer(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_footer(app), kWidth);
}

}  // namespace annelid::cli
