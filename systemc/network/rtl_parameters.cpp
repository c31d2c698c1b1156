#include "systemc/network/rtl_parameters.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace annelid::systemc {
namespace {

using Rings = decltype(RouterConfig::torus);

template <typename Value>
int code_of(const Value& value) {
  return static_cast<int>(value);
}
int code_of(const Rings& rings) {
  int code = 0;
  for (std::size_t d = 0; d < rings.size(); ++d) code |= rings[d] ? 1 << d : 0;
  return code;
}

template <typename Value>
void set_code(Value& value, int code) {
  value = static_cast<Value>(code);
}
void set_code(Rings& rings, int code) {
  for (std::size_t d = 0; d < rings.size(); ++d) rings[d] = (code >> d & 1) != 0;
}

bool has_code(const Parameter& parameter, int code) {
  if (parameter.type != Parameter::Type::kChoice) {
    return code >= parameter.low && code <= parameter.high;
  }
  return std::ranges::find(parameter.values, code, &ParameterValue::code) != parameter.values.end();
}

[[noreturn]] void refuse(const std::string& item) {
  throw std::invalid_argument("no parameter of the RTL: " + item);
}

}  // namespace

std::vector<RtlParameter> rtl_parameters(const RouterConfig& config) {
  std::vector<RtlParameter> all;
  for_each_parameter(config, [&](const Parameter& parameter, const auto& value) {
    all.push_back({parameter, code_of(value)});
  });
  return all;
}

RouterConfig router_of_rtl(const std::string& text) {
  RouterConfig config;
  std::istringstream items(text);
  for (std::string item; items >> item;) {
    const std::string name = item.substr(0, item.find('='));
    const char* const last = item.data() + item.size();
    int code = 0;
    const auto [end, error] =
        std::from_chars(std::min<const char*>(item.data() + name.size() + 1, last), last, code);
    if (error != std::errc() || end != last) refuse(item);
    bool known = false;
    for_each_parameter(config, [&](const Parameter& parameter, auto& value) {
      if (parameter.rtl != name || !has_code(parameter, code)) return;
      set_code(value, code);
      known = true;
    });
    if (!known) refuse(item);
  }
  return config;
}

}  // namespace annelid::systemc
