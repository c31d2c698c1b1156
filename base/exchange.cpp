#include "base/exchange.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/input_error.hpp"

namespace annelid {
namespace {

constexpr std::uint64_t kFailed = 1, kBadInput = 2;

std::uint64_t status_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const InputError&) {
    return kBadInput;
  } catch (...) {
    return kFailed;
  }
}

}  // namespace

std::vector<std::uint64_t> gathered_everywhere(Exchange& exchange,
                                               std::span<const std::uint64_t> own) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(exchange.processes()));
  const auto process = static_cast<std::ptrdiff_t>(exchange.process());
  counts[static_cast<std::size_t>(process)] = own.size();
  exchange.sum(counts);
  const auto before = std::accumulate(counts.begin(), counts.begin() + process, std::uint64_t{0});
  std::vector<std::uint64_t> all(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(before));
  exchange.sum(all);
  return all;
}

std::vector<std::string> gathered_texts(Exchange& exchange, const std::string& own) {
  std::vector<std::string> texts;
  for (const std::vector<char>& part : gathered<char>(exchange, own)) {
    texts.emplace_back(part.begin(), part.end());
  }
  return texts;
}

bool in_any(Exchange& exchange, bool own) {
  std::array<std::uint64_t, 1> none = {own ? 0u : 1u};
  exchange.least(none);
  return none[0] == 0;
}

void throw_together(Exchange& exchange, const std::exception_ptr& failure) {
  const auto process = static_cast<std::uint64_t>(exchange.process());
  const auto processes = static_cast<std::uint64_t>(exchange.processes());
  std::array<std::uint64_t, 1> first = {failure ? process : processes};
  exchange.least(first);
  if (first[0] == processes) return;
  std::array<std::uint64_t, 1> status = {first[0] == process ? status_of(failure) : 0};
  exchange.sum(status);
  if (first[0] == process) std::rethrow_exception(failure);
  throw EndedByOther{static_cast<int>(status[0])};
}

}  // namespace annelid
