// How --help looks: lines that fit a terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace annelid::cli {

/// The text with line ends in place of spaces, so that a line has at most `width` bytes. Lines that
/// begin with a space, such as examples, stay as they are.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width);

class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override;
  /// The name of the value, without its bounds; the text says what matters of them.
  std::string make_option_opts(const CLI::Option* option) const override;
  /// The text, and the default if the parser knows it.
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;
};

}  // namespace annelid::cli
