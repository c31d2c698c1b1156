// Calls of the host's words in groups of ccl.h: any algorithm and parameter, with several
// operations under way in overlapping groups. For networks of two dimensions with up to 8 x 8
// nodes.
#include <ccl.h>
#include <nic.h>

#include <cstdio>
#include <cstdlib>

NIC_USES(ALL_REDUCE, LEADERS)
NIC_USES(ALL_TO_ALL, RADIX)
NIC_USES(ALL_GATHER, DISSEMINATION)

namespace {

constexpr unsigned kMost = 64;
constexpr unsigned kScratch = 1024;
NIC_MEMORY unsigned mine, sum, out[kMost], in[kMost], all[kMost];
NIC_MEMORY char combined[kScratch], blocks[kScratch], collected[kScratch];

void require(bool held, const char* what) {
  if (held) return;
  std::printf("%s\n", what);
  std::exit(1);
}

nic_words words_of(unsigned operation, unsigned algorithm, pgid group, unsigned tag) {
  nic_words words{};
  words.operation = operation;
  words.algorithm = algorithm;
  words.group = getplace(group);
  words.tag = tag;
  words.count = sizeof(unsigned);
  return words;
}

/// The row's sum by the hybrid with `k`, the column's index by a radix, and a concat of all, at the
/// same time.
void work(pgid row, pgid column, unsigned k, unsigned radix) {
  const unsigned rank = static_cast<unsigned>(getrank(column, mypid));
  mine = mypid + 1;
  for (unsigned i = 0; i < getsize(column); ++i) out[i] = 100 * rank + i;
  nic_words combine = words_of(NIC_ALL_REDUCE, NIC_BY_LEADERS, row, 1);
  combine.source = &mine, combine.target = &sum, combine.scratch = combined;
  combine.count = 1, combine.type = NIC_UINT32, combine.op = NIC_SUM, combine.parameter[1] = k;
  nic_words index = words_of(NIC_ALL_TO_ALL, NIC_BY_RADIX, column, 2);
  index.source = out, index.target = in, index.scratch = blocks, index.parameter[1] = radix;
  nic_words concat = words_of(NIC_ALL_GATHER, NIC_BY_DISSEMINATION, ALL, 3);
  concat.source = &mine, concat.target = all, concat.scratch = collected;
  nic_request requests[3];
  nic_start(&requests[0], &combine);
  nic_start(&requests[1], &index);
  nic_start(&requests[2], &concat);
  for (nic_request& request : requests) require(nic_wait(&request) == NIC_SUCCESS, "a call fails");
  unsigned expected = 0;
  for (unsigned r = 0; r < getsize(row); ++r) expected += getpid(row, r) + 1;
  require(sum == expected, "sum of the row");
  for (unsigned r = 0; r < getsize(column); ++r)
    require(in[r] == 100 * r + rank, "index of the column");
  for (unsigned p = 0; p < nic_nodes(); ++p) require(all[p] == p + 1, "concat of all");
}

}  // namespace

int main() {
  pgid row, column;
  require(form2dgrid(ALL, nic_size().x, nic_size().y, &row, &column) == 0, "form2dgrid fails");
  require(getplace(ALL) == 0 && getplace(row) != getplace(column), "places");
  for (unsigned k = 0; k < 3; ++k) work(row, column, k, k + 2);
  // An identifier that this process does not have.
  const nic_words none = words_of(NIC_ALL_GATHER, NIC_BY_DISSEMINATION, row + 1000, 1);
  require(none.group == ~0U && nic_call(&none) == NIC_NO_SUCH_GROUP, "no such group");
  require(freegroup(row) == 0 && getplace(row) == ~0U, "freegroup");
  return 0;
}
