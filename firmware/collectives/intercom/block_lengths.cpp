#include "firmware/collectives/intercom/block_lengths.hpp"

namespace annelid::firmware::intercom {

bool BlockLengths::fit(const Context& me, std::uint32_t ranks) {
  const Call& call = me.call();
  if (!is_listed(call)) {
    return call.bytes() <= reg::kMaxMessageBytes &&
           std::uint64_t{call.bytes()} * ranks <= reg::kMaxMessageBytes;
  }
  const std::uint32_t list = call.parameter(0);
  if (call.count() != 0 || list % 4 != 0 || !me.in_memory(list, std::uint64_t{ranks} * 4))
    return false;
  std::uint64_t elements = 0;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    elements += me.memory().load<std::uint32_t>(list + 4 * rank);
  return elements << log2_bytes(call.type()) <= reg::kMaxMessageBytes;
}

BlockLengths::BlockLengths(const Context& me, std::uint32_t ranks)
    : memory_(me.memory()),
      listed_(is_listed(me.call())),
      list_(me.call().parameter(0)),
      shift_(log2_bytes(me.call().type())),
      equal_(me.call().bytes()),
      all_(equal_ * ranks),
      longest_(equal_) {
  for (std::uint32_t rank = 0; listed_ && rank < ranks; ++rank) {
    const std::uint32_t bytes = (*this)[rank];
    all_ += bytes;
    if (bytes > longest_) longest_ = bytes;
  }
}

void write_begins(Memory memory, const LogicalMesh& mesh, const BlockLengths& lengths,
                  std::uint32_t begins) {
  const std::uint32_t ranks = mesh.places();
  PlacesOfRanks places(mesh);
  for (std::uint32_t rank = 0; rank < ranks; ++rank, places.next()) {
    const std::uint32_t place = mesh.permutes() ? places.place() : rank;
    memory.store(begins + 4 * place, lengths[rank]);
  }
  std::uint32_t begin = 0;
  for (std::uint32_t place = 0; place < ranks; ++place) {
    const auto bytes = memory.load<std::uint32_t>(begins + 4 * place);
    memory.store(begins + 4 * place, begin);
    begin += bytes;
  }
  memory.store(begins + 4 * ranks, begin);
}

}  // namespace annelid::firmware::intercom
