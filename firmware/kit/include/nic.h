/* For programs that run on the nodes of a network: who and where this node is, memory that messages can use, messages,
   and calls of collectives. docs/how-to/write-a-program.md shows how to use it.

   All nodes run the same program. Unless something else is said, a function returns 0 (NIC_SUCCESS) or another code of
   enum nic_call_result. */
#ifndef ANNELID_NIC_H
#define ANNELID_NIC_H

#include <stddef.h>
#include <stdint.h>

#include "nic_codes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The node ------------------------------------------------------------------------------------------------- */

/* This node's number, (z * size_y + y) * size_x + x, and how many nodes there are. */
unsigned nic_node(void);
unsigned nic_nodes(void);

struct nic_position {
  unsigned x, y, z;
};
struct nic_position nic_size(void); /* nodes in each dimension */
struct nic_position nic_position_of(unsigned node);
unsigned nic_node_at(unsigned x, unsigned y, unsigned z);

/* The cycle in which this is asked. */
uint64_t nic_cycle(void);

/* What a result means, such as "BAD_ARGUMENT". */
const char* nic_result_name(int result);

/* ---- Memory --------------------------------------------------------------------------------------------------- */

/* Messages move between the memories of the nodes, and never touch the core's own RAM. A variable in node memory:
     NIC_MEMORY static float row[1024];
   It is zero at the start, and it has no initializer. */
#define NIC_MEMORY __attribute__((section(".node_memory"), aligned(8)))

/* Takes bytes of node memory behind the variables, at a multiple of 8. The core stops (EBREAK) if there are none left.
   nic_free_all(p) gives back what nic_alloc() returned at `p`, and everything that was taken after it. */
void* nic_alloc(size_t bytes);
void nic_free_all(void* from);

/* ---- Messages ------------------------------------------------------------------------------------------------- */

/* Between two nodes, messages with the same tag arrive in the order in which they were sent. A tag is below
   NIC_TAGS. A buffer may lie in RAM; then it is copied. A send returns when its buffer may be written again, a receive
   when the message is there. The message must not be longer than the room. */
#define NIC_TAGS 0xff00u
int nic_send(unsigned to, const void* data, size_t bytes, unsigned tag);
int nic_receive(unsigned from, void* room, size_t bytes, unsigned tag);
/* Both at once, so that nodes in a circle do not wait for each other. */
int nic_send_receive(unsigned to, const void* data, unsigned from, void* room, size_t bytes, unsigned tag);

/* Open messages go to open receives only, which may take what comes first: from any node, with any tag, or both. So no
   open receive can get a message of nic_send() or of a collective. Between two nodes they arrive in the order in which
   they were sent, whatever their tags. An open send returns when a receive has taken its message. */
#define NIC_ANY (~0u)
struct nic_envelope {
  unsigned from, tag;
  size_t bytes;
};
int nic_send_open(unsigned to, const void* data, size_t bytes, unsigned tag);
/* Says in `envelope`, unless it is NULL, who has sent the message. */
int nic_receive_open(unsigned from, void* room, size_t bytes, unsigned tag, struct nic_envelope* envelope);

/* ---- Calls ---------------------------------------------------------------------------------------------------- */

/* A call of a collective, with the same words as a call of the host (firmware/README.md, "The host's calls"). Here the
   buffers are pointers into node memory. All members of the group make the call. `tag` is that of its messages. */
struct nic_words {
  unsigned operation; /* enum nic_operation */
  unsigned algorithm; /* enum nic_algorithm */
  unsigned group;     /* place of the group, 0 = all nodes */
  unsigned root;
  const void* source;
  void* target;
  unsigned count;
  unsigned type;  /* enum nic_type */
  unsigned op;    /* enum nic_operator */
  unsigned tag;
  void* scratch;
  unsigned parameter[3];
  unsigned flags;
};

/* A program has only those collectives that it names. At file scope, for each pair of operation and algorithm that
   nic_call() or nic_start() gets:
     NIC_USES(BROADCAST, EDN)
   Any other pair is an UNKNOWN_ALGORITHM. */
#ifdef __cplusplus
#define NIC_USES(operation, algorithm) \
  extern "C" const char nic_uses_##operation##_##algorithm[]; \
  NIC_USING(operation, algorithm)
#else
#define NIC_USES(operation, algorithm) \
  extern const char nic_uses_##operation##_##algorithm[]; \
  NIC_USING(operation, algorithm)
#endif
#define NIC_USING(operation, algorithm) \
  __attribute__((used, section(".nic_using"))) static const char* const nic_using_##operation##_##algorithm = \
      nic_uses_##operation##_##algorithm;

/* Makes the call, and returns when this node's part is done. The core sleeps while it waits. */
int nic_call(const struct nic_words* call);

/* The same in two steps, so that the program can compute meanwhile. Up to eight calls may be under way. Calls that are
   under way at the same time, at any nodes, have different tags. A request must not move until nic_wait() returns. */
struct nic_request {
  void* context;
  unsigned result;
};
void nic_start(struct nic_request* request, const struct nic_words* call);
/* Whether the call is done. It also moves all calls of this node forward. */
int nic_test(struct nic_request* request);
int nic_wait(struct nic_request* request);

/* ---- Calls that are prepared once and started many times -------------------------------------------------------- */

