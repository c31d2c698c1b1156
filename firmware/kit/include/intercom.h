/* The seven collective operations of InterCom (Barnett and others 1994) for groups of nodes.

   A group is an array of `size` node numbers; the place of a node in the array is its rank. NULL with size 0 are all
   nodes, by their numbers. All members make the call with the same array, and the array must not change meanwhile.
   Groups may overlap. `root` is a rank. `count` is in elements of `type` (enum nic_type): of the whole vector in
   nic_bcast, nic_combine_to_one and nic_combine_to_all, of one block in the others. `op` is an enum nic_operator.

   The nodes choose the fastest hybrid (docs/internals/algorithms/intercom.md), unless the program chooses by nic_tune()
   or nic_tune_next() (nic.h): the hybrid itself, nic_by_hybrid(), NIC_BY_AUTO, or any other algorithm. A group that is a
   rectangular part of the network has the hybrids of its rows and columns (Section 9); any other is a line.

   A buffer in RAM is copied to node memory and back, which takes 0.8 cycles for each byte; one in node memory is used
   where it is. `source` and `target` must not overlap. Memory that an operation needs besides is taken from nic_alloc()
   and given back.

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

/* ---- Blocks of different lengths (Section 3, Table 1) ----------------------------------------------------------- */

/* `lengths` has `size` numbers of elements, that of each rank's block, and is the same at all members. Blocks lie one
   behind the other, by rank, without gaps; all together have at most 16 MiB. Where a buffer is one block, and lies in
   node memory, the longest block must have room there. Only hybrids take lengths: a choice of another algorithm is
   NIC_DOES_NOT_FIT. */
int nic_scatter_lengths(const void* source, void* target, const unsigned* lengths, unsigned type, unsigned root,
                        const unsigned* group, unsigned size);
int nic_gather_lengths(const void* source, void* target, const unsigned* lengths, unsigned type, unsigned root,
                       const unsigned* group, unsigned size);
int nic_collect_lengths(const void* source, void* target, const unsigned* lengths, unsigned type, const unsigned* group,
                        unsigned size);
int nic_distributed_combine_lengths(const void* source, void* target, const unsigned* lengths, unsigned type,
                                    unsigned op, const unsigned* group, unsigned size);

/* ---- Operations that are prepared once and started many times --------------------------------------------------- */

/* The arguments are those of the operation, and behind them a tag below NIC_TAGS, and what nic_prepared_start() and its
   relatives get (nic.h). Buffers are in node memory: NIC_BAD_ARGUMENT if they are not. The array may change
   afterwards. */
int nic_bcast_init(void* vector, unsigned count, unsigned type, unsigned root, const unsigned* group, unsigned size,
                   unsigned tag, struct nic_prepared* request);
int nic_scatter_init(const void* source, void* target, unsigned count, unsigned type, unsigned root,
                     const unsigned* group, unsigned size, unsigned tag, struct nic_prepared* request);
int nic_gather_init(const void* source, void* target, unsigned count, unsigned type, unsigned root,
                    const unsigned* group, unsigned size, unsigned tag, struct nic_prepared* request);
int nic_collect_init(const void* source, void* target, unsigned count, unsigned type, const unsigned* group,
                     unsigned size, unsigned tag, struct nic_prepared* request);
int nic_combine_to_one_init(const void* source, void* target, unsigned count, unsigned type, unsigned op, unsigned root,
                            const unsigned* group, unsigned size, unsigned tag, struct nic_prepared* request);
int nic_combine_to_all_init(const void* source, void* target, unsigned count, unsigned type, unsigned op,
                            const unsigned* group, unsigned size, unsigned tag, struct nic_prepared* request);
int nic_distributed_combine_init(const void* source, void* target, unsigned count, unsigned type, unsigned op,
                                 const unsigned* group, unsigned size, unsigned tag, struct nic_prepared* request);

/* ---- The names of the library (Section 10) ------------------------------------------------------------------------ */

/* The paper prints iCCbcast, and says of the others only that they have a manual. They follow its example here, with the
   operations' names of Table 1. */
#define iCCbcast nic_bcast
#define iCCscatter nic_scatter
#define iCCgather nic_gather
#define iCCcollect nic_collect
#define iCCcombine_to_one nic_combine_to_one
#define iCCcombine_to_all nic_combine_to_all
#define iCCdistributed_combine nic_distributed_combine

#ifdef __cplusplus
}
#endif
#endif
