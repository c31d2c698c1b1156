#include "reference/pipelines/circulant.hpp"

#include <algorithm>
#include <stdexcept>

#include "reference/pipelines/reversed_flow.hpp"
#include "reference/schedule/index.hpp"
#include "reference/schedule/network.hpp"

namespace annelid::reference {
namespace {

std::vector<int> skips_of(int ranks) {
  const int rounds = fewest_steps(static_cast<std::uint64_t>(ranks), 1);
  std::vector<int> skips(at(rounds) + 1, ranks);
  for (int i = rounds - 1; i >= 0; --i) skips[at(i)] = (skips[at(i + 1)] + 1) / 2;
  return skips;
}

/// The last skip of the sum that makes `distance`, of skips given by number, the largest first; -1
/// if they make no such sum.
int last_skip_of(int distance, const std::vector<int>& skips, const std::vector<int>& numbers) {
  int last = -1;
  for (const int n : numbers) {
    if (distance < skips[at(n)]) continue;
    distance %= skips[at(n)];
    last = n;
  }
  return distance == 0 ? last : -1;
}

/// What is on its way to `rank` comes from nearer and nearer processes: from one that is reached
/// over skips of which the last, the packet's number, did not bring a packet to this rank before.
std::vector<int> received(int rank, int ranks, const std::vector<int>& skips) {
  const int rounds = static_cast<int>(skips.size()) - 1;
  std::vector<int> numbers, packets;
  for (int n = rounds; n >= 0; --n) numbers.push_back(n);
  const int base = rank == 0 ? rounds : last_skip_of(rank, skips, numbers);  // its first packet
  std::erase(numbers, base);
  const int target = ranks + rank;
  for (int i = 0, nearest = 2 * ranks; i < rounds; ++i) {
    int place = std::min(nearest - 1, target - skips[at(i)]);
    int last = last_skip_of(place, skips, numbers);
    // The sender of the last skip must have been there a round later at most.
    while (last < 0 || place - skips[at(last)] > target - skips[at(i + 1)]) {
      if (--place <= 0) throw std::logic_error("circulant schedule: nothing left to receive");
      last = last_skip_of(place, skips, numbers);
    }
    nearest = place;
    std::erase(numbers, last);
    packets.push_back(last == rounds ? base : last - rounds);
  }
  return packets;
}

}  // namespace

int CirculantSchedule::sends(int rank, int round) const {
  return receives[at((rank + skips[at(round)]) % ranks())][at(round)];
}

CirculantSchedule circulant_schedule(int ranks) {
  CirculantSchedule schedule{skips_of(ranks), {}};
  for (int r = 0; r < ranks; ++r) schedule.receives.push_back(received(r, ranks, schedule.skips));
  return schedule;
}

DataFlow circulant_broadcast(int ranks, int root, int packets) {
  DataFlow flow(ranks, static_cast<std::uint64_t>(packets));
  flow.results.push_back({0, ranks, 0, flow.parts, root});
  if (ranks == 1) return flow;
  const CirculantSchedule schedule = circulant_schedule(ranks);
  const int rounds = schedule.rounds(), steps = packets - 1 + rounds;
  const int skipped = (rounds - (packets - 1) % rounds) % rounds;  // so that the last round is full
  for (int step = 1; step <= steps; ++step) {
    const int t = step + skipped - 1, i = t % rounds;
    for (int r = 0; r < ranks; ++r) {
      const int to = (r + schedule.skips[at(i)]) % ranks;
      const int packet = schedule.sends(r, i) + t / rounds * rounds - skipped;
      if (packet < 0 || to == 0) continue;
      const auto part = static_cast<std::uint64_t>(std::min(packet, packets - 1));
      flow.send(step, {(root + r) % ranks, (root + to) % ranks, part, part + 1, root});
    }
  }
  return flow;
}

DataFlow circulant_reduction(int ranks, int root, int packets) {
  return reduction_in_reverse(circulant_broadcast(ranks, root, packets), root);
}

}  // namespace annelid::reference
