// Texts that a user or a file has chosen, on their way to a terminal, a shell or a folder. (Each
// external program has a function of its own where its scripts are made.)
#pragma once

#include <string>
#include <string_view>

namespace annelid {

/// What a terminal can be sent: control characters and bytes that are no UTF-8 as "\x1b", so that
/// no name can move the cursor or hide text. Line ends and tabs stay, and the colours that annelid
/// itself uses.
[[nodiscard]] std::string terminal_text(std::string_view text);

/// A word of a command that a user may copy into a shell.
[[nodiscard]] std::string shell_word(std::string_view text);

/// Why a text cannot be the name of a scenario, which becomes the name of a folder and stands in
/// pages, drawings and messages; empty if it can.
[[nodiscard]] std::string fault_of_name(std::string_view name);

}  // namespace annelid
