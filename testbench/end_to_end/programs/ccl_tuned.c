// Operations of ccl.h by algorithms that the program chooses: for a call, for a group and for all,
// made at once and prepared, on all nodes or on a group that partition() makes of them. Each node
// computes what it must get, and exits with another status than 0 if it gets something else. Also
// what is refused.
#include <ccl.h>
#include <stdio.h>
#include <stdlib.h>

NIC_USES(BROADCAST, BINOMIAL)
NIC_USES(BROADCAST, LINEAR_PIPELINE)
NIC_USES(BROADCAST, INTERCOM)
NIC_USES(BROADCAST, EDST)
NIC_USES(BROADCAST, EDN)
NIC_USES(REDUCE, BINARY_TREE)
NIC_USES(ALL_REDUCE, LEADERS)
NIC_USES(SCAN, LEADERS)
NIC_USES(SCATTER, RADIX)
NIC_USES(GATHER, RADIX)
NIC_USES(ALL_GATHER, INTERCOM)
NIC_USES(ALL_GATHER, RING)
NIC_USES(ALL_TO_ALL, RADIX)
NIC_USES(ALL_TO_ALL, DIRECT)
NIC_USES(SHIFT, EVEN_ODD)
NIC_USES(BROADCAST, AUTO)

enum { kMostNodes = 64, kCount = 6, kBytes = kCount * sizeof(unsigned) };

NIC_MEMORY static unsigned block[kCount], result[kCount];
NIC_MEMORY static unsigned blocks[kMostNodes * kCount], results[kMostNodes * kCount];

static pgid G;
static unsigned size, rank;

static void require(int held, const char* what) {
  if (held) return;
  printf("%s (rank %u of %u)\n", what, rank, size);
  exit(1);
}

static unsigned element(unsigned from, unsigned to, unsigned i) {
  return 10007 * from + 101 * to + i + 1;
}
static unsigned sum_to(unsigned end, unsigned i) {
  unsigned sum = 0;
  for (unsigned r = 0; r < end; ++r) sum += element(r, 0, i);
  return sum;
}

static void fill(void) {
  for (unsigned i = 0; i < kCount; ++i) {
    block[i] = element(rank, 0, i);
    result[i] = 0;
    for (unsigned to = 0; to < size; ++to) {
      blocks[to * kCount + i] = element(rank, to, i);
      results[to * kCount + i] = 0;
    }
  }
}

/* Makes an operation: at once, with the choice for the next call; or prepared. */
static int bcast_it(unsigned root, struct ccl_request* r) {
  return r == NULL ? bcast(G, getpid(G, root), block, kBytes)
                   : ccl_bcast_init(G, getpid(G, root), block, kBytes, 1, r);
}
static int reduce_it(unsigned root, struct ccl_request* r) {
  unsigned* to = rank == root ? result : NULL;
  return r == NULL ? reduce(G, getpid(G, root), &sum_uint32, block, to, kCount)
                   : ccl_reduce_init(G, getpid(G, root), &sum_uint32, block, to, kCount, 1, r);
}
static int combine_it(unsigned root, struct ccl_request* r) {
  (void)root;
  return r == NULL ? combine(G, &sum_uint32, block, result, kCount)
                   : ccl_combine_init(G, &sum_uint32, block, result, kCount, 1, r);
}
static int prefix_it(unsigned root, struct ccl_request* r) {
  (void)root;
  return r == NULL ? prefix(G, &sum_uint32, block, result, kCount)
                   : ccl_prefix_init(G, &sum_uint32, block, result, kCount, 1, r);
}
static int scatter_it(unsigned root, struct ccl_request* r) {
  const unsigned* from = rank == root ? blocks : NULL;
  return r == NULL ? scatter(G, getpid(G, root), from, result, kBytes)
                   : ccl_scatter_init(G, getpid(G, root), from, result, kBytes, 1, r);
}
static int gather_it(unsigned root, struct ccl_request* r) {
  unsigned* to = rank == root ? results : NULL;
  return r == NULL ? gather(G, getpid(G, root), block, to, kBytes)
                   : ccl_gather_init(G, getpid(G, root), block, to, kBytes, 1, r);
}
static int concat_it(unsigned root, struct ccl_request* r) {
  (void)root;
  return r == NULL ? concat(G, block, results, kBytes)
                   : ccl_concat_init(G, block, results, kBytes, 1, r);
}
static int index_it(unsigned root, struct ccl_request* r) {
  (void)root;
  return r == NULL ? index(G, blocks, results, kBytes)
                   : ccl_index_init(G, blocks, results, kBytes, 1, r);
}
static int shift_it(unsigned root, struct ccl_request* r) {
  (void)root;
  return r == NULL ? shift(G, 1, 1, block, result, kBytes)
                   : ccl_shift_init(G, 1, 1, block, result, kBytes, 1, r);
}

