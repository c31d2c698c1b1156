// The operations of ccl.h that are prepared once and started many times, on a group that
// partition() makes of all nodes, or on all of them: each node computes what it must get, and exits
// with another status than 0 if it gets something else. Also what is refused.
#include <ccl.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMostNodes = 64, kCount = 5, kRounds = 3, kBytes = kCount * sizeof(unsigned) };

NIC_MEMORY static unsigned block[kCount], blocks[kMostNodes * kCount];
NIC_MEMORY static unsigned result[kCount], results[kMostNodes * kCount], shifted[kCount];
static unsigned in_ram[kCount];

static pgid G;
static unsigned size, rank;

static void require(int held, const char* what) {
  if (held) return;
  printf("%s (rank %u of %u)\n", what, rank, size);
  exit(1);
}

static unsigned element(unsigned from, unsigned to, unsigned i, unsigned round) {
  return 10007 * from + 101 * to + i + 1 + 1000003 * round;
}
static unsigned sum_to(unsigned end, unsigned i, unsigned round) {
  unsigned sum = 0;
  for (unsigned r = 0; r < end; ++r) sum += element(r, 0, i, round);
  return sum;
}

static void fill(unsigned round) {
  for (unsigned i = 0; i < kCount; ++i) {
    block[i] = element(rank, 0, i, round);
    result[i] = shifted[i] = 0;
    for (unsigned to = 0; to < size; ++to) {
      blocks[to * kCount + i] = element(rank, to, i, round);
      results[to * kCount + i] = 0;
    }
  }
}
static void play(struct ccl_request* request) {
  require(ccl_start(request) == 0, "starts");
  require(ccl_wait(request) == 0, "ends");
  require(ccl_test(request) == 1, "has ended");
}
static void release(struct ccl_request* request) {
  require(ccl_request_free(request) == 0, "is freed");
  require(ccl_request_free(request) == NIC_STALE_HANDLE, "was freed");
  require(ccl_start(request) == NIC_STALE_HANDLE, "is no more");
}

static void by_root(unsigned root) {
  const unsigned pid = getpid(G, root);
  struct ccl_request bcast_it, reduce_it, scatter_it, gather_it;
  require(ccl_bcast_init(G, pid, block, kBytes, 1, &bcast_it) == 0, "bcast");
  require(ccl_reduce_init(G, pid, &sum_uint32, block, rank == root ? result : NULL, kCount, 2,
                          &reduce_it) == 0,
          "reduce");
  require(
      ccl_scatter_init(G, pid, rank == root ? blocks : NULL, result, kBytes, 3, &scatter_it) == 0,
      "scatter");
  require(ccl_gather_init(G, pid, block, rank == root ? results : NULL, kBytes, 4, &gather_it) == 0,
          "gather");
  for (unsigned round = 0; round < kRounds; ++round) {
    fill(round);
    play(&bcast_it);
    for (unsigned i = 0; i < kCount; ++i)
      require(block[i] == element(root, 0, i, round), "bcast's block");
    fill(round);
    play(&reduce_it);
    for (unsigned i = 0; i < kCount && rank == root; ++i)
      require(result[i] == sum_to(size, i, round), "reduce's sum");
    fill(round);
    play(&scatter_it);
    for (unsigned i = 0; i < kCount; ++i)
      require(result[i] == element(root, rank, i, round), "scatter's block");
    fill(round);
    play(&gather_it);
    for (unsigned r = 0; r < size && rank == root; ++r) {
      for (unsigned i = 0; i < kCount; ++i)
        require(results[r * kCount + i] == element(r, 0, i, round), "gather's blocks");
    }
  }
  release(&gather_it);
  release(&scatter_it);
  release(&reduce_it);
  release(&bcast_it);
}

/* A broadcast that the others have started is active until the root starts it, too. */
static void refused_while_active(void) {
  struct ccl_request bcast_it;
  require(ccl_bcast_init(G, getpid(G, 0), block, kBytes, 11, &bcast_it) == 0, "bcast");
  if (rank != 0) {
    require(ccl_start(&bcast_it) == 0, "bcast starts");
    require(ccl_start(&bcast_it) == NIC_CALL_ACTIVE, "is active");
    require(ccl_request_free(&bcast_it) == NIC_CALL_ACTIVE, "is not freed");
    require(ccl_test(&bcast_it) == 0, "has not ended");
  }
  require(sync(G) == 0, "sync");
  if (rank == 0) require(ccl_start(&bcast_it) == 0, "bcast starts");
  require(ccl_wait(&bcast_it) == 0, "bcast ends");
  release(&bcast_it);
}

