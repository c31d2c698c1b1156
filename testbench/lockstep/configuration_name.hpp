// A router's description in the characters that a test's name may have.
#pragma once

#include <cctype>
#include <string>

#include "systemc/cosim/rtl_model.hpp"

namespace annelid::lockstep {

inline std::string configuration_name(const systemc::RouterConfig& config) {
  std::string name;
  for (const char c : describe(config)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
    if (c == ',') name += '_';
  }
  return name;
}

}  // namespace annelid::lockstep