/* As MPI-4's persistent collectives: nic_prepare() works out what this node does in a call, and each
   nic_prepared_start() lets the NIC do it, without an instruction of the core. The words are those of nic_call(), by any
   algorithm that the program names; with NIC_BY_AUTO, the one that is fastest when it is started. All members prepare
   the call alike, and start it in the same order. Its buffers belong to it from its start to its end. Calls that may be
   active at the same time have different tags. What a list cannot do is refused: NIC_UNKNOWN_OPERATION, NIC_BAD_ARGUMENT
   (NIC_AFFINE, a buffer in RAM), NIC_DOES_NOT_FIT; NIC_NO_ROOM beyond 32 lists, or without node memory for one.

   The list takes node memory. nic_prepared_free() gives that back if nothing else was taken meanwhile; else
   nic_free_all() does. */
struct nic_prepared {
  unsigned handle;      /* 0: there is none */
  unsigned memory, end; /* what it has taken of node memory */
};
int nic_prepare(const struct nic_words* call, struct nic_prepared* request);
/* NIC_CALL_ACTIVE if the call is active, NIC_STALE_HANDLE if it was freed. At most four calls are active at a time;
   nic_prepared_start() waits until one more can be. */
int nic_prepared_start(struct nic_prepared* request);
/* Whether the call has ended. */
int nic_prepared_test(struct nic_prepared* request);
/* Returns when the call has ended: 0, or NIC_TRANSFER_FAILED. At once if it is not active. */
int nic_prepared_wait(struct nic_prepared* request);
/* NIC_CALL_ACTIVE if the call is active, NIC_STALE_HANDLE if it was freed before. */
int nic_prepared_free(struct nic_prepared* request);

/* ---- How the operations of intercom.h and ccl.h are performed -------------------------------------------------- */

/* A choice for an operation. All 0: as the operation is performed by itself.

   `algorithm` is an enum nic_algorithm that the program names by NIC_USES(operation, algorithm), and `parameter` and
   `flags` are the words of its call (firmware/README.md, "The host's calls"): packets, radix, groups, embedding, hybrid.
   NIC_BY_AUTO takes the algorithm that was measured as the fastest (docs/internals/algorithms/auto.md); its parameters
   are 0. A program has it for the operations that it names, NIC_USES(BROADCAST, AUTO), and for all of ccl.h that it
   calls if it is built with `annelid firmware build --auto`. Operations of ccl.h for which it has it take it by
   themselves.

   Without an algorithm, `costs` may choose it: see struct nic_costs. */
struct nic_costs {
  /* The model of CCL (Bala and others 1995, Section 4.1), T = C1 ts + C2 tc + f(C3), where f is linear. C1 is the number
     of steps, C2 the bytes in sequence, and C3 those of all messages together. */
  unsigned start_up; /* ts: cycles for a step */
  unsigned transfer; /* tc: cycles for 1024 bytes in sequence */
  unsigned load;     /* of f: cycles for 1024 bytes of all messages together */
};
struct nic_choice {
  unsigned algorithm, parameter[3], flags;
  struct nic_costs costs;
};

/* For all calls of an operation (an enum nic_operation) that this program makes, by either library, from now on. NULL
   takes it back. All nodes choose alike. The result is NIC_UNKNOWN_OPERATION if it is no collective operation, and
   NIC_UNKNOWN_ALGORITHM if the program does not name the algorithm for it. A call that its algorithm cannot make has the
   result that nic_call() would have, and nothing is sent. ccl_tune() chooses for one group. */
int nic_tune(unsigned operation, const struct nic_choice* choice);
/* For the next call of an operation, or its preparation, that this node makes, whatever its result: before all other
   choices. NULL takes it back. */
void nic_tune_next(const struct nic_choice* choice);

/* By an algorithm, with its own parameters. */
static inline struct nic_choice nic_by(unsigned algorithm) {
  struct nic_choice choice = {0, {0, 0, 0}, 0, {0, 0, 0}};
  choice.algorithm = algorithm;
  return choice;
}
/* In so many packets, 1 to 65535, or 0: by the length. (Sanders, Speck and Traeff 2009.) */
static inline struct nic_choice nic_by_packets(unsigned algorithm, unsigned packets) {
  struct nic_choice choice = nic_by(algorithm);
  choice.parameter[1] = packets;
  return choice;
}
/* By a radix from 2 on, or 0: 2 (CCL, Section 4.2): an all-to-all, a scatter or a gather. An all-to-all may have up to
   four radices, those of the lowest places first; the last one that is not 0 is also that of all further places. */
static inline struct nic_choice nic_by_radix(unsigned radix) { return nic_by_packets(NIC_BY_RADIX, radix); }
static inline struct nic_choice nic_by_radices(unsigned first, unsigned second, unsigned third, unsigned fourth) {
  struct nic_choice choice = nic_by_radix(first | second << 16);
  choice.parameter[0] = third | fourth << 16;
  return choice;
}
/* In groups of 2^k ranks (CCL, Section 4.2): an all-reduce in ceil(lg n) + k steps, or a scan. */
static inline struct nic_choice nic_by_leaders(unsigned k) { return nic_by_packets(NIC_BY_LEADERS, k); }
/* By a hybrid of InterCom (Barnett and others 1994, Section 6): the sizes of the logical mesh, 1 to 7, whose product is
   the number of ranks; the long or the short template; far or near dimensions first. */
struct nic_choice nic_by_hybrid(unsigned dimensions, const unsigned* sizes, int is_long, int far_first);
/* By the costs: among the algorithms of CCL's Section 4.2 for the operation that the program names, the one with the
   smallest T. NIC_UNKNOWN_ALGORITHM, at the call, if it names none of them. */
static inline struct nic_choice nic_by_costs(unsigned start_up, unsigned transfer, unsigned load) {
  struct nic_choice choice = nic_by(NIC_BY_NONE);
  choice.costs.start_up = start_up;
  choice.costs.transfer = transfer;
  choice.costs.load = load;
  return choice;
}

#ifdef __cplusplus
}
#endif
#endif
