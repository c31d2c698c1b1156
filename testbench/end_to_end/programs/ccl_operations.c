// All operations of ccl.h on groups that partition() makes of all nodes: value and key come from
// the arguments. Each node computes what it must get, and exits with another status than 0 if it
// gets something else. The function that does not commute joins affine maps.
#include <ccl.h>
#include <nic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostNodes = 64, kCount = 5 };

struct map { /* x -> a x + b */
  unsigned a, b;
};

/* First left, then right. */
static void compose(void* result, const void* left, const void* right, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const struct map l = ((const struct map*)left)[i], r = ((const struct map*)right)[i];
    const struct map both = {r.a * l.a, r.a * l.b + r.b};
    ((struct map*)result)[i] = both;
  }
}
static const struct ccl_function kCompose = {.bytes = sizeof(struct map), .apply = compose};

static pgid G;
static unsigned size, rank, members[kMostNodes];

static void require(int held, const char* what) {
  if (held) return;
  printf("%s (rank %u of %u)\n", what, rank, size);
  exit(1);
}

static unsigned element(unsigned from, unsigned to, unsigned i) {
  return 10007 * from + 101 * to + i + 1;
}
static struct map map_of(unsigned r, unsigned i) { return (struct map){2 * r + 3, 7 * r + i}; }

/* The maps of the ranks first .. last, joined in this order. */
static struct map maps_up_to(unsigned last, unsigned i) {
  struct map all = map_of(0, i);
  for (unsigned r = 1; r <= last; ++r) {
    const struct map one = map_of(r, i);
    compose(&all, &all, &one, 1);
  }
  return all;
}
static void require_maps(const struct map* found, unsigned last, const char* what) {
  for (unsigned i = 0; i < kCount; ++i) {
    const struct map expected = maps_up_to(last, i);
    require(memcmp(&found[i], &expected, sizeof expected) == 0, what);
  }
}

static void test_moves(unsigned root) {
  NIC_MEMORY static unsigned source[kMostNodes * kCount], target[kMostNodes * kCount];
  const unsigned root_pid = getpid(G, root);
  const size_t bytes = kCount * sizeof(unsigned);
  for (unsigned to = 0; to < size; ++to) {
    for (unsigned i = 0; i < kCount; ++i) source[to * kCount + i] = element(rank, to, i);
  }
  require(scatter(G, root_pid, rank == root ? source : NULL, target, bytes) == 0, "scatter fails");
  for (unsigned i = 0; i < kCount; ++i) require(target[i] == element(root, rank, i), "scatter");
  require(index(G, source, target, bytes) == 0, "index fails");
  for (unsigned from = 0; from < size; ++from) {
    for (unsigned i = 0; i < kCount; ++i)
      require(target[from * kCount + i] == element(from, rank, i), "index");
  }
  require(concat(G, source, target, bytes) == 0, "concat fails");
  for (unsigned from = 0; from < size; ++from) {
    for (unsigned i = 0; i < kCount; ++i)
      require(target[from * kCount + i] == element(from, 0, i), "concat");
  }
  memset(target, 0, sizeof target);
  require(gather(G, root_pid, source, rank == root ? target : NULL, bytes) == 0, "gather fails");
  for (unsigned from = 0; rank == root && from < size; ++from) {
    for (unsigned i = 0; i < kCount; ++i)
      require(target[from * kCount + i] == element(from, 0, i), "gather");
  }
  memcpy(target, source, bytes);
  require(bcast(G, root_pid, target, bytes) == 0, "bcast fails");
  for (unsigned i = 0; i < kCount; ++i) require(target[i] == element(root, 0, i), "bcast");

  const int n = (int)size;
  const int all_steps[] = {INT32_MIN, -3 * n - 2, -2, -1, 0, 1, 2, n, n + 1, INT32_MAX};
  for (unsigned s = 0; s < sizeof all_steps / sizeof *all_steps; ++s) {
    const int steps = all_steps[s];
    for (int cyclic = 0; cyclic <= 1; ++cyclic) {
      for (unsigned i = 0; i < kCount; ++i) target[i] = 0;
      require(shift(G, steps, cyclic, source, target, bytes) == 0, "shift fails");
      long long from = (long long)rank - steps;
      if (cyclic) from = (from % n + n) % n;
      const int comes = from >= 0 && from < n;
      for (unsigned i = 0; i < kCount; ++i) {
        require(target[i] == (comes ? element((unsigned)from, 0, i) : 0), "shift");
      }
    }
  }
}

