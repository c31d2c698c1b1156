#include "studies/tune/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/input_error.hpp"
#include "simulation/scenario/hybrid_keys.hpp"
#include "studies/tune/grid_keys.hpp"

namespace annelid::studies {
namespace {

constexpr const char* kFirmwareKey = "firmware";

}  // namespace

CallKind kind_of(const simulation::Settings& s) {
  if (s.boolean(kPreparedKey, false)) return CallKind::kPrepared;
  return simulation::is_native(s) ? CallKind::kNative : CallKind::kFirst;
}

simulation::Settings as_kind(const simulation::Settings& settings, CallKind kind) {
  using simulation::Value;
  simulation::Settings s = settings;
  const CallKind named = kind_of(settings);
  const std::string where = s.origin(kind == named ? kPreparedKey : kColumnsKey);
  const bool is_native = simulation::is_native(s);
  if (kind != named && is_native != (kind == CallKind::kNative)) {
    s.set(kFirmwareKey, Value::of_text(is_native ? "rv32" : "native"), where);
  }
  if (kind == CallKind::kPrepared) {
    Value yes = Value::of_boolean(true);
    if (kind != named) yes.shown = name_of(kind);
    s.set(kPreparedKey, yes, where);
    s.set(kRepeatKey, Value::of_integer(kMeasuredStarts), where);
  } else {
    s.unset(kPreparedKey);
    s.unset(kRepeatKey);
  }
  return s;
}

std::vector<CallKind> read_columns(const simulation::Settings& s) {
  std::vector<CallKind> columns;
  for (const std::string& name : s.texts(kColumnsKey)) {
    const auto found = std::ranges::find(kCallKindNames, name);
    if (found == kCallKindNames.end()) s.refuse(kColumnsKey, s.find_key(kColumnsKey)->shape);
    columns.push_back(static_cast<CallKind>(found - kCallKindNames.begin()));
  }
  const std::string firmware = s.text(kFirmwareKey, "rv32");
  const bool is_own = firmware != "rv32" && firmware != "native";
  if (is_own && std::ranges::find(columns, CallKind::kNative) != columns.end()) {
    throw InputError(s.origin(kColumnsKey), "native beside " + s.origin(kFirmwareKey),
                     "first or prepared: native firmware is another program than this one");
  }
  return columns;
}

}  // namespace annelid::studies
