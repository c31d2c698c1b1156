#include "firmware/kit/auto.hpp"

#include "firmware/collectives/tuned_choice.hpp"

namespace annelid::firmware::kit {

CallResult serve_auto(const AutoTables& tables, Context& me, std::optional<Task>& task) {
  return serve_by_tables(tables, me, task);
}

}  // namespace annelid::firmware::kit
