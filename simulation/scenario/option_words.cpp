#include "simulation/scenario/option_words.hpp"

#include "base/text.hpp"

namespace annelid::simulation {

std::string option_words(const Key& key, const std::string& text) {
  const std::string option = key.option;
  const bool is_flag = key.metavar == nullptr;
  if (!is_flag) return option + " " + shell_word(text);
  // True may be shown by another word: the value of the key that has set the flag.
  return text == "false" ? option + "=false" : option;
}

}  // namespace annelid::simulation
