#include <fmt/format.h>

#include <algorithm>

#include "simulation/scenario/network_keys.hpp"
#include "studies/tune/tune_result.hpp"

namespace annelid::studies {
namespace {

std::string second_text(const TuneResult& r, std::size_t size) {
  const std::vector<std::size_t> ranking = r.ranking(size);
  if (ranking.size() < 2) return "";
  const TuneCurve &first = r.curves[ranking[0]], &second = r.curves[ranking[1]];
  const double more =
      static_cast<double>(second.cycles[size]) / static_cast<double>(first.cycles[size]) - 1;
  return fmt::format("{} (+{:.1f} %)", second.algorithm->name, 100 * more);
}

std::string crossovers_text(const TuneResult& r, int refined) {
  if (r.fastest.size() < 2) return "  no crossover: one algorithm is the fastest throughout\n";
  std::string text =
      fmt::format("  crossovers, interpolated between {}:\n",
                  refined > 0 ? fmt::format("sizes that {} round{} of bisection added", refined,
                                            refined == 1 ? "" : "s")
                              : "the sizes that were measured");
  for (std::size_t i = 1; i < r.fastest.size(); ++i) {
    text += fmt::format("    from {:>8} bytes  {} (before: {})\n", r.fastest[i].from,
                        r.curves[r.fastest[i].curve].algorithm->name,
                        r.curves[r.fastest[i - 1].curve].algorithm->name);
  }
  return text;
}

}  // namespace

std::string tune_summary(const TuneResult& r, int refined) {
  std::size_t width = 7;
  for (const TuneCurve& c : r.curves) width = std::max(width, c.algorithm->name.size());
  std::string text =
      fmt::format("{}: {} algorithms\n\n  {:>8}  {:<{}}  {:>9}  bytes/cycle  second\n",
                  describe(*r.of), r.curves.size(), "bytes", "fastest", width, "cycles");
  for (std::size_t i = 0; i < r.bytes.size(); ++i) {
    const std::size_t best = r.ranking(i).front();
    const TuneCurve& c = r.curves[best];
    text += fmt::format("  {:>8}  {:<{}}  {:>9}  {:>11.4f}  {}\n", r.bytes[i], c.algorithm->name,
                        width, c.cycles[i], r.bandwidth(best, i), second_text(r, i));
  }
  return text + "\n" + crossovers_text(r, refined);
}

}  // namespace annelid::studies
