#include "waves/fst_reader.hpp"

#include <fstapi.h>

#include <cstring>
#include <stdexcept>
#include <unordered_map>

namespace annelid::waves {
namespace {

struct Collector {
  std::unordered_map<std::uint32_t, std::size_t> places;
  std::vector<std::vector<FstReader::Change>> changes;
};

void collect(void* collector, std::uint64_t time, fstHandle signal, const unsigned char* value,
             std::uint32_t length) {
  auto& to = *static_cast<Collector*>(collector);
  to.changes[to.places.at(signal)].push_back(
      {time, std::string(reinterpret_cast<const char*>(value), length)});
}

void collect_bits(void* collector, std::uint64_t time, fstHandle signal,
                  const unsigned char* value) {
  collect(collector, time, signal, value,
          static_cast<std::uint32_t>(std::strlen(reinterpret_cast<const char*>(value))));
}

}  // namespace

FstReader::FstReader(const std::filesystem::path& path) : file_(fstReaderOpen(path.c_str())) {
  if (file_ == nullptr) throw std::runtime_error(path.string() + ": no FST file");
  begin_ = fstReaderGetStartTime(file_);
  end_ = fstReaderGetEndTime(file_);
  std::vector<std::string> scopes{""};
  while (const fstHier* item = fstReaderIterateHier(file_)) {
    if (item->htyp == FST_HT_SCOPE) scopes.push_back(scopes.back() + item->u.scope.name + ".");
    if (item->htyp == FST_HT_UPSCOPE) scopes.pop_back();
    if (item->htyp != FST_HT_VAR) continue;
    names_.push_back({scopes.back() + item->u.var.name, item->u.var.handle});
  }
}

FstReader::~FstReader() { fstReaderClose(file_); }

std::vector<std::vector<FstReader::Change>> FstReader::read(
    const std::vector<std::uint32_t>& signals) {
  Collector collector;
  fstReaderClrFacProcessMaskAll(file_);
  std::vector<std::size_t> place_of;
  for (const std::uint32_t signal : signals) {
    const auto [place, added] = collector.places.emplace(signal, collector.changes.size());
    if (added) {
      collector.changes.emplace_back();
      fstReaderSetFacProcessMask(file_, signal);
    }
    place_of.push_back(place->second);
  }
  fstReaderIterBlocks2(file_, collect_bits, collect, &collector, nullptr);
  std::vector<std::vector<Change>> result;
  result.reserve(place_of.size());
  for (const std::size_t place : place_of) result.push_back(collector.changes[place]);
  return result;
}

}  // namespace annelid::waves
