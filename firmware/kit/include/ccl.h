/* The Collective Communication Library (Bala and others 1995): process groups, and operations of all members of a
   group. Names and order of arguments are those of the paper, where it gives them. A process is a node, and its PID is
   the number of the node.

   All members of a group make the same calls in the same order, with the same group, function, root and length.
   Buffers in RAM are copied to node memory and back; `data` and `result` must not overlap. Unless something else is
   said, a function returns 0 (NIC_SUCCESS) or another code of enum nic_call_result.

   docs/how-to/write-a-program.md says which algorithm serves each operation, and what differs from the paper. */
#ifndef ANNELID_CCL_H
#define ANNELID_CCL_H

#include "nic.h"

#ifdef __cplusplus
extern "C" {
#endif

/* This process's identifier. */
#define mypid (nic_node())

/* ---- Modes (Sections 3.3 and 3.4) ----------------------------------------------------------------------------- */

/* In barrier mode no process returns from an operation before all members have called it. In non-barrier mode a process
   returns when it has done its part. group() is no barrier in either mode.

   In develop mode the members compare their arguments before they begin. If those differ, the first member says on
   standard error who gave which, and all calls return NIC_BAD_ARGUMENT. If a member makes no such call, the others say that they
   miss it, and end with exit status 1. In run mode nobody compares, and wrong arguments may end in a wait for ever.

   The default is CCL_BARRIER | CCL_RUN. `annelid firmware run --mode --develop` sets other modes before the program
   begins. A program can set them before its first call, all processes alike. */
enum { CCL_BARRIER = 0, CCL_NON_BARRIER = 1, CCL_RUN = 0, CCL_DEVELOP = 2 };
void ccl_modes(unsigned modes);
/* For how many cycles develop mode waits for a member's call: 1 000 000, unless the program says something else. */
void ccl_patience(unsigned long long cycles);

/* ---- Process groups (Section 2) ------------------------------------------------------------------------------- */

/* The identifier of a group, the same at all members and different from that of every other group. It can be compared
   and sent. A process can be a member of 15 groups besides ALL. */
typedef unsigned long long pgid;
#define ALL ((pgid)0xffffffff << 32)
#define NO_GROUP (~(pgid)0) /* what could not be made */

/* Every member calls it, with the same PIDs in the same order, which is that of the ranks. */
pgid group(unsigned size, const unsigned* list, unsigned label);
/* Every member of G calls it. Members with the same value become a group, ranked by `key`, and then by their ranks in G.
   It is a barrier. */
pgid partition(pgid G, unsigned myval, int key);
/* Views G, which has x_size * y_size members, as a grid, whose rows have x_size members each: rank r is in column
   r mod x_size. Gives the groups of the row and of the column of this process. */
int form2dgrid(pgid G, unsigned x_size, unsigned y_size, pgid* row, pgid* column);
/* Views G as a grid with so many members in each of `dimensions` dimensions: together as many as G has. The first
   dimension is that of consecutive ranks. lines[i] becomes the group of the line of this process along dimension i, in
   which the coordinate is the rank. */
int formgrid(pgid G, unsigned dimensions, const unsigned* sizes, pgid* lines);
/* Views G, which has 2^d members, as a hypercube, whose coordinates are the bits of the rank. The group of the members
   whose ranks differ from that of this process in bits of `mask` only: with 1 << i its neighbour in dimension i. */
int formsubcube(pgid G, unsigned mask, pgid* subcube);
/* Between a rank and the coordinates in a grid; the rank is -1 if there is no such place. */
void gridaddress(unsigned dimensions, const unsigned* sizes, unsigned rank, unsigned* coordinates);
int gridrank(unsigned dimensions, const unsigned* sizes, const unsigned* coordinates);
/* The Gray code of a number, and back: consecutive numbers become neighbours in a hypercube. */
unsigned graycode(unsigned i);
unsigned graynumber(unsigned code);
/* No call uses the group any more. */
int freegroup(pgid G);

unsigned getsize(pgid G);
void getmembers(pgid G, unsigned* list); /* getsize(G) PIDs, by rank */
int getrank(pgid G, unsigned pid);       /* -1: no member */
unsigned getpid(pgid G, unsigned rank);
unsigned getlabel(pgid G); /* what group() was given, or the value in partition() */
/* Where nic_call() and nic_start() find the group, for `group` of their words: so it can have any algorithm, and several
   calls under way. ~0u, which they refuse: this process has no such group. */
unsigned getplace(pgid G);

/* ---- Messages (Section 3.1) ----------------------------------------------------------------------------------- */

/* Between two processes, messages with the same tag (below NIC_TAGS) arrive in the order in which they were sent. */
int send(unsigned dest, const void* data, size_t bytes, unsigned tag);
int receive(unsigned orig, void* data, size_t bytes, unsigned tag);
int send_receive(unsigned dest, const void* data, unsigned orig, void* result, size_t bytes, unsigned tag);

/* Section 3.3: `orig` may be CCL_ANY, and so may `tag`. A receive then takes the message that comes first, so the
   program is no longer deterministic, and the modes matter. Only brecv() gets what bsend() has sent. `envelope` says who
   has sent the message, unless it is NULL. */
#define CCL_ANY NIC_ANY
int bsend(unsigned dest, const void* data, size_t bytes, unsigned tag);
int brecv(unsigned orig, void* data, size_t bytes, unsigned tag, struct nic_envelope* envelope);

/* ---- Functions ------------------------------------------------------------------------------------------------ */

/* An associative function of elements. The NIC combines by those named below. A function of your own need not commute:
   it sets result[i] to left[i] op right[i] for `count` elements of `bytes` bytes each; `result` may be `left` or
   `right`. For example:
     const struct ccl_function compose = {.bytes = sizeof(struct map), .apply = compose_maps}; */
struct ccl_function {
  unsigned bytes;
  void (*apply)(void* result, const void* left, const void* right, unsigned count);
  unsigned type, op; /* of the NIC, if `apply` is NULL */
};

extern const struct ccl_function sum_int32, min_int32, max_int32, product_int32;
extern const struct ccl_function sum_uint32, min_uint32, max_uint32, product_uint32;
extern const struct ccl_function and_uint32, or_uint32, xor_uint32;
extern const struct ccl_function sum_int64, min_int64, max_int64, product_int64;
extern const struct ccl_function sum_float32, min_float32, max_float32, product_float32;

/* ---- Operations (Section 1) ----------------------------------------------------------------------------------- */

/* `orig` and `dest` are PIDs of members. `bytes` is the length of a block, and `count` the number of elements. Where
   there is a block for each member, blocks are in the order of the ranks. */

int bcast(pgid G, unsigned orig, void* data, size_t bytes);
int reduce(pgid G, unsigned dest, const struct ccl_function* rfunc, const void* data, void* result, unsigned count);
int combine(pgid G, const struct ccl_function* rfunc, const void* data, void* result, unsigned count);
int scatter(pgid G, unsigned orig, const void* data, void* result, size_t bytes);
int gather(pgid G, unsigned dest, const void* data, void* result, size_t bytes);
int concat(pgid G, const void* data, void* result, size_t bytes);
/* `data` has a block for each member, and `result` gets one from each. */
int index(pgid G, const void* data, void* result, size_t bytes);
/* The elements of the ranks up to this one, combined. */
int prefix(pgid G, const struct ccl_function* rfunc, const void* data, void* result, unsigned count);
/* To the member whose rank is higher by `steps` (lower, if it is negative). With `cyclic` the last one is followed by
   the first; else the result of a process that gets nothing stays as it is. */
int shift(pgid G, int steps, int cyclic, const void* data, void* result, size_t bytes);
int sync(pgid G);

/* ---- Operations that are prepared once and started many times ------------------------------------------------- */

/* As MPI-4's persistent collectives: ccl_bcast_init() works out what this process does in a bcast(), and each
   ccl_start() lets the NIC do it, without an instruction of the core. All members prepare the operation with the same
   arguments, and start it in the same order. Its buffers are in node memory (of nic_alloc(), or NIC_MEMORY variables),
   and belong to it from its start to its end. Operations that may be active at the same time have different tags, below
   NIC_TAGS. A function of your own cannot be prepared (NIC_BAD_ARGUMENT). Modes have no effect on what is started: a
   process goes on when it has done its part.

   A request takes node memory. ccl_request_free() gives that back if nothing else was taken meanwhile; else
   nic_free_all() does. */
struct ccl_request {
  unsigned handle;      /* 0: there is none */
  unsigned memory, end; /* what it has taken of node memory */
};
int ccl_bcast_init(pgid G, unsigned orig, void* data, size_t bytes, unsigned tag, struct ccl_request* request);
int ccl_reduce_init(pgid G, unsigned dest, const struct ccl_function* rfunc, const void* data, void* result,
                    unsigned count, unsigned tag, struct ccl_request* request);
int ccl_combine_init(pgid G, const struct ccl_function* rfunc, const void* data, void* result, unsigned count,
                     unsigned tag, struct ccl_request* request);
int ccl_scatter_init(pgid G, unsigned orig, const void* data, void* result, size_t bytes, unsigned tag,
                     struct ccl_request* request);
int ccl_gather_init(pgid G, unsigned dest, const void* data, void* result, size_t bytes, unsigned tag,
                    struct ccl_request* request);
int ccl_concat_init(pgid G, const void* data, void* result, size_t bytes, unsigned tag, struct ccl_request* request);
int ccl_index_init(pgid G, const void* data, void* result, size_t bytes, unsigned tag, struct ccl_request* request);
int ccl_prefix_init(pgid G, const struct ccl_function* rfunc, const void* data, void* result, unsigned count,
                    unsigned tag, struct ccl_request* request);
int ccl_shift_init(pgid G, int steps, int cyclic, const void* data, void* result, size_t bytes, unsigned tag,
                   struct ccl_request* request);
int ccl_sync_init(pgid G, unsigned tag, struct ccl_request* request);

/* NIC_CALL_ACTIVE if the operation is active, NIC_STALE_HANDLE if it was freed. At most four operations are active at a
   time; ccl_start() waits until one more can be. */
int ccl_start(struct ccl_request* request);
/* Whether the operation has ended. */
int ccl_test(struct ccl_request* request);
/* Returns when the operation has ended: 0, or NIC_TRANSFER_FAILED. At once if it is not active. */
int ccl_wait(struct ccl_request* request);
/* NIC_CALL_ACTIVE if the operation is active, NIC_STALE_HANDLE if it was freed before. */
int ccl_request_free(struct ccl_request* request);

#ifdef __cplusplus
}
#endif
#endif