static void expect(unsigned operation, unsigned root) {
  for (unsigned i = 0; i < kCount; ++i) {
    if (operation == CCL_BCAST) require(block[i] == element(root, 0, i), "bcast");
    if (operation == CCL_REDUCE && rank == root) require(result[i] == sum_to(size, i), "reduce");
    if (operation == CCL_COMBINE) require(result[i] == sum_to(size, i), "combine");
    if (operation == CCL_PREFIX) require(result[i] == sum_to(rank + 1, i), "prefix");
    if (operation == CCL_SCATTER) require(result[i] == element(root, rank, i), "scatter");
    if (operation == CCL_SHIFT)
      require(result[i] == element((rank + size - 1) % size, 0, i), "shift");
    for (unsigned r = 0; r < size; ++r) {
      const unsigned found = results[r * kCount + i];
      if (operation == CCL_GATHER && rank == root) require(found == element(r, 0, i), "gather");
      if (operation == CCL_CONCAT) require(found == element(r, 0, i), "concat");
      if (operation == CCL_INDEX) require(found == element(r, rank, i), "index");
    }
  }
}

typedef int (*operation_of)(unsigned root, struct ccl_request* r);

/* By a choice for the call, for the group, and for all; then prepared with it. */
static void each_way(unsigned operation, operation_of it, struct nic_choice choice) {
  const unsigned root = size - 1;
  struct ccl_request request;
  for (unsigned way = 0; way < 4; ++way) {
    fill();
    if (way == 0 || way == 3) nic_tune_next(&choice);
    if (way == 1) require(ccl_tune(G, operation, &choice) == 0, "is chosen for the group");
    if (way == 2) require(nic_tune(operation, &choice) == 0, "is chosen for all");
    if (way < 3) {
      require(it(root, NULL) == 0, "is made");
    } else {
      require(it(root, &request) == 0, "is prepared");
      require(ccl_start(&request) == 0 && ccl_wait(&request) == 0, "is started");
      require(ccl_request_free(&request) == 0, "is freed");
    }
    expect(operation, root);
    require(ccl_tune(G, operation, NULL) == 0 && nic_tune(operation, NULL) == 0, "is taken back");
  }
}

/* What stands first: the call's, then the group's, then the program's. Each is told from the others
   by a choice that no call can be made with. */
static void order(void) {
  const struct nic_choice good = nic_by(NIC_BY_BINOMIAL);
  const struct nic_choice bad = nic_by_packets(NIC_BY_LINEAR_PIPELINE, 1u << 20);
  fill();
  require(nic_tune(CCL_BCAST, &bad) == 0 && bcast_it(0, NULL) == NIC_BAD_ARGUMENT, "for all");
  require(ccl_tune(G, CCL_BCAST, &good) == 0 && bcast_it(0, NULL) == 0, "for the group");
  nic_tune_next(&bad);
  require(bcast_it(0, NULL) == NIC_BAD_ARGUMENT && bcast_it(0, NULL) == 0, "for a call");
  require(nic_tune(CCL_BCAST, NULL) == 0 && ccl_tune(G, CCL_BCAST, &bad) == 0, "another");
  nic_tune_next(&good);
  require(bcast_it(0, NULL) == 0 && bcast_it(0, NULL) == NIC_BAD_ARGUMENT, "for one call alone");
  require(ccl_tune(G, CCL_BCAST, NULL) == 0 && bcast_it(0, NULL) == 0, "none");
}

