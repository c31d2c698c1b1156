#include "simulation/scenario/option_words.hpp"

#include "base/text.hpp"

namespace annelid::simulation {

std::string option_words(const Key& key, const std::string& text) {
  const std::string option = key.option;
  const bool is_flag = key.metavar == nullptr;
  if (!is_flag) return option + " " + shell_word(text);
  return text == "true" ? option : option + "=" + text;
}

}  // namespace annelid::simulation
