// Finds the schedule of "edn" for a network, among all families of meshes and tori that have an EDN
// broadcast.
#pragma once

#include <span>
#include <string_view>

#include "reference/schedule/request.hpp"

namespace annelid::reference {

/// A family of networks. To add one, add a line to the table in edn_families.cpp.
struct EdnFamily {
  std::string_view sizes;  ///< in words
  bool (*supports)(const Network&);
  Schedule (*broadcast)(const Request&);
  bool contention_free;  ///< no stepwise contention on any of its networks
};

std::span<const EdnFamily> edn_families();

/// Returns the family of a network, or nullptr if there is none.
const EdnFamily* edn_family_of(const Network& net);

bool any_edn_supports(const Network& net);
bool any_edn_is_contention_free(const Network& net);

/// Throws std::invalid_argument if no family supports the network.
Schedule any_edn_broadcast(const Request& request);

}  // namespace annelid::reference
