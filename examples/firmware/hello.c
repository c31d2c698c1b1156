// A first program for the nodes of a network. Each node greets its right neighbour in its row, the
// last one the first, with a message of 8 bytes, and expects the greeting of its left one. It
// returns 0 if that is right. Registers and node memory are those of docs/internals/nic/index.md.
#include <stdint.h>

#define REGISTER(offset) (*(volatile uint32_t*)(0x40000000u + (offset)))
#define MEMORY ((volatile uint32_t*)0x80000000u)

enum {
  NODE = 0x004,
  SIZE_X = 0x008,
  SEND_DESTINATION = 0x080,
  SEND_OFFSET = 0x084,
  SEND_BYTES = 0x088,
  SEND_TAG = 0x08c,
  SEND_GO = 0x0ac,
  RECV_SOURCE = 0x0c0,
  RECV_OFFSET = 0x0c4,
  RECV_BYTES = 0x0c8,
  RECV_TAG = 0x0cc,
  RECV_GO = 0x0dc,
  COMPLETION = 0x0f0,
};

static const uint32_t kHello = 0x6f6c6548;  // "Helo"

// Sleeps until so many sends and receives are complete.
static void await(int count) {
  while (count > 0) {
    if (REGISTER(COMPLETION) != 0) {
      --count;
    } else {
      __asm__ volatile("wfi");
    }
  }
}

int main(void) {
  const uint32_t node = REGISTER(NODE), x = node & 0xff, row = node - x, size = REGISTER(SIZE_X);
  const uint32_t right = (x + 1) % size, left = (x + size - 1) % size;

  MEMORY[0] = kHello;
  MEMORY[1] = x;
  REGISTER(RECV_SOURCE) = row + left;  // the receive first, so that the message finds it
  REGISTER(RECV_OFFSET) = 64;
  REGISTER(RECV_BYTES) = 8;
  REGISTER(RECV_TAG) = 1;
  REGISTER(RECV_GO) = 1;
  REGISTER(SEND_DESTINATION) = row + right;
  REGISTER(SEND_OFFSET) = 0;
  REGISTER(SEND_BYTES) = 8;
  REGISTER(SEND_TAG) = 1;
  REGISTER(SEND_GO) = 2;
  await(2);
  return MEMORY[16] == kHello && MEMORY[17] == left ? 0 : 1;
}
