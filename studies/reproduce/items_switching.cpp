// Section 2.3 of Tsai 1997: the latency of a message by store-and-forward and by wormhole
// switching.
#include <fmt/format.h>

#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"

namespace annelid::reproduction {
namespace {

constexpr std::uint64_t kOverhead = 25;  // cycles, t_s and t_r; a hop and a flit take t_n = 1
constexpr std::uint64_t kMessageBytes = 1024;
constexpr double kMessageFlits = 2 + kMessageBytes / 8.0;  // with the two that lead it

/// A broadcast on a line of 2^d nodes from its end. By recursive doubling, the last node hears from
/// a chain of d messages over 2^d - 1 hops in all. In a pipeline with one packet, every node
/// stores the message and forwards it: 2^d - 1 hops again.
Run on_a_line(const char* algorithm, int nodes) {
  Run run;
  run.algorithm = algorithm;
  run.network = {nodes, 1, 1};
  run.bytes = kMessageBytes;
  run.alpha = run.gamma = kOverhead;
  if (run.algorithm == "linear-pipeline") run.packets = 1;
  return run;
}

/// The times that the formulas of Section 2.3 give for the chain of messages, cycles.
struct Chain {
  double wormhole = 0;           ///< t_s + (h + L) t_n + t_r for each message
  double printed = 0;            ///< t_s + h L t_n + t_r for each message
  double store_and_forward = 0;  ///< h (t_s + L t_n + t_r)
};
Chain chain_of(int nodes) {
  constexpr double kEnds = 2.0 * kOverhead;
  Chain chain;
  for (int hops = nodes / 2; hops >= 1; hops /= 2) {
    chain.wormhole += kEnds + hops + kMessageFlits;
    chain.printed += kEnds + hops * kMessageFlits;
  }
  chain.store_and_forward = (nodes - 1) * (kEnds + kMessageFlits);
  return chain;
}

}  // namespace

Outcome switching(Laboratory& lab) {
  const std::vector<int> sizes = {4, 8, 16, 32};
  std::vector<Run> runs;
  for (const char* algorithm : {"recursive-doubling", "linear-pipeline"}) {
    for (const int nodes : sizes) runs.push_back(on_a_line(algorithm, nodes));
  }
  const std::vector<Measured> measured = lab.measure(runs);
  const CoreRatios core = lab.core_ratios(measured);
  Outcome result;
  result.table.columns = {"hops of all messages",
                          "messages",
                          "wormhole",
                          "t_s + (h + L) t_n + t_r, summed",
                          "printed: t_s + h L t_n + t_r, summed",
                          "forwarded by the nodes",
                          "h (t_s + L t_n + t_r)",
                          "wormhole, first / native",
                          "wormhole, prepared / native",
                          "forwarded, first / native",
                          "forwarded, prepared / native"};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Chain chain = chain_of(sizes[i]);
    result.table.rows.push_back(
        {std::to_string(sizes[i] - 1), std::to_string(measured[i].steps),
         std::to_string(measured[i].last), fmt::format("{:.0f}", chain.wormhole),
         fmt::format("{:.0f}", chain.printed), std::to_string(measured[sizes.size() + i].last),
         fmt::format("{:.0f}", chain.store_and_forward), fmt::format("{:.2f}", core.first[i]),
         fmt::format("{:.2f}", core.prepared[i]),
         fmt::format("{:.2f}", core.first[sizes.size() + i]),
         fmt::format("{:.2f}", core.prepared[sizes.size() + i])});
  }
  const Chain chain = chain_of(sizes.back());
  const Measured &worms = measured[sizes.size() - 1], &forwarded = measured.back();
  const auto ratio = [](double formula, const Measured& m) {
    return static_cast<double>(m.last) / formula;
  };
  result.claims = {
      number("ratio of simulation to formula, wormhole switching, 31 hops",
             Formula{"t_s + (h + L) t_n + t_r, corrected", 1, 2}, ratio(chain.wormhole, worms),
             OnHardware({worms}), kApproximately,
             fact("The formula leaves out the NICs' own cycles of each message.")),
      number("ratio of simulation to formula, wormhole switching, 31 hops, as printed",
             Formula{"t_s + h L t_n + t_r, 2.3", 1, 2}, ratio(chain.printed, worms),
             OnHardware({worms}), kApproximately,
             fact("The printed product of h and L is a misprint: it would make wormhole switching "
                  "as sensitive to the distance as store-and-forward. Section 4.4.2 has the sum.")),
      number("ratio of simulation to formula, store-and-forward, 31 hops",
             Formula{"h (t_s + L t_n + t_r), 2.3", 1, 2}, ratio(chain.store_and_forward, forwarded),
             OnHardware({forwarded}), kApproximately,
             fact("The formula leaves out the NICs' own cycles of each hop."))};
  // One message alone, without start-up.
  const int hops = sizes.back() - 1;
  const MessageTrace trace{"switching-one-message",
                           {sizes.back(), 1, 1},
                           {{{0, 0, 0}, {hops, 0, 0}, kMessageBytes, 0, {}}}};
  const Played one = lab.play(trace);
  result.claims.push_back(count(fmt::format("cycles of one message over {} hops on the routers "
                                            "(`{}`)",
                                            hops, trace.command()),
                                Formula{"(h + L) t_n, 2.3 corrected", hops + kMessageFlits},
                                static_cast<long>(one.arrived().front()), OnRouters(one)));
  result.notes.push_back(fmt::format(
      "Broadcasts of {} bytes on lines of 4 to 32 nodes, with t_s = t_r = {} cycles. L is {:.0f} "
      "flits, two of which lead the message. The store-and-forward switching of Section 2.3 is "
      "done by the nodes: it \"requires intermediate nodes on the message path to receive "
      "incoming data and then forward it to the next node in the path\", and its formula has t_s "
      "and t_r for each hop. So the nodes receive the message and send it on: a linear pipeline "
      "with one packet. For wormhole switching it is recursive doubling, whose last node hears "
      "from a chain of messages that cover the same hops.",
      kMessageBytes, kOverhead, kMessageFlits));
  return result;
}

}  // namespace annelid::reproduction
