// Examples 1 and 2 of CCL (Bala and others 1995, Section 2), for 7 processes:
//
//   annelid firmware build groups.c
//   annelid firmware run groups.elf --size 7x1
#include <ccl.h>
#include <nic.h>
#include <stdio.h>

enum { EVEN, ODD, COLD, HOT };
enum { BOILING = 100 };

static int pid_is_even(void) { return mypid % 2 == 0; }

/* Some local value: hot at every third process. */
static int measured_temperature(void) {
  return mypid % 3 == 0 ? 150 - (int)mypid : 20 + (int)mypid;
}

static void print(const char* name, pgid G) {
  unsigned members[7];
  getmembers(G, members);
  char text[64] = "";
  int length = 0;
  for (unsigned rank = 0; rank < getsize(G); ++rank) {
    length += snprintf(text + length, sizeof text - (unsigned)length, " %u", members[rank]);
  }
  printf("%s: rank %d of%s\n", name, getrank(G, mypid), text);
}

int main(void) {
  pgid G;
  int label, temperature, myval, key;
  if (nic_nodes() != 7) return 2;

  /* EXAMPLE 1 */
  if (pid_is_even()) {
    label = EVEN;
    G = group(4, (unsigned[]){0, 2, 4, 6}, label);
  } else {
    label = ODD;
    G = group(3, (unsigned[]){1, 3, 5}, label);
  }

  if (getlabel(G) == EVEN) {
    print("even", G);
  } else {
    print("odd", G);
  }

  /* The same by partition(): ties of the keys are broken by the ranks in ALL. */
  key = 0;
  pgid same = partition(ALL, !pid_is_even(), key);
  for (unsigned rank = 0; rank < getsize(G); ++rank) {
    if (getsize(same) != getsize(G) || getpid(same, rank) != getpid(G, rank)) return 1;
  }
  if (same == G || same == ALL) return 1; /* identifiers are unique */

  /* EXAMPLE 2 */
  temperature = measured_temperature();
  if (temperature < BOILING)
    myval = COLD;
  else
    myval = HOT;
  key = temperature;
  G = partition(ALL, myval, key);

  if (getlabel(G) == COLD) {
    print("cold", G);
  } else {
    print("hot", G);
  }

  /* All members of a group have its identifier from each other, and its temperatures add up. */
  int sum = 0;
  pgid first = G;
  if (bcast(G, getpid(G, 0), &first, sizeof first) != 0 || first != G) return 1;
  if (combine(G, &sum_int32, &temperature, &sum, 1) != 0) return 1;
  if (getrank(G, mypid) == 0) printf("%u degrees in all\n", (unsigned)sum);
  return 0;
}
