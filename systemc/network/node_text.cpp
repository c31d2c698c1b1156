#include "systemc/network/node_text.hpp"

namespace annelid::systemc {

std::string node_text(Address address, int dims, char between) {
  std::string text = std::to_string(address.x);
  if (dims > 1) text += between + std::to_string(address.y);
  if (dims > 2) text += between + std::to_string(address.z);
  return text;
}

}  // namespace annelid::systemc
