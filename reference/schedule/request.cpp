#include "reference/schedule/request.hpp"

#include <array>

namespace annelid::reference {
namespace {

constexpr std::array<std::string_view, kOperations> kOperationNames = {
    "broadcast",  "reduce",         "gather",    "scatter",    "all-gather",
    "all-reduce", "barrier",        "transpose", "all-to-all", "scan",
    "exscan",     "reduce-scatter", "shift",     "sync-in",    "sync-out"};

}  // namespace

std::string_view name_of(Operation operation) {
  return kOperationNames[static_cast<std::size_t>(operation)];
}

}  // namespace annelid::reference
