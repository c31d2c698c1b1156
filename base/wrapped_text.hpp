// Breaks long lines of text, for a terminal or for a document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace annelid {

/// Returns the text, broken at spaces into lines of at most `width` bytes. A word that is longer
/// has a line of its own. Lines that begin with a space, such as examples, stay as they are.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width);

/// Returns Markdown with its paragraphs and list items broken like this. Tables, headings, pictures
/// and indented lines stay as they are. No line breaks within `code`, and no line begins with
/// something that would turn it into an item of a list or a heading.
[[nodiscard]] std::string wrapped_markdown(std::string_view text, std::size_t width);

}  // namespace annelid
