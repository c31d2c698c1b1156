// All seven operations of intercom.h on a group, with every length up to some elements, in RAM and
// in node memory. Each node computes what it must get, and exits with 1 if it gets something else.
// The group is what the arguments say: a seed, and how many members. Every node knows it; those
// outside find that the call is refused.
#include <intercom.h>
#include <nic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostNodes = 64, kMostElements = 9 };

static unsigned members[kMostNodes], size, rank, node;

static unsigned next_random(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* The first `size` of all nodes in random order. */
static void choose_members(unsigned seed) {
  const unsigned nodes = nic_nodes();
  for (unsigned i = 0; i < nodes; ++i) members[i] = i;
  for (unsigned i = 0; i < size; ++i) {
    const unsigned j = i + next_random(&seed) % (nodes - i), other = members[j];
    members[j] = members[i];
    members[i] = other;
  }
  rank = size;
  for (unsigned i = 0; i < size; ++i) {
    if (members[i] == node) rank = i;
  }
}

/* Element i of the block that rank `from` has for rank `to`. */
static unsigned element(unsigned from, unsigned to, unsigned i) {
  return 10007 * from + 101 * to + i + 1;
}

static void expect(const unsigned* found, unsigned expected, unsigned i, const char* what) {
  if (found[i] == expected) return;
  printf("%s: element %u is %u, expected %u (rank %u of %u)\n", what, i, found[i], expected, rank,
         size);
  exit(1);
}

static void expect_success(int result, const char* what) {
  if (result == NIC_SUCCESS) return;
  printf("%s: %s (rank %u of %u)\n", what, nic_result_name(result), rank, size);
  exit(1);
}

/* `source` has room for a block of each rank, and so has `target`. */
static void test(unsigned* source, unsigned* target, unsigned count, unsigned root) {
  const unsigned all = size * count;
  unsigned sum = 0;

  for (unsigned i = 0; i < count; ++i) source[i] = rank == root ? element(root, 0, i) : 0;
  expect_success(nic_bcast(source, count, NIC_UINT32, root, members, size), "broadcast");
  for (unsigned i = 0; i < count; ++i) expect(source, element(root, 0, i), i, "broadcast");

  for (unsigned to = 0; to < size; ++to) {
    for (unsigned i = 0; i < count; ++i) source[to * count + i] = element(rank, to, i);
  }
  memset(target, 0, all * sizeof(unsigned));
  expect_success(
      nic_scatter(rank == root ? source : NULL, target, count, NIC_UINT32, root, members, size),
      "scatter");
  for (unsigned i = 0; i < count; ++i) expect(target, element(root, rank, i), i, "scatter");

  memset(target, 0, all * sizeof(unsigned));
  expect_success(
      nic_gather(source, rank == root ? target : NULL, count, NIC_UINT32, root, members, size),
      "gather");
  for (unsigned from = 0; rank == root && from < size; ++from) {
    for (unsigned i = 0; i < count; ++i)
      expect(target, element(from, 0, i), from * count + i, "gather");
  }

  memset(target, 0, all * sizeof(unsigned));
  expect_success(nic_collect(source, target, count, NIC_UINT32, members, size), "collect");
  for (unsigned from = 0; from < size; ++from) {
    for (unsigned i = 0; i < count; ++i)
      expect(target, element(from, 0, i), from * count + i, "collect");
  }

  memset(target, 0, all * sizeof(unsigned));
  expect_success(nic_combine_to_one(source, rank == root ? target : NULL, count, NIC_UINT32,
                                    NIC_SUM, root, members, size),
                 "combine-to-one");
  for (unsigned i = 0; rank == root && i < count; ++i) {
    sum = 0;
    for (unsigned from = 0; from < size; ++from) sum += element(from, 0, i);
    expect(target, sum, i, "combine-to-one");
  }

  expect_success(nic_combine_to_all(source, target, count, NIC_UINT32, NIC_MAX, members, size),
                 "combine-to-all");
  for (unsigned i = 0; i < count; ++i) expect(target, element(size - 1, 0, i), i, "combine-to-all");

  expect_success(nic_distributed_combine(source, target, count, NIC_UINT32, NIC_SUM, members, size),
                 "distributed combine");
  for (unsigned i = 0; i < count; ++i) {
    sum = 0;
    for (unsigned from = 0; from < size; ++from) sum += element(from, rank, i);
    expect(target, sum, i, "distributed combine");
  }
}

int main(int argc, char** argv) {
  static unsigned ram_source[kMostNodes * kMostElements], ram_target[kMostNodes * kMostElements];
  NIC_MEMORY static unsigned node_source[kMostNodes * kMostElements],
      node_target[kMostNodes * kMostElements];
  node = nic_node();
  const unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  size = argc > 2 ? (unsigned)atoi(argv[2]) : nic_nodes();
  choose_members(seed);
  void* before = nic_alloc(0);
  if (rank == size) {
    unsigned word = 0;
    return nic_bcast(&word, 1, NIC_UINT32, 0, members, size) == NIC_NOT_A_MEMBER ? 0 : 1;
  }
  for (unsigned count = 0; count <= kMostElements; count = 2 * count + 1) {
    test(ram_source, ram_target, count, count % size);
    test(node_source, node_target, count, (size - 1 + count) % size);
  }
  if (nic_alloc(0) != before) return 2; /* all memory was given back */

  /* What is no group, and what is no length. */
  unsigned wrong[2] = {node, node};
  if (nic_bcast(node_source, 1, NIC_UINT32, 0, wrong, 2) != NIC_BAD_ARGUMENT) return 3;
  wrong[1] = nic_nodes();
  if (nic_bcast(node_source, 1, NIC_UINT32, 0, wrong, 2) != NIC_BAD_ARGUMENT) return 4;
  if (nic_bcast(node_source, 1, NIC_UINT32, 1, wrong, 1) != NIC_BAD_ARGUMENT) return 5;
  if (nic_collect(node_source, node_target, 1u << 23, NIC_INT64, wrong, 1) != NIC_BAD_ARGUMENT)
    return 6;
  if (nic_collect(node_source, node_target, 1, 99, wrong, 1) != NIC_BAD_ARGUMENT) return 7;
  return 0;
}
