// The race of CCL (Bala and others 1995, Section 3.3), which barrier mode prevents. Process a sends to c before a
// broadcast, b sends to c after it, and c receives from anybody before and after it:
//
//   a            b            c
//   bsend(c)                  brecv(*)
//   bcast(G)     bcast(G)     bcast(G)
//                bsend(c)     brecv(*)
//
// b is the source of the broadcast. The argument is for how many cycles a computes before it begins, 20000 if there is none.
//
//   annelid firmware build race.c
//   annelid firmware run race.elf --size 3x1
//   annelid firmware run race.elf --size 3x1 --mode non-barrier
#include <ccl.h>
#include <nic.h>
#include <stdio.h>
#include <stdlib.h>

enum { A, B, C };
enum { TAG_OF_A = 0xa, TAG_OF_B = 0xb };

static void receive_from_anybody(const char* when) {
  unsigned sent;
  struct nic_envelope envelope;
  if (brecv(CCL_ANY, &sent, sizeof sent, CCL_ANY, &envelope) != 0) exit(1);
  if (sent != envelope.from || envelope.bytes != sizeof sent) exit(1);
  if (envelope.tag != (envelope.from == A ? TAG_OF_A : TAG_OF_B)) exit(1);
  printf("received %s the broadcast: from %s the broadcast\n", when,
         envelope.from == A ? "a, which sent it before" : "b, which sent it after");
}

int main(int argc, char** argv) {
  if (nic_nodes() < 3) return 2;
  if (mypid > C) return 0;
  const pgid G = group(3, (unsigned[]){A, B, C}, 0);
  unsigned number = mypid, all = 0;

  if (mypid == A) {
    const unsigned long long end = nic_cycle() + (argc > 1 ? (unsigned)atoi(argv[1]) : 20000);
    while (nic_cycle() < end) {
    }
    if (bsend(C, &number, sizeof number, TAG_OF_A) != 0) return 1;
  }
  if (mypid == C) receive_from_anybody("before");
  if (mypid == B) all = 42;
  if (bcast(G, B, &all, sizeof all) != 0 || all != 42) return 1;
  if (mypid == B && bsend(C, &number, sizeof number, TAG_OF_B) != 0) return 1;
  if (mypid == C) receive_from_anybody("after");
  return 0;
}