static void by_all(void) {
  struct ccl_request combine_it, concat_it, index_it, prefix_it, shift_it, sync_it;
  require(ccl_combine_init(G, &sum_uint32, block, result, kCount, 5, &combine_it) == 0, "combine");
  require(ccl_concat_init(G, block, results, kBytes, 6, &concat_it) == 0, "concat");
  require(ccl_index_init(G, blocks, results, kBytes, 7, &index_it) == 0, "index");
  require(ccl_prefix_init(G, &sum_uint32, block, result, kCount, 8, &prefix_it) == 0, "prefix");
  require(ccl_shift_init(G, -1, 1, block, shifted, kBytes, 9, &shift_it) == 0, "shift");
  require(ccl_sync_init(G, 10, &sync_it) == 0, "sync");
  for (unsigned round = 0; round < kRounds; ++round) {
    fill(round);
    play(&sync_it);
    // Two at a time, in another order of waiting.
    require(ccl_start(&combine_it) == 0 && ccl_start(&shift_it) == 0, "two start");
    require(ccl_wait(&shift_it) == 0 && ccl_wait(&combine_it) == 0, "two end");
    for (unsigned i = 0; i < kCount; ++i) {
      require(result[i] == sum_to(size, i, round), "combine's sum");
      require(shifted[i] == element((rank + 1) % size, 0, i, round), "shift's block");
    }
    play(&concat_it);
    for (unsigned r = 0; r < size; ++r) {
      for (unsigned i = 0; i < kCount; ++i)
        require(results[r * kCount + i] == element(r, 0, i, round), "concat's blocks");
    }
    play(&index_it);
    for (unsigned r = 0; r < size; ++r) {
      for (unsigned i = 0; i < kCount; ++i)
        require(results[r * kCount + i] == element(r, rank, i, round), "index's blocks");
    }
    // An ordinary operation beside one that is prepared.
    unsigned total = 0, one = 1;
    require(ccl_start(&prefix_it) == 0, "prefix starts");
    require(combine(G, &sum_uint32, &one, &total, 1) == 0 && total == size, "combine beside it");
    while (!ccl_test(&prefix_it)) {
    }
    for (unsigned i = 0; i < kCount; ++i)
      require(result[i] == sum_to(rank + 1, i, round), "prefix's sum");
  }
  refused_while_active();
  release(&sync_it);
  release(&shift_it);
  release(&prefix_it);
  release(&index_it);
  release(&concat_it);
  release(&combine_it);
}

static void negate(void* to, const void* left, const void* right, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    ((unsigned*)to)[i] = ~(((const unsigned*)left)[i] & ((const unsigned*)right)[i]);
}

static void refused(void) {
  static const struct ccl_function own = {.bytes = 4, .apply = negate};
  struct ccl_request request, many[33];
  require(ccl_bcast_init(ALL, 0, in_ram, kBytes, 1, &request) == NIC_BAD_ARGUMENT, "RAM");
  require(ccl_start(&request) == NIC_STALE_HANDLE && ccl_wait(&request) == NIC_STALE_HANDLE,
          "nothing was prepared");
  require(ccl_bcast_init(ALL, 0, block, kBytes, NIC_TAGS, &request) == NIC_BAD_ARGUMENT, "tag");
  require(ccl_bcast_init(ALL, 1 << 20, block, kBytes, 1, &request) == NIC_BAD_ARGUMENT, "root");
  require(ccl_combine_init(ALL, &own, block, result, 1, 1, &request) == NIC_BAD_ARGUMENT,
          "own function");
  unsigned taken = 0;
  while (taken < 33 && ccl_sync_init(ALL, 1, &many[taken]) == 0) ++taken;
  require(taken == 32, "32 requests");
  const unsigned before = many[0].memory;
  while (taken-- > 0) require(ccl_request_free(&many[taken]) == 0, "is freed");
  require(ccl_sync_init(ALL, 1, &request) == 0 && request.memory == before, "memory is given back");
  require(ccl_request_free(&request) == 0, "is freed");
}

int main(int argc, char** argv) {
  const unsigned parts = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  G = parts > 1 ? partition(ALL, mypid % parts, -(int)mypid) : ALL;
  size = getsize(G);
  rank = (unsigned)getrank(G, mypid);
  refused();
  by_root(0);
  by_root(size - 1);
  by_all();
  return 0;
}