static void test_functions(unsigned root) {
  const unsigned root_pid = getpid(G, root);
  int mine[kCount], result[kCount], sum = 0;
  for (int i = 0; i < kCount; ++i) mine[i] = (int)rank * (i - 2);
  for (unsigned r = 0; r < size; ++r) sum += (int)r;
  require(combine(G, &sum_int32, mine, result, kCount) == 0, "combine fails");
  for (int i = 0; i < kCount; ++i) require(result[i] == sum * (i - 2), "combine");
  require(reduce(G, root_pid, &min_int32, mine, rank == root ? result : NULL, kCount) == 0,
          "reduce fails");
  for (int i = 0; rank == root && i < kCount; ++i) {
    require(result[i] == (i < 2 ? (int)(size - 1) * (i - 2) : 0), "reduce");
  }
  require(prefix(G, &sum_int32, mine, result, kCount) == 0, "prefix fails");
  for (int i = 0; i < kCount; ++i)
    require(result[i] == (int)(rank * (rank + 1) / 2) * (i - 2), "prefix");

  struct map maps[kCount], joined[kCount];
  for (unsigned i = 0; i < kCount; ++i) maps[i] = map_of(rank, i);
  require(combine(G, &kCompose, maps, joined, kCount) == 0, "combine by a function fails");
  require_maps(joined, size - 1, "combine by a function");
  memset(joined, 0, sizeof joined);
  require(reduce(G, root_pid, &kCompose, maps, rank == root ? joined : NULL, kCount) == 0,
          "reduce by a function fails");
  if (rank == root) require_maps(joined, size - 1, "reduce by a function");
  require(prefix(G, &kCompose, maps, joined, kCount) == 0, "prefix by a function fails");
  require_maps(joined, rank, "prefix by a function");
}

int main(int argc, char** argv) {
  const unsigned groups = argc > 1 ? (unsigned)atoi(argv[1]) : 1,
                 factor = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
  /* The order of the ranks is not that of the PIDs. */
  G = partition(ALL, mypid % groups, (int)(mypid * factor % 13));
  require(G != NO_GROUP && G != ALL, "partition");
  size = getsize(G);
  rank = (unsigned)getrank(G, mypid);
  getmembers(G, members);
  require(members[rank] == mypid && getlabel(G) == mypid % groups, "members");
  for (unsigned r = 1; r < size; ++r) {
    const unsigned before = members[r - 1] * factor % 13, here = members[r] * factor % 13;
    require(before < here || (before == here && members[r - 1] < members[r]), "order of ranks");
    require(members[r] % groups == mypid % groups && getrank(G, members[r]) == (int)r, "getrank");
  }
  void* before = nic_alloc(0);
  for (unsigned root = 0; root < size; root = 2 * root + 1) {
    test_moves(root);
    test_functions(root);
    require(sync(G) == 0, "sync");
  }
  require(nic_alloc(0) == before, "memory was not given back");

  /* A group by its list, backwards; and messages. */
  unsigned list[kMostNodes];
  for (unsigned r = 0; r < size; ++r) list[r] = members[size - 1 - r];
  const pgid backwards = group(size, list, 7);
  require(backwards != G && getrank(backwards, mypid) == (int)(size - 1 - rank) &&
              getlabel(backwards) == 7,
          "group");
  unsigned out = mypid, in = 0;
  const unsigned next = getpid(G, (rank + 1) % size),
                 previous = getpid(G, (rank + size - 1) % size);
  require(send_receive(next, &out, previous, &in, sizeof in, 3) == 0 && in == previous,
          "send_receive");
  if (rank % 2 == 0 && rank + 1 < size) {
    require(
        send(next, &out, sizeof out, 4) == 0 && receive(next, &in, sizeof in, 5) == 0 && in == next,
        "send, receive");
  } else if (rank % 2 == 1) {
    require(receive(previous, &in, sizeof in, 4) == 0 && in == previous &&
                send(previous, &out, sizeof out, 5) == 0,
            "receive, send");
  }

  /* What is refused. */
  require(freegroup(backwards) == 0 && getsize(backwards) == 0, "freegroup");
  require(sync(backwards) == NIC_NO_SUCH_GROUP && freegroup(ALL) == NIC_NO_SUCH_GROUP,
          "no such group");
  require(bcast(G, nic_nodes(), &out, sizeof out) == NIC_BAD_ARGUMENT, "a root that is no process");
  const unsigned other = (mypid + 1) % nic_nodes();
  require(other == mypid || group(1, &other, 0) == NO_GROUP, "no member");
  return 0;
}
