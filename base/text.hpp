// Makes texts that a user or a file has chosen safe for a terminal, a shell or a folder name.
// (Texts for other external programs have their own functions, next to the code that makes the
// scripts.)
#pragma once

#include <string>
#include <string_view>

namespace annelid {

/// A text of the program's own that is safe to print on a terminal. Control characters and bytes
/// that are not UTF-8 become "\x1b" and the like, so that no name in it can move the cursor or hide
/// text. Line ends and tabs stay.
[[nodiscard]] std::string terminal_text(std::string_view text);

/// A name, or another text that somebody else has chosen, as a part of one line: line ends and tabs
/// too become "\x0a" and "\x09", so that it cannot pass for lines of the program's own.
[[nodiscard]] std::string one_line(std::string_view text);

/// One line with what a file or a user has said, for a message that quotes it: characters that
/// nobody sees become escapes too, such as a byte order mark, and a long text loses its middle.
/// What remains has about `most` bytes.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t most = 1000);

/// A text quoted, where needed, as one word of a shell command that a user may copy.
[[nodiscard]] std::string shell_word(std::string_view text);

/// Why a text cannot be the name of a scenario; empty if it can. Such a name becomes the name of a
/// folder, and appears in pages, drawings and messages.
[[nodiscard]] std::string fault_of_name(std::string_view name);

}  // namespace annelid
