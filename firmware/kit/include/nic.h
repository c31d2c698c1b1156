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

#ifdef __cplusplus
}
#endif
#endif
