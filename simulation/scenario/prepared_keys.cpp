#include "simulation/scenario/prepared_keys.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/input_error.hpp"

namespace annelid::simulation {
namespace {

constexpr const char* kPrepared = "collective.prepared";
constexpr const char* kRepeat = "collective.repeat";
constexpr const char* kPlanBytes = "collective.plan_bytes";

constexpr std::int64_t kStep = reg::kListDescriptorBytes;

}  // namespace

std::array<Key, 3> prepared_keys() {
  using Kind = Key::Kind;
  return {
      Key{kPrepared, Kind::kBoolean, "true or false", "--prepared", nullptr,
          "true prepares the call once at each node, and then starts it by its handle: the NICs "
          "play it without an instruction of their cores (docs/how-to/prepared-calls.md).",
          "false"},
      Key{kRepeat, Kind::kInteger, "an integer", "--repeat", "N",
          "Makes the call N times, each with other data. Each time begins when the time before has "
          "ended everywhere. With several calls, all of them are made N times.",
          "1"},
      Key{kPlanBytes, Kind::kBytes, "bytes as 4096, \"4k\" or \"1M\"", "--plan-bytes", "N",
          "Room at each node for the list of a prepared call, 32 bytes for each transfer.",
          "the longest list, 2097088"}};
}

void read_prepared(const Settings& s, Collective& c) {
  c.prepared = s.boolean(kPrepared, false);
  const auto most = static_cast<std::int64_t>(kLongestList);
  c.plan_bytes = static_cast<std::uint64_t>(s.integer(kPlanBytes, most, kStep, most));
  if (!c.prepared) {
    s.refuse_idle(kPlanBytes, kPrepared, "a room for no list", "--prepared with it");
    return;
  }
  if (c.in_develop_mode || c.in_barrier_mode) {
    s.refuse(kPrepared, "a call without modes: --mode non-barrier and --develop false");
  }
  if (c.by_core) {
    s.refuse(kPrepared, "--triggers true: the NICs play a prepared call in any case");
  }
  if (c.reduces() && !commutes(c.op)) {
    s.refuse(kPrepared, fmt::format("an operator of the NICs, which the cores need not combine by: "
                                    "not \"{}\"",
                                    name_of(c.op)));
  }
}

int read_repeat(const Settings& s) {
  for (std::size_t i = 0; i < s.calls(); ++i) {
    const Settings table = s.with_call(i);
    if (!table.has(kRepeat) || (s.has(kRepeat) && table.origin(kRepeat) == s.origin(kRepeat))) {
      continue;
    }
    table.refuse(kRepeat, "repeat in [collective]: all calls are made as often");
  }
  return static_cast<int>(s.integer(kRepeat, 1, 1, kMostStarts));
}

std::string prepared_options(const Collective& c) {
  if (!c.prepared) return "";
  if (c.plan_bytes == kLongestList) return " --prepared";
  return fmt::format(" --prepared --plan-bytes {}", c.plan_bytes);
}

void add_prepared_json(const Collective& c, nlohmann::ordered_json& json) {
  if (!c.prepared) return;
  json["prepared"] = true;
  json["plan_bytes"] = c.plan_bytes;
}

}  // namespace annelid::simulation
