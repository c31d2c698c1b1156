// The files of timeline/page/, as they were when the program was built.
#pragma once

#include <string_view>

namespace annelid::timeline {

[[nodiscard]] std::string_view page_html();
[[nodiscard]] std::string_view page_css();
/// All scripts, one after the other.
[[nodiscard]] std::string_view page_script();

}  // namespace annelid::timeline
