/* The seven collective operations of InterCom (Barnett and others 1994) for groups of nodes.

   A group is an array of `size` node numbers; the place of a node in the array is its rank. NULL with size 0 are all
   nodes, by their numbers. All members make the call with the same array, and the array must not change meanwhile.
   Groups may overlap. `root` is a rank. `count` is in elements of `type` (enum nic_type): of the whole vector in
   nic_bcast, nic_combine_to_one and nic_combine_to_all, of one block in the others. `op` is an enum nic_operator.

   The nodes choose the fastest hybrid (docs/internals/algorithms/intercom.md). A buffer in RAM is copied to node memory
   and back; one in node memory is used where it is. `source` and `target` must not overlap. Memory that an operation
   needs besides is taken from nic_alloc() and given back.

   docs/how-to/write-a-program.md compares the names with those of the paper. */
#ifndef ANNELID_INTERCOM_H
#define ANNELID_INTERCOM_H

#include "nic.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Broadcast: the root's vector to all. */
int nic_bcast(void* vector, unsigned count, unsigned type, unsigned root, const unsigned* group, unsigned size);

/* Scatter: block i of the root's `source` to rank i. */
int nic_scatter(const void* source, void* target, unsigned count, unsigned type, unsigned root, const unsigned* group,
                unsigned size);

/* Gather: the blocks of all to the root's `target`, by rank. */
int nic_gather(const void* source, void* target, unsigned count, unsigned type, unsigned root, const unsigned* group,
               unsigned size);

/* Collect: the blocks of all to everybody's `target`, by rank. */
int nic_collect(const void* source, void* target, unsigned count, unsigned type, const unsigned* group, unsigned size);

/* Combine-to-one: the vectors of all, combined, to the root's `target`. */
int nic_combine_to_one(const void* source, void* target, unsigned count, unsigned type, unsigned op, unsigned root,
                       const unsigned* group, unsigned size);

/* Combine-to-all: the same to everybody's `target`. */
int nic_combine_to_all(const void* source, void* target, unsigned count, unsigned type, unsigned op,
                       const unsigned* group, unsigned size);

/* Distributed combine: block i of all `source`, combined, to the `target` of rank i. `source` has `size` blocks. */
int nic_distributed_combine(const void* source, void* target, unsigned count, unsigned type, unsigned op,
                            const unsigned* group, unsigned size);

#ifdef __cplusplus
}
#endif
#endif
