// Formats the text of --help, in lines that fit a terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace annelid::cli {

class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override;
  /// Returns the names. A flag that may have a value is shown as --flag[=VALUE].
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  /// Returns the name of the value, without its bounds. The help text gives the bounds that matter.
  std::string make_option_opts(const CLI::Option* option) const override;
  /// Returns the help text, and the default if the parser knows it.
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;
};

}  // namespace annelid::cli
