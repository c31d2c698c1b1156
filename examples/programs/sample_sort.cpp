// A sample sort: every node has n numbers, and afterwards the numbers of each node are in order,
// and not larger than those of the next node. Each node sorts its numbers, and a sample of all of
// them says where the numbers of each node begin. index() brings them there, and prefix() says
// which place each has among all. Node 0 sorts everything by itself, and compares.
//
//   annelid firmware build sample_sort.cpp
//   annelid firmware run sample_sort.elf --size 4x4 -- 32
#include <ccl.h>
#include <nic.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr unsigned kSamples = 4;  // of each node

/// Number i of all: the same at every node, in no order.
unsigned number(unsigned i) {
  unsigned x = i * 2654435761U + 12345;
  x ^= x >> 15;
  x *= 2246822519U;
  return (x ^ x >> 13) % 1000000;
}

unsigned* words(unsigned count) {
  return static_cast<unsigned*>(nic_alloc(count * sizeof(unsigned)));
}

void require(int result, const char* what) {
  if (result == NIC_SUCCESS) return;
  std::printf("%s: %s\n", what, nic_result_name(result));
  std::exit(1);
}

/// One of the samples of all nodes for the end of each node's part but the last.
const unsigned* splitters_of(const unsigned* own, unsigned n, unsigned nodes) {
  unsigned samples[kSamples];
  for (unsigned i = 0; i < kSamples; ++i) samples[i] = own[(2 * i + 1) * n / (2 * kSamples)];
  unsigned* all = words(kSamples * nodes);
  require(concat(ALL, samples, all, sizeof samples), "concat");
  std::sort(all, all + kSamples * nodes);
  for (unsigned node = 0; node + 1 < nodes; ++node) all[node] = all[kSamples * (node + 1)];
  return all;
}

/// How many of the sorted numbers belong to each node, and how many are moved at once: as many as
/// the largest part has.
unsigned count_parts(const unsigned* own, unsigned n, const unsigned* splitters, unsigned nodes,
                     unsigned* counts) {
  const unsigned* from = own;
  unsigned largest = 0, room = 0;
  for (unsigned node = 0; node < nodes; ++node) {
    const unsigned* const end =
        node + 1 < nodes ? std::lower_bound(from, own + n, splitters[node]) : own + n;
    counts[node] = static_cast<unsigned>(end - from);
    largest = std::max(largest, counts[node]);
    from = end;
  }
  require(combine(ALL, &max_uint32, &largest, &room, 1), "combine");
  return room;
}

/// Node 0: how many of the numbers differ from those that it sorts by itself.
unsigned compare(const unsigned* all, const unsigned* begins, const unsigned* counts, unsigned room,
                 unsigned total) {
  unsigned* serial = words(total);
  for (unsigned i = 0; i < total; ++i) serial[i] = number(i);
  std::sort(serial, serial + total);
  unsigned wrong = 0, seen = 0;
  for (unsigned node = 0; node < nic_nodes(); ++node) {
    for (unsigned i = 0; i < counts[node]; ++i, ++seen) {
      if (all[node * room + i] != serial[begins[node] + i]) ++wrong;
    }
  }
  std::printf("%u numbers, from %u to %u; the middle is %u\n", total, serial[0], serial[total - 1],
              serial[total / 2]);
  std::printf("the nodes have %u to %u of them; %u differ\n",
              *std::min_element(counts, counts + nic_nodes()),
              *std::max_element(counts, counts + nic_nodes()), wrong);
  return seen == total ? wrong : total;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned nodes = nic_nodes(), n = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 32;
  if (n < kSamples) {
    if (mypid == 0) std::printf("found n = %u, expected at least %u\n", n, kSamples);
    return 2;
  }
  unsigned* own = words(n);
  for (unsigned i = 0; i < n; ++i) own[i] = number(mypid * n + i);
  std::sort(own, own + n);

  // Each part goes in a block of its own, which begins with the number of its numbers.
  unsigned* counts = words(nodes);
  const unsigned* splitters = splitters_of(own, n, nodes);
  const unsigned room = count_parts(own, n, splitters, nodes, counts), block = room + 1;
  unsigned *out = words(nodes * block), *in = words(nodes * block);
  const unsigned* from = own;
  for (unsigned node = 0; node < nodes; ++node) {
    out[node * block] = counts[node];
    std::copy(from, from + counts[node], out + node * block + 1);
    from += counts[node];
  }
  require(index(ALL, out, in, block * sizeof(unsigned)), "index");

  unsigned mine = 0;
  for (unsigned node = 0; node < nodes; ++node) mine += in[node * block];
  unsigned *sorted = words(mine), *end = sorted;
  for (unsigned node = 0; node < nodes; ++node) {
    end = std::copy(in + node * block + 1, in + node * block + 1 + in[node * block], end);
  }
  std::sort(sorted, end);
  unsigned up_to_mine = 0;
  require(prefix(ALL, &sum_uint32, &mine, &up_to_mine, 1), "prefix");
  const unsigned begin = up_to_mine - mine;

  // All of it to node 0.
  unsigned most = 0;
  require(combine(ALL, &max_uint32, &mine, &most, 1), "combine");
  unsigned *padded = words(most), *all = nullptr, *begins = nullptr;
  std::copy(sorted, end, padded);
  if (mypid == 0) {
    all = words(nodes * most);
    begins = words(nodes);
  }
  require(gather(ALL, 0, padded, all, most * sizeof(unsigned)), "gather");
  require(gather(ALL, 0, &begin, begins, sizeof begin), "gather");
  require(gather(ALL, 0, &mine, counts, sizeof mine), "gather");
  if (mypid != 0) return 0;
  return compare(all, begins, counts, most, nodes * n) == 0 ? 0 : 1;
}
