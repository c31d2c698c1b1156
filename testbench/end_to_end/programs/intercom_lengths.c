// Operations of intercom.h on blocks of different lengths, by the names of the paper, by hybrids
// that the program names, and prepared: on all nodes, and on the lower half of them. Each node
// computes what it must get, and exits with 1 if it gets something else.
#include <intercom.h>
#include <stdio.h>
#include <stdlib.h>

NIC_USES(BROADCAST, INTERCOM)
NIC_USES(ALL_GATHER, INTERCOM)
NIC_USES(ALL_GATHER, DISSEMINATION)
NIC_USES(ALL_REDUCE, BINOMIAL)

enum { kMostNodes = 64, kMost = 5 };

static unsigned members[kMostNodes], lengths[kMostNodes], size, rank;

static void require(int held, const char* what) {
  if (held) return;
  printf("%s (rank %u of %u)\n", what, rank, size);
  exit(1);
}

static unsigned element(unsigned from, unsigned to, unsigned i) {
  return 10007 * from + 101 * to + i + 1;
}
static unsigned begin_of(unsigned r) {
  unsigned begin = 0;
  for (unsigned before = 0; before < r; ++before) begin += lengths[before];
  return begin;
}

/* Buffers have room for the longest block, or for the blocks of all. */
static void by_lengths(unsigned* source, unsigned* target, unsigned root, const unsigned* group,
                       unsigned group_size) {
  for (unsigned to = 0; to < size; ++to) {
    for (unsigned i = 0; i < lengths[to]; ++i) source[begin_of(to) + i] = element(rank, to, i);
  }
  for (unsigned i = 0; i < kMost; ++i) target[i] = 0;
  require(nic_scatter_lengths(rank == root ? source : NULL, target, lengths, NIC_UINT32, root,
                              group, group_size) == 0,
          "scatter is made");
  for (unsigned i = 0; i < lengths[rank]; ++i)
    require(target[i] == element(root, rank, i), "scatter");

  require(nic_distributed_combine_lengths(source, target, lengths, NIC_UINT32, NIC_SUM, group,
                                          group_size) == 0,
          "distributed combine is made");
  for (unsigned i = 0; i < lengths[rank]; ++i) {
    unsigned sum = 0;
    for (unsigned from = 0; from < size; ++from) sum += element(from, rank, i);
    require(target[i] == sum, "distributed combine");
  }

  for (unsigned i = 0; i < lengths[rank]; ++i) source[i] = element(rank, 0, i);
  require(nic_gather_lengths(source, rank == root ? target : NULL, lengths, NIC_UINT32, root, group,
                             group_size) == 0,
          "gather is made");
  for (unsigned from = 0; rank == root && from < size; ++from) {
    for (unsigned i = 0; i < lengths[from]; ++i)
      require(target[begin_of(from) + i] == element(from, 0, i), "gather");
  }
  for (unsigned i = 0; i < kMostNodes * kMost; ++i) target[i] = 0;
  require(nic_collect_lengths(source, target, lengths, NIC_UINT32, group, group_size) == 0,
          "collect is made");
  for (unsigned from = 0; from < size; ++from) {
    for (unsigned i = 0; i < lengths[from]; ++i)
      require(target[begin_of(from) + i] == element(from, 0, i), "collect");
  }
}

static void by_choice(unsigned* source, unsigned* target, const unsigned* group,
                      unsigned group_size) {
  const unsigned two[] = {2, size / 2};
  const struct nic_choice hybrid = nic_by_hybrid(2, two, 1, 1);
  const struct nic_choice dissemination = nic_by(NIC_BY_DISSEMINATION);
  if (size % 2 == 0) {
    for (unsigned i = 0; i < kMost; ++i) source[i] = rank == 1 ? element(1, 0, i) : 0;
    nic_tune_next(&hybrid);
    require(iCCbcast(source, kMost, NIC_UINT32, 1, group, group_size) == 0, "hybrid");
    for (unsigned i = 0; i < kMost; ++i) require(source[i] == element(1, 0, i), "broadcast");
  }
  for (unsigned i = 0; i < kMost; ++i) source[i] = element(rank, 0, i);
  nic_tune_next(&dissemination);
  require(iCCcollect(source, target, kMost, NIC_UINT32, group, group_size) == 0, "dissemination");
  for (unsigned i = 0; i < size * kMost; ++i)
    require(target[i] == element(i / kMost, 0, i % kMost), "collect by dissemination");
  nic_tune_next(&dissemination);
  require(nic_collect_lengths(source, target, lengths, NIC_UINT32, group, group_size) ==
              NIC_DOES_NOT_FIT,
          "no lengths by dissemination");
}

static void prepared(unsigned* source, unsigned* target, const unsigned* group,
                     unsigned group_size) {
  struct nic_prepared sum_it, collect_it;
  static unsigned in_ram[kMost];
  require(nic_combine_to_all_init(source, target, kMost, NIC_UINT32, NIC_SUM, group, group_size, 1,
                                  &sum_it) == 0,
          "combine-to-all is prepared");
  for (unsigned round = 0; round < 2; ++round) {
    for (unsigned i = 0; i < kMost; ++i) source[i] = rank + round + i;
    require(nic_prepared_start(&sum_it) == 0 && nic_prepared_wait(&sum_it) == 0, "is started");
    for (unsigned i = 0; i < kMost; ++i)
      require(target[i] == size * (size - 1) / 2 + size * (round + i), "combine-to-all");
  }
  require(nic_prepared_free(&sum_it) == 0, "is freed");
  require(nic_collect_init(in_ram, target, kMost, NIC_UINT32, group, group_size, 1, &collect_it) ==
              NIC_BAD_ARGUMENT,
          "not from RAM");
  require(nic_prepared_start(&collect_it) == NIC_STALE_HANDLE, "was not prepared");
}

int main(void) {
  static unsigned ram_source[kMostNodes * kMost], ram_target[kMostNodes * kMost];
  NIC_MEMORY static unsigned source[kMostNodes * kMost], target[kMostNodes * kMost];
  const unsigned nodes = nic_nodes(), half = (nodes + 1) / 2;
  void* before = nic_alloc(0);
  for (unsigned r = 0; r < nodes; ++r) {
    members[r] = r;
    lengths[r] = (3 * r + 1) % (kMost + 1); /* some are empty */
  }
  rank = nic_node();
  size = nodes;
  by_lengths(ram_source, ram_target, 0, NULL, 0);
  by_lengths(source, target, size - 1, NULL, 0);
  by_choice(source, target, NULL, 0);
  prepared(source, target, NULL, 0);
  if (rank < half) {
    size = half;
    by_lengths(source, target, size / 2, members, size);
    by_choice(source, target, members, size);
    prepared(source, target, members, size);
  }
  return nic_alloc(0) == before ? 0 : 1;
}
