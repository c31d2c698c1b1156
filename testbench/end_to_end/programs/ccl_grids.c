// Grids and hypercubes of ccl.h, on 24 nodes and on 16 of them. Each node computes what it must
// get.
#include <ccl.h>
#include <nic.h>
#include <stdio.h>
#include <stdlib.h>

static void require(int held, const char* what) {
  if (held) return;
  printf("%s\n", what);
  exit(1);
}

/* A grid of 3 x 2 x 4 nodes, whose ranks are turned round, so that no rank is its PID. */
static void test_grid(void) {
  enum { kDimensions = 3 };
  const unsigned sizes[kDimensions] = {3, 2, 4}, distances[kDimensions] = {1, 3, 6};
  const pgid G = partition(ALL, 0, -(int)mypid);
  const unsigned rank = (unsigned)getrank(G, mypid);
  unsigned at[kDimensions];
  pgid lines[kDimensions];
  gridaddress(kDimensions, sizes, rank, at);
  require(gridrank(kDimensions, sizes, at) == (int)rank, "gridrank");
  require(formgrid(G, kDimensions, sizes, lines) == 0, "formgrid fails");
  for (unsigned i = 0; i < kDimensions; ++i) {
    require(rank / distances[i] % sizes[i] == at[i], "gridaddress");
    require(getsize(lines[i]) == sizes[i] && getrank(lines[i], mypid) == (int)at[i], "line");
    for (unsigned k = 0; k < sizes[i]; ++k) {
      const unsigned there = rank - at[i] * distances[i] + k * distances[i];
      require(getpid(lines[i], k) == getpid(G, there), "member of a line");
    }
    unsigned sum = 0;
    require(combine(lines[i], &sum_uint32, &at[i], &sum, 1) == 0 &&
                sum == sizes[i] * (sizes[i] - 1) / 2,
            "combine along a line");
  }
  const unsigned outside[kDimensions] = {3, 0, 0}, too_many[2] = {24, 2};
  require(gridrank(kDimensions, sizes, outside) == -1, "a place outside");
  require(formgrid(G, 2, too_many, lines) == NIC_BAD_ARGUMENT && lines[0] == NO_GROUP,
          "a grid of more members");
  require(formsubcube(G, 1, lines) == NIC_BAD_ARGUMENT, "24 members are no hypercube");
}

static unsigned bits_of(unsigned value) {
  unsigned bits = 0;
  for (; value != 0; value &= value - 1) ++bits;
  return bits;
}

static void test_hypercube(void) {
  const pgid G = partition(ALL, mypid < 16, -(int)mypid);
  if (mypid >= 16) return;
  const unsigned rank = (unsigned)getrank(G, mypid);
  for (unsigned mask = 0; mask < 16; mask += 5) { /* 0, 5, 10, 15 */
    pgid cube;
    require(formsubcube(G, mask, &cube) == 0, "formsubcube fails");
    require(getsize(cube) == 1U << bits_of(mask), "size of a subcube");
    for (unsigned k = 0, before = 0; k < getsize(cube); ++k) {
      const unsigned there = (unsigned)getrank(G, getpid(cube, k));
      require(((there ^ rank) & ~mask) == 0 && (k == 0 || there > before), "member of a subcube");
      before = there;
    }
    require(freegroup(cube) == 0, "freegroup");
  }
  pgid none;
  require(formsubcube(G, 16, &none) == NIC_BAD_ARGUMENT && none == NO_GROUP,
          "a mask that is too large");
  for (unsigned i = 0; i < 70000; i += i < 100 ? 1 : 997) {
    require(graynumber(graycode(i)) == i && bits_of(graycode(i) ^ graycode(i + 1)) == 1,
            "Gray code");
  }
}

/* A grid that has room for its first line only leaves nothing behind. */
static void test_too_many_groups(void) {
  enum { kGroups = 15 };
  const unsigned sizes[] = {3, 2, 4};
  pgid taken[kGroups], lines[3];
  for (unsigned i = 0; i + 1 < kGroups; ++i) {
    taken[i] = partition(ALL, 0, 0);
    require(taken[i] != NO_GROUP, "fewer than 15 groups");
  }
  require(formgrid(ALL, 3, sizes, lines) != 0, "a grid without room");
  for (unsigned i = 0; i < 3; ++i) require(lines[i] == NO_GROUP, "a line without room");
  taken[kGroups - 1] = partition(ALL, 0, 0);
  require(taken[kGroups - 1] != NO_GROUP, "the place of a line that was given up");
  require(partition(ALL, 0, 0) == NO_GROUP, "more than 15 groups");
  for (unsigned i = 0; i < kGroups; ++i) require(freegroup(taken[i]) == 0, "freegroup fails");
}

int main(void) {
  if (nic_nodes() != 24) return 2;
  test_too_many_groups();
  test_grid();
  test_hypercube();
  return 0;
}
