// Heat in a square plate: Jacobi's method on n x n points, which the nodes of a 2D network share.
// Each node has a block, and around it the nearest points of its four neighbours: a halo, which
// shift() brings before each step. combine() finds the largest change of a step, and all stop
// together. Node 0 computes the whole plate by itself, and compares.
//
//   annelid firmware build heat.c
//   annelid firmware run heat.elf --size 4x4 -- 16 30
#include <ccl.h>
#include <nic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float kEnough = 0.001f; /* a step that changes less is the last */

/* A rectangle of points with a border around it. */
struct plate {
  unsigned width, height;
  float *now, *next; /* (width + 2) * (height + 2) points each */
};

static float* at(const struct plate* p, float* points, unsigned x, unsigned y) {
  return points + y * (p->width + 2) + x;
}

static struct plate make_plate(unsigned width, unsigned height) {
  const size_t bytes = (width + 2) * (height + 2) * sizeof(float);
  struct plate p = {width, height, nic_alloc(bytes), nic_alloc(bytes)};
  memset(p.now, 0, bytes);
  memset(p.next, 0, bytes);
  return p;
}

/* The upper edge of the plate is hot, the others are cold. */
static void heat_upper_edge(struct plate* p) {
  for (unsigned x = 1; x <= p->width; ++x) *at(p, p->now, x, 0) = *at(p, p->next, x, 0) = 100.0f;
}

/* One step; returns the largest change. */
static float relax(struct plate* p) {
  float largest = 0;
  for (unsigned y = 1; y <= p->height; ++y) {
    for (unsigned x = 1; x <= p->width; ++x) {
      const float value = 0.25f * (*at(p, p->now, x, y - 1) + *at(p, p->now, x - 1, y) +
                                   *at(p, p->now, x + 1, y) + *at(p, p->now, x, y + 1));
      const float change = value - *at(p, p->now, x, y);
      if (change > largest) largest = change;
      if (-change > largest) largest = -change;
      *at(p, p->next, x, y) = value;
    }
  }
  float* old = p->now;
  p->now = p->next;
  p->next = old;
  return largest;
}

/* Brings the halo of the block. At the edges of the plate nothing comes, and the border stays. */
static void exchange_halo(struct plate* p, pgid row, pgid column, float* out, float* in) {
  const size_t line = p->width * sizeof(float), side = p->height * sizeof(float);
  /* Whole lines lie together, so they need no copy. Rank 0 of a column is the upper end. */
  shift(column, 1, 0, at(p, p->now, 1, p->height), at(p, p->now, 1, 0), line);
  shift(column, -1, 0, at(p, p->now, 1, 1), at(p, p->now, 1, p->height + 1), line);
  for (int way = 1; way >= -1; way -= 2) {
    const unsigned from = way > 0 ? p->width : 1, to = way > 0 ? 0 : p->width + 1;
    for (unsigned y = 0; y < p->height; ++y) {
      out[y] = *at(p, p->now, from, y + 1);
      in[y] = *at(p, p->now, to, y + 1);
    }
    shift(row, way, 0, out, in, side);
    for (unsigned y = 0; y < p->height; ++y) *at(p, p->now, to, y + 1) = in[y];
  }
}

int main(int argc, char** argv) {
  const struct nic_position size = nic_size(), me = nic_position_of(nic_node());
  const unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 16,
                 most = argc > 2 ? (unsigned)atoi(argv[2]) : 30;
  if (size.z != 1 || n == 0 || n % size.x != 0 || n % size.y != 0) {
    if (nic_node() == 0)
      printf("found n = %u, expected a multiple of both sides of a 2D network\n", n);
    return 2;
  }
  pgid row, column;
  if (form2dgrid(ALL, size.x, size.y, &row, &column) != 0) return 1;

  struct plate block = make_plate(n / size.x, n / size.y);
  if (me.y == 0) heat_upper_edge(&block);
  float* out = nic_alloc(block.height * sizeof(float));
  float* in = nic_alloc(block.height * sizeof(float));
  unsigned steps = 0;
  float largest = 1;
  while (steps < most && largest >= kEnough) {
    exchange_halo(&block, row, column, out, in);
    const float change = relax(&block);
    combine(ALL, &max_float32, &change, &largest, 1);
    ++steps;
  }

  /* The blocks of all, one after the other, to node 0. */
  const unsigned points = block.width * block.height;
  float* mine = nic_alloc(points * sizeof(float));
  for (unsigned y = 0; y < block.height; ++y) {
    memcpy(mine + y * block.width, at(&block, block.now, 1, y + 1), block.width * sizeof(float));
  }
  float* all = nic_node() == 0 ? nic_alloc(n * n * sizeof(float)) : NULL;
  gather(ALL, 0, mine, all, points * sizeof(float));
  if (nic_node() != 0) return 0;

  struct plate whole = make_plate(n, n);
  heat_upper_edge(&whole);
  float last = 0;
  for (unsigned step = 0; step < steps; ++step) last = relax(&whole);
  unsigned wrong = 0;
  for (unsigned y = 0; y < n; ++y) {
    for (unsigned x = 0; x < n; ++x) {
      const unsigned node = nic_node_at(x / block.width, y / block.height, 0);
      const float* theirs = all + node * points;
      if (theirs[y % block.height * block.width + x % block.width] !=
          *at(&whole, whole.now, x + 1, y + 1))
        ++wrong;
    }
  }
  printf("%u steps, last change %.4f (serial: %.4f)\n", steps, (double)largest, (double)last);
  printf("the middle has %.3f degrees; %u of %u points differ\n",
         (double)*at(&whole, whole.now, n / 2, n / 2), wrong, n * n);
  return wrong == 0 && largest == last ? 0 : 1;
}
