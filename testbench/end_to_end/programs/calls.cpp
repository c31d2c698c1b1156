// Calls with the words of the host, by a program in C++: trees and algorithms by rank, blocking and
// in two steps.
#include <nic.h>
#include <stdio.h>

#include <algorithm>

NIC_USES(BROADCAST, EDN)
NIC_USES(BROADCAST, TWO_TREE)
NIC_USES(REDUCE, EDN)
NIC_USES(ALL_REDUCE, EDN)
NIC_USES(BARRIER, DISSEMINATION)
NIC_USES(SEND, NONE)
NIC_USES(RECEIVE, NONE)

namespace {

constexpr unsigned kCount = 100;

NIC_MEMORY int vector[kCount], other[kCount], result[kCount], sent[kCount], received[kCount];
NIC_MEMORY char scratch[9 * sizeof vector];

int failures = 0;

void require(bool held, const char* what) {
  if (held) return;
  printf("node %u: %s\n", nic_node(), what);
  ++failures;
}

nic_words words_of(unsigned operation, unsigned algorithm) {
  nic_words words{};
  words.operation = operation;
  words.algorithm = algorithm;
  words.source = vector;
  words.target = result;
  words.count = kCount;
  words.type = NIC_INT32;
  words.op = NIC_SUM;
  words.scratch = scratch;
  words.tag = 1;
  return words;
}

void fill(int* to, int from) {
  for (unsigned i = 0; i < kCount; ++i) to[i] = from + static_cast<int>(i);
}
bool is_filled(const int* values, int from, int factor = 1) {
  return std::all_of(values, values + kCount,
                     [&, i = 0](int v) mutable { return v == from + factor * i++; });
}

}  // namespace

int main() {
  const unsigned nodes = nic_nodes(), node = nic_node();
  const int n = static_cast<int>(nodes), sum_of_nodes = n * (n - 1) / 2;

  // A tree from another root than node 0.
  nic_words words = words_of(NIC_BROADCAST, NIC_BY_EDN);
  words.root = 3;
  fill(vector, node == 3 ? 1000 : 0);
  require(nic_call(&words) == NIC_SUCCESS && is_filled(vector, 1000), "broadcast by edn");

  fill(vector, static_cast<int>(node));
  words = words_of(NIC_REDUCE, NIC_BY_EDN);
  require(nic_call(&words) == NIC_SUCCESS, "reduce by edn fails");
  require(node != 0 || is_filled(result, sum_of_nodes, n), "reduce by edn");
  words = words_of(NIC_ALL_REDUCE, NIC_BY_EDN);
  require(nic_call(&words) == NIC_SUCCESS && is_filled(result, sum_of_nodes, n),
          "all-reduce by edn");

  // Two calls at the same time, and a message beside them.
  fill(vector, node == 0 ? 50 : 0);
  fill(other, node == nodes - 1 ? 70 : 0);
  nic_words first = words_of(NIC_BROADCAST, NIC_BY_TWO_TREE), second = first;
  second.source = other;
  second.root = nodes - 1;
  second.tag = 2;
  nic_words send = words_of(NIC_SEND, NIC_BY_NONE), receive = words_of(NIC_RECEIVE, NIC_BY_NONE);
  fill(sent, 7 * static_cast<int>(node));
  send.source = sent;
  send.root = (node + 1) % nodes;
  receive.target = received;
  receive.root = (node + nodes - 1) % nodes;
  receive.op = NIC_NO_OPERATOR;
  send.tag = receive.tag = 3;
  nic_request requests[4];
  nic_start(&requests[0], &first);
  nic_start(&requests[1], &second);
  nic_start(&requests[2], &receive);
  nic_start(&requests[3], &send);
  while (nic_test(&requests[1]) == 0) {
  }
  for (nic_request& request : requests)
    require(nic_wait(&request) == NIC_SUCCESS, "a call of four fails");
  require(is_filled(vector, 50) && is_filled(other, 70), "two broadcasts at the same time");
  require(is_filled(received, 7 * static_cast<int>(receive.root)), "a message beside them");

  words = words_of(NIC_BARRIER, NIC_BY_DISSEMINATION);
  require(nic_call(&words) == NIC_SUCCESS, "barrier");

  // What is refused, before anything is sent.
  int on_stack[kCount] = {};
  words = words_of(NIC_BROADCAST, NIC_BY_EDN);
  words.source = on_stack;
  require(nic_call(&words) == NIC_BAD_ARGUMENT, "a buffer in RAM");
  words = words_of(NIC_BROADCAST, NIC_BY_RING);
  require(nic_call(&words) == NIC_UNKNOWN_ALGORITHM, "an algorithm that is not named");
  words = words_of(NIC_BROADCAST, NIC_BY_EDN);
  words.group = 5;
  require(nic_call(&words) == NIC_NO_SUCH_GROUP, "a group that does not exist");
  words.group = 0;
  words.root = nodes;
  require(nic_call(&words) == NIC_BAD_ARGUMENT, "a root that does not exist");
  return failures;
}
