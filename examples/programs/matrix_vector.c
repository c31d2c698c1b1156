// y = A x, distributed by rows and columns. The node at column c and row r of the mesh has a block
// of A. The parts of x are scattered over the first row, and broadcast down the columns. Each node
// multiplies its block by its part, and the rows add up: a distributed combine leaves each node
// with some elements of y. Node 0 gathers them, prints them, and compares them with its own
// product.
//
//   annelid firmware build matrix_vector.c
//   annelid firmware run matrix_vector.elf --size 4x4 -- 32
#include <intercom.h>
#include <nic.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_NODES 256 /* of a row or a column */

static float a(unsigned row, unsigned column) {
  return (float)((int)((row * 7 + column * 3) % 11) - 5);
}
static float x(unsigned column) { return (float)((int)(column % 5) - 2) * 0.5f; }

static float product_of_row(unsigned row, unsigned columns) {
  float sum = 0;
  for (unsigned column = 0; column < columns; ++column) sum += a(row, column) * x(column);
  return sum;
}

static void check(int result, const char* what) {
  if (result == NIC_SUCCESS) return;
  printf("%s: %s\n", what, nic_result_name(result));
  exit(1);
}

int main(int argc, char** argv) {
  const struct nic_position size = nic_size(), at = nic_position_of(nic_node());
  const unsigned nodes = nic_nodes(), n = argc > 1 ? (unsigned)atoi(argv[1]) : 4 * nodes;
  if (n == 0 || n % nodes != 0 || size.z != 1) {
    if (nic_node() == 0)
      printf("found n = %u, expected a multiple of the %u nodes of a 2D network\n", n, nodes);
    return 2;
  }
  const unsigned rows = n / size.y, columns = n / size.x, part = n / nodes;

  unsigned row_group[MOST_NODES], column_group[MOST_NODES];
  for (unsigned i = 0; i < size.x; ++i) row_group[i] = nic_node_at(i, at.y, 0);
  for (unsigned i = 0; i < size.y; ++i) column_group[i] = nic_node_at(at.x, i, 0);

  float* block = nic_alloc(rows * columns * sizeof(float));
  float* my_x = nic_alloc(columns * sizeof(float));
  float* my_sums = nic_alloc(rows * sizeof(float));
  float* my_y = nic_alloc(part * sizeof(float));
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned j = 0; j < columns; ++j)
      block[i * columns + j] = a(at.y * rows + i, at.x * columns + j);
  }
  float* all = NULL; /* x first, y at the end */
  if (nic_node() == 0) {
    all = nic_alloc(n * sizeof(float));
    for (unsigned j = 0; j < n; ++j) all[j] = x(j);
  }

  if (at.y == 0)
    check(nic_scatter(all, my_x, columns, NIC_FLOAT32, 0, row_group, size.x), "scatter");
  check(nic_bcast(my_x, columns, NIC_FLOAT32, 0, column_group, size.y), "broadcast");
  for (unsigned i = 0; i < rows; ++i) {
    my_sums[i] = 0;
    for (unsigned j = 0; j < columns; ++j) my_sums[i] += block[i * columns + j] * my_x[j];
  }
  check(nic_distributed_combine(my_sums, my_y, part, NIC_FLOAT32, NIC_SUM, row_group, size.x),
        "distributed combine");
  check(nic_gather(my_y, all, part, NIC_FLOAT32, 0, NULL, 0), "gather");

  if (nic_node() != 0) return 0;
  int wrong = 0;
  for (unsigned i = 0; i < n; ++i) {
    printf("y[%u] = %g\n", i, (double)all[i]);
    if (all[i] != product_of_row(i, n)) ++wrong;
  }
  printf("%d of %u elements differ from those that node 0 computes\n", wrong, n);
  return wrong == 0 ? 0 : 1;
}
