// The catalogue's rows of InterCom: docs/internals/algorithms/intercom.md.
#pragma once

#include <span>

#include "reference/catalogue.hpp"

namespace annelid::reference {

std::span<const Algorithm> intercom_rows();

}  // namespace annelid::reference
