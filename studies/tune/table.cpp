#include "studies/tune/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>
#include <vector>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "simulation/scenario/network_keys.hpp"

namespace annelid::studies {
namespace {

constexpr std::size_t kCyclesColumn = 7, kColumns = 9;
constexpr const char* kHeader =
    "configuration,operation,network,processes,algorithm,embedding,bytes,cycles,bytes_per_cycle\n";

}  // namespace

void TuneTable::resume() {
  for (const std::vector<std::string>& fields : read_csv(file_)) {
    if (fields.size() != kColumns) continue;
    const std::string& text = fields[kCyclesColumn];
    std::uint64_t cycles = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cycles);
    if (error == std::errc{} && end == text.data() + text.size() && cycles > 0) {
      cycles_[fields.front()] = cycles;
    }
  }
}

std::optional<std::uint64_t> TuneTable::cycles(const TunePoint& point) const {
  const auto found = cycles_.find(point.configuration);
  if (found == cycles_.end()) return std::nullopt;
  return found->second;
}

void TuneTable::write() const {
  std::vector<const TunePoint*> points;
  for (const TunePoint& point : grid_.points) {
    if (cycles(point)) points.push_back(&point);
  }
  std::ranges::stable_sort(
      points, {}, [](const TunePoint* p) { return std::tuple(p->in_case, p->curve, p->bytes); });
  std::string text = kHeader;
  for (const TunePoint* point : points) {
    const simulation::Collective& c = point->scenario.collective;
    const std::uint64_t measured = *cycles(*point);
    text += fmt::format("{},{},{},{},{},{},{},{},{:.4f}\n", point->configuration,
                        name_of(c.operation()),
                        csv_field(simulation::describe_network(point->scenario.network)),
                        grid_.cases[point->in_case].processes, c.algorithm->name,
                        c.algorithm->by_rank ? name_of(c.ranks.embedding) : "", c.bytes, measured,
                        static_cast<double>(c.bytes) / static_cast<double>(measured));
  }
  write_file(file_, text);
}

}  // namespace annelid::studies
