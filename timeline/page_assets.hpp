// The files of timeline/page/, embedded when the program was built.
#pragma once

#include <string_view>

namespace annelid::timeline {

[[nodiscard]] std::string_view page_html();
[[nodiscard]] std::string_view page_css();
/// All scripts, concatenated.
[[nodiscard]] std::string_view page_script();

}  // namespace annelid::timeline
