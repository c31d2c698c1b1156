// Names of parameters in the list of tests.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <string_view>
#include <type_traits>

namespace annelid::test {

/// The text with "_" for each stretch of characters that the name of a test cannot have.
inline std::string as_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  if (name.ends_with('_')) name.pop_back();
  return name.empty() ? "Default" : name;
}

/// The last argument of INSTANTIATE_TEST_SUITE_P: names each parameter as it is printed.
struct ParameterName {
  template <class T>
  std::string operator()(const ::testing::TestParamInfo<T>& info) const {
    if constexpr (std::is_convertible_v<T, std::string_view>) {
      return as_name(info.param);
    } else {
      return as_name(::testing::PrintToString(info.param));
    }
  }
};

}  // namespace annelid::test
