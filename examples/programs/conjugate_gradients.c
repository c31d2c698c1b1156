// Conjugate gradients: solves A x = b for a symmetric, positive definite matrix of n x n elements.
// The nodes are a square grid. The node in row r and column c has block (r, c) of A, and part c of
// each vector. A product A p is summed along the rows by combine(), which leaves part r in row r;
// the nodes of the diagonal broadcast it down their columns. Dot products are summed along the
// rows. The solution is known beforehand, and node 0 compares.
//
//   annelid firmware build conjugate_gradients.c
//   annelid firmware run conjugate_gradients.elf --size 4x4 -- 64
#include <ccl.h>
#include <nic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float kEnough = 1e-10f; /* of the squared residual, beside that at the beginning */

static float a(unsigned row, unsigned column) {
  const float distance = (float)(row > column ? row - column : column - row);
  return row == column ? 0.5f : 1.0f / ((1.0f + distance) * (1.0f + distance));
}
static float solution(unsigned i) { return (float)((int)(i % 7) - 3); }

static pgid row, column;
static unsigned part, diagonal; /* elements of a part; the node of the diagonal in this column */
static float* block;            /* of A: part x part */
static float* sums;

static void check(int result, const char* what) {
  if (result == NIC_SUCCESS) return;
  printf("%s: %s\n", what, nic_result_name(result));
  exit(1);
}

static float* vector(unsigned count) { return nic_alloc(count * sizeof(float)); }

/* The dot product of two vectors, of which each node has its part. */
static float dot(const float* x, const float* y) {
  float mine = 0, all = 0;
  for (unsigned i = 0; i < part; ++i) mine += x[i] * y[i];
  check(combine(row, &sum_float32, &mine, &all, 1), "combine");
  return all;
}

/* result = A x */
static void multiply(const float* x, float* result) {
  for (unsigned i = 0; i < part; ++i) {
    sums[i] = 0;
    for (unsigned j = 0; j < part; ++j) sums[i] += block[i * part + j] * x[j];
  }
  check(combine(row, &sum_float32, sums, result, part), "combine");
  check(bcast(column, diagonal, result, part * sizeof(float)), "bcast");
}

int main(int argc, char** argv) {
  const struct nic_position size = nic_size(), me = nic_position_of(nic_node());
  const unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 16 * size.x;
  if (size.z != 1 || size.x != size.y || n == 0 || n % size.x != 0) {
    if (nic_node() == 0)
      printf("found n = %u, expected a multiple of the side of a square 2D network\n", n);
    return 2;
  }
  check(form2dgrid(ALL, size.x, size.y, &row, &column), "form2dgrid");
  part = n / size.x;
  diagonal = getpid(column, me.x);
  block = vector(part * part);
  sums = vector(part);
  float *x = vector(part), *r = vector(part), *p = vector(part), *q = vector(part);
  for (unsigned i = 0; i < part; ++i) {
    for (unsigned j = 0; j < part; ++j) block[i * part + j] = a(me.y * part + i, me.x * part + j);
  }

  /* b is A times the solution; at the beginning x = 0, so that r = p = b. */
  for (unsigned i = 0; i < part; ++i) p[i] = solution(me.x * part + i);
  multiply(p, r);
  memcpy(p, r, part * sizeof(float));
  memset(x, 0, part * sizeof(float));
  float residual = dot(r, r);
  const float enough = kEnough * residual;
  unsigned steps = 0;
  for (; residual > enough && steps < n; ++steps) {
    multiply(p, q);
    const float alpha = residual / dot(p, q);
    for (unsigned i = 0; i < part; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const float next = dot(r, r), beta = next / residual;
    for (unsigned i = 0; i < part; ++i) p[i] = r[i] + beta * p[i];
    residual = next;
  }

  /* The first row has all parts. */
  if (me.y != 0) return 0;
  float* all = me.x == 0 ? vector(n) : NULL;
  check(gather(row, 0, x, all, part * sizeof(float)), "gather");
  if (nic_node() != 0) return 0;
  float error = 0;
  for (unsigned i = 0; i < n; ++i) {
    float difference = all[i] - solution(i);
    if (difference < 0) difference = -difference;
    if (difference > error) error = difference;
  }
  printf("%u steps; the largest error is %.6f\n", steps, (double)error);
  for (unsigned i = 0; i < 4 && i < n; ++i) printf("x[%u] = %.4f\n", i, (double)all[i]);
  return error < 0.01f ? 0 : 1;
}
