#include "firmware/kit/auto.hpp"

namespace annelid::firmware {
namespace {

/// Those of the operation that is being served. A call is served at once, so one is enough.
const kit::AutoTables* of_call = nullptr;

}  // namespace

// These two take the place of those of collectives/tuned.cpp and table.cpp, which know all tables
// and all collectives.
TunedTables built_in_tables(bool prepared) { return of_call->tables(prepared); }
CallResult serve(Context& me, std::optional<Task>& task) { return kit::serve_used(me, task); }

}  // namespace annelid::firmware

#include "firmware/collectives/tuned_lookup.inc"

namespace annelid::firmware {

namespace kit {

CallResult serve_auto(const AutoTables& tables, Context& me, std::optional<Task>& task) {
  of_call = &tables;
  return serve_tuned(me, task);
}

}  // namespace kit
}  // namespace annelid::firmware
