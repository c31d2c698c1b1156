#include "firmware/collectives/trees/halving.hpp"

namespace annelid::firmware {

bool Halving::next(std::uint32_t own, Message& message, Longer longer) {
  while (length > 1) {
    ++step;
    const std::uint32_t lower = (length + longer) / 2, upper = length - lower;
    const std::uint32_t first_upper = first + lower, from = holder;
    const std::uint32_t to = from < first_upper ? first_upper : first_upper - 1;
    const bool in_lower = own < first_upper;
    if (in_lower != (from < first_upper)) holder = to;  // of the half that holds this place
    if (!in_lower) first = first_upper;
    length = in_lower ? lower : upper;
    if (own != from && own != to) continue;
    message = {from, to, in_lower ? upper : lower};
    return true;
  }
  return false;
}

}  // namespace annelid::firmware
