// Which operations of ccl.h are barriers. Each of them is called as often as there are members,
// each time with another member that comes late. It is a barrier if nobody ever returns before the
// late one has called. The first member prints what it has found, a line for each operation.
#include <ccl.h>
#include <nic.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLate = 20000, kMostNodes = 64, kWords = 3 };

NIC_MEMORY static unsigned source[kMostNodes * kWords], target[kMostNodes * kWords];
static unsigned size, rank;

static int do_bcast(size_t bytes) { return bcast(ALL, 1 % size, target, bytes); }
static int do_scatter(size_t bytes) { return scatter(ALL, 1 % size, source, target, bytes); }
static int do_reduce(size_t bytes) {
  return reduce(ALL, 1 % size, &sum_uint32, source, target, (unsigned)bytes / 4);
}
static int do_gather(size_t bytes) { return gather(ALL, 1 % size, source, target, bytes); }
static int do_prefix(size_t bytes) {
  return prefix(ALL, &sum_uint32, source, target, (unsigned)bytes / 4);
}
static int do_shift(size_t bytes) { return shift(ALL, 1, 0, source, target, bytes); }
static int do_combine(size_t bytes) {
  return combine(ALL, &sum_uint32, source, target, (unsigned)bytes / 4);
}
static int do_concat(size_t bytes) { return concat(ALL, source, target, bytes); }
static int do_index(size_t bytes) { return index(ALL, source, target, bytes); }
static int do_sync(size_t bytes) { return bytes == 0 ? sync(ALL) : sync(ALL); }
static int do_partition(size_t bytes) {
  return freegroup(partition(ALL, bytes == 0 ? 0 : rank % 2, 0));
}

static const struct {
  const char* name;
  int (*call)(size_t bytes);
} kOperations[] = {{"bcast", do_bcast},     {"scatter", do_scatter},    {"reduce", do_reduce},
                   {"gather", do_gather},   {"prefix", do_prefix},      {"shift", do_shift},
                   {"combine", do_combine}, {"concat", do_concat},      {"index", do_index},
                   {"sync", do_sync},       {"partition", do_partition}};

/* The extreme of all members' values. The operations before and behind it must not meet. */
static unsigned of_all(const struct ccl_function* f, unsigned value) {
  unsigned result = 0;
  if (combine(ALL, f, &value, &result, 1) != 0) exit(2);
  return result;
}

int main(int argc, char** argv) {
  const size_t bytes = argc > 1 ? (size_t)atoi(argv[1]) : kWords * sizeof(unsigned);
  size = getsize(ALL);
  rank = (unsigned)getrank(ALL, mypid);
  for (unsigned i = 0; i < sizeof kOperations / sizeof kOperations[0]; ++i) {
    int barrier = 1;
    for (unsigned late = 0; late < size; ++late) {
      sync(ALL);
      const unsigned begin = (unsigned)nic_cycle();
      while (rank == late && (unsigned)nic_cycle() - begin < kLate) {
      }
      const unsigned called = (unsigned)nic_cycle();
      if (kOperations[i].call(bytes) != 0) return 1;
      const unsigned returned = (unsigned)nic_cycle();
      if (of_all(&min_uint32, returned) < of_all(&max_uint32, called)) barrier = 0;
    }
    if (rank == 0) printf("%s: %s\n", kOperations[i].name, barrier ? "barrier" : "no barrier");
  }
  return 0;
}
