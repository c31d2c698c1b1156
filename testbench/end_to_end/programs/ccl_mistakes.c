// Node 2 gives another argument than all others, or calls another function; the program's argument
// says which. Afterwards all make a call without a mistake. The exit status is 0 if the mistaken
// call was a NIC_BAD_ARGUMENT, or had no group, and the other one went well.
#include <ccl.h>
#include <nic.h>
#include <stdio.h>
#include <string.h>

static void join(void* result, const void* left, const void* right, unsigned count) {
  memmove(result, left, 4 * count);
  (void)right;
}
static const struct ccl_function kJoin = {.bytes = 4, .apply = join};

NIC_MEMORY static unsigned source[256], target[256];

static unsigned other_than(unsigned value, int wrong) { return wrong ? value + 1 : value; }

static int call_with_mistake(const char* what, int wrong) {
  if (strcmp(what, "none") == 0) return bcast(ALL, 3, target, 8) == 0 ? NIC_BAD_ARGUMENT : 1;
  if (strcmp(what, "orig") == 0) return bcast(ALL, other_than(3, wrong), target, 8);
  if (strcmp(what, "bytes") == 0) return gather(ALL, 1, source, target, wrong ? 4 : 8);
  if (strcmp(what, "rfunc") == 0)
    return combine(ALL, wrong ? &max_int32 : &sum_int32, source, target, 2);
  if (strcmp(what, "own") == 0) return combine(ALL, wrong ? &kJoin : &sum_int32, source, target, 2);
  if (strcmp(what, "steps") == 0) return shift(ALL, wrong ? -1 : 2, 1, source, target, 8);
  if (strcmp(what, "cyclic") == 0) return shift(ALL, 1, !wrong, source, target, 8);
  if (strcmp(what, "function") == 0)
    return wrong ? concat(ALL, source, target, 8) : index(ALL, source, target, 8);
  if (strcmp(what, "grid") == 0) {
    pgid row, column;
    return form2dgrid(ALL, wrong ? 1 : 2, wrong ? nic_nodes() : nic_nodes() / 2, &row, &column);
  }
  if (strcmp(what, "list") == 0) {
    unsigned list[] = {0, 1, 2, 3};
    if (wrong) list[3] = 1, list[1] = 3;
    if (mypid > 3) return NIC_BAD_ARGUMENT;
    return group(4, list, 7) == NO_GROUP ? NIC_BAD_ARGUMENT : 1;
  }
  /* Groups whose first members are the same, and groups whose first members are not. */
  const int same_first = strcmp(what, "group") == 0;
  const pgid part = partition(ALL, mypid % 2, same_first ? (int)mypid : -(int)mypid);
  if (same_first || strcmp(what, "part") == 0) return concat(wrong ? part : ALL, source, target, 8);
  /* Node 2 does nothing. */
  return wrong ? NIC_BAD_ARGUMENT : sync(ALL);
}

int main(int argc, char** argv) {
  if (argc != 2) return 3;
  const int result = call_with_mistake(argv[1], mypid == 2);
  if (result != NIC_BAD_ARGUMENT) return 4;
  unsigned value = mypid == 1 ? 42 : 0;
  return bcast(ALL, 1, &value, sizeof value) == 0 && value == 42 ? 0 : 5;
}
