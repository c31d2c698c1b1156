// A first program for the nodes. Each node says where it is, and the largest node number goes to
// all.
#include <intercom.h>
#include <nic.h>
#include <stdio.h>

int main(int argc, char** argv) {
  const struct nic_position at = nic_position_of(nic_node());
  const unsigned mine = nic_node();
  unsigned largest = 0;
  nic_combine_to_all(&mine, &largest, 1, NIC_UINT32, NIC_MAX, NULL, 0);
  printf("%s from %u,%u; the last node is %u\n", argc > 1 ? argv[1] : "hello", at.x, at.y, largest);
  return 0;
}