static void refused(void) {
  const struct nic_choice unknown = nic_by(NIC_BY_FIBONACCI_TREE), radix = nic_by_radix(1);
  const struct nic_choice parameters = nic_by_packets(NIC_BY_NONE, 3);
  const struct nic_choice costs = nic_by_costs(10, 1000, 0);
  fill();
  require(nic_tune(CCL_BCAST, &unknown) == NIC_UNKNOWN_ALGORITHM, "is not named");
  require(nic_tune(NIC_SEND, &unknown) == NIC_UNKNOWN_OPERATION, "is no operation of all");
  require(ccl_tune(NO_GROUP, CCL_BCAST, &costs) == NIC_NO_SUCH_GROUP, "no group");
  nic_tune_next(&unknown);
  require(bcast_it(0, NULL) == NIC_UNKNOWN_ALGORITHM, "is not named, at the call");
  nic_tune_next(&radix);
  require(index_it(0, NULL) == NIC_BAD_ARGUMENT, "no radix");
  nic_tune_next(&parameters);
  require(index_it(0, NULL) == NIC_BAD_ARGUMENT, "parameters of nothing");
  nic_tune_next(&costs);
  require(sync(G) == NIC_UNKNOWN_ALGORITHM, "has no trade-off");
  if (G != ALL) {
    const struct nic_choice edn = nic_by(NIC_BY_EDN);
    nic_tune_next(&edn);
    require(bcast_it(0, NULL) == NIC_DOES_NOT_FIT, "needs coordinates");
  }
}

int main(int argc, char** argv) {
  const unsigned parts = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  G = parts > 1 ? partition(ALL, mypid % parts, -(int)mypid) : ALL;
  size = getsize(G);
  rank = (unsigned)getrank(G, mypid);
  void* before = nic_alloc(0);
  const unsigned line[] = {size};
  each_way(CCL_BCAST, bcast_it, nic_by_packets(NIC_BY_LINEAR_PIPELINE, 3));
  each_way(CCL_BCAST, bcast_it, nic_by_hybrid(1, line, 1, 0));
  each_way(CCL_BCAST, bcast_it, nic_by(NIC_BY_AUTO));
  each_way(CCL_BCAST, bcast_it, nic_by_costs(1, 1024, 0));
  each_way(CCL_BCAST, bcast_it, nic_by_costs(100000, 1, 0));
  each_way(CCL_REDUCE, reduce_it, nic_by_packets(NIC_BY_BINARY_TREE, 2));
  for (unsigned k = 0; k < 4; ++k) each_way(CCL_COMBINE, combine_it, nic_by_leaders(k));
  each_way(CCL_COMBINE, combine_it, nic_by_costs(100, 1000, 1000));
  each_way(CCL_PREFIX, prefix_it, nic_by_leaders(1));
  for (unsigned radix = 2; radix < 5; ++radix) {
    each_way(CCL_SCATTER, scatter_it, nic_by_radix(radix));
    each_way(CCL_GATHER, gather_it, nic_by_radix(radix));
    each_way(CCL_INDEX, index_it, nic_by_radix(radix));
  }
  each_way(CCL_INDEX, index_it, nic_by_radices(3, 2, 0, 0));
  each_way(CCL_INDEX, index_it, nic_by(NIC_BY_DIRECT));
  each_way(CCL_INDEX, index_it, nic_by_costs(1000, 100, 0));
  each_way(CCL_CONCAT, concat_it, nic_by(NIC_BY_RING));
  each_way(CCL_CONCAT, concat_it, nic_by_hybrid(1, line, 1, 0));
  each_way(CCL_SHIFT, shift_it, nic_by(NIC_BY_EVEN_ODD));
  order();
  refused();
  require(nic_alloc(0) == before, "memory is given back");
  return 0;
}
