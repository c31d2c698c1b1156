// The cycles of one operation of ccl.h, between buffers in node memory: prepared, and then made at
// once. All nodes begin in one cycle, and the last one ends it. The arguments are the operation, as
// `annelid run` names it, and the bytes of a block, a multiple of 4. Node 0 prints both numbers.
#include <ccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kHeadStart = 30000 }; /* cycles in which all nodes get to their start */

static const char* operation;
static size_t bytes;
static unsigned *source, *target;

static void require(int result, const char* what) {
  if (result == 0) return;
  printf("%s: %s\n", what, nic_result_name(result));
  exit(1);
}

static int is(const char* name) { return strcmp(operation, name) == 0; }

static int init(struct ccl_request* r) {
  const unsigned count = (unsigned)(bytes / sizeof(unsigned));
  if (is("broadcast")) return ccl_bcast_init(ALL, 0, source, bytes, 1, r);
  if (is("reduce")) return ccl_reduce_init(ALL, 0, &sum_uint32, source, target, count, 1, r);
  if (is("all-reduce")) return ccl_combine_init(ALL, &sum_uint32, source, target, count, 1, r);
  if (is("scan")) return ccl_prefix_init(ALL, &sum_uint32, source, target, count, 1, r);
  if (is("scatter")) return ccl_scatter_init(ALL, 0, source, target, bytes, 1, r);
  if (is("gather")) return ccl_gather_init(ALL, 0, source, target, bytes, 1, r);
  if (is("all-gather")) return ccl_concat_init(ALL, source, target, bytes, 1, r);
  if (is("all-to-all")) return ccl_index_init(ALL, source, target, bytes, 1, r);
  if (is("shift")) return ccl_shift_init(ALL, 1, 1, source, target, bytes, 1, r);
  return ccl_sync_init(ALL, 1, r);
}

static int make(void) {
  const unsigned count = (unsigned)(bytes / sizeof(unsigned));
  if (is("broadcast")) return bcast(ALL, 0, source, bytes);
  if (is("reduce")) return reduce(ALL, 0, &sum_uint32, source, target, count);
  if (is("all-reduce")) return combine(ALL, &sum_uint32, source, target, count);
  if (is("scan")) return prefix(ALL, &sum_uint32, source, target, count);
  if (is("scatter")) return scatter(ALL, 0, source, target, bytes);
  if (is("gather")) return gather(ALL, 0, source, target, bytes);
  if (is("all-gather")) return concat(ALL, source, target, bytes);
  if (is("all-to-all")) return index(ALL, source, target, bytes);
  if (is("shift")) return shift(ALL, 1, 1, source, target, bytes);
  return sync(ALL);
}

/* Waits until a cycle that is the same at all nodes. */
static unsigned long long begin_together(void) {
  require(sync(ALL), "sync");
  unsigned long long begin = nic_cycle() + kHeadStart;
  require(bcast(ALL, 0, &begin, sizeof begin), "bcast of the start");
  while (nic_cycle() < begin) {
  }
  return begin;
}
static unsigned last_after(unsigned long long begin) {
  const unsigned own = (unsigned)(nic_cycle() - begin);
  unsigned last = 0;
  require(combine(ALL, &max_uint32, &own, &last, 1), "combine of the ends");
  return last;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  operation = argv[1];
  bytes = (size_t)atoi(argv[2]);
  ccl_modes(CCL_NON_BARRIER);
  const unsigned nodes = nic_nodes();
  const int blocks_out = is("scatter") || is("all-to-all"),
            blocks_in = is("gather") || is("all-gather") || is("all-to-all");
  source = nic_alloc(bytes * (blocks_out ? nodes : 1));
  target = nic_alloc(bytes * (blocks_in ? nodes : 1));

  struct ccl_request request;
  require(init(&request), "init");
  unsigned prepared = 0;
  for (unsigned round = 0; round < 2; ++round) {
    const unsigned long long begin = begin_together();
    require(ccl_start(&request), "start");
    require(ccl_wait(&request), "wait");
    prepared = last_after(begin);
  }
  require(ccl_request_free(&request), "free");

  const unsigned long long begin = begin_together();
  require(make(), "make");
  const unsigned ordinary = last_after(begin);
  if (mypid == 0) printf("%u %u\n", prepared, ordinary);
  return 0;
}
