#include "base/exchange.hpp"

#include <array>

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
  const auto rank = static_cast<std::uint64_t>(exchange.rank());
  const auto ranks = static_cast<std::uint64_t>(exchange.ranks());
  std::array<std::uint64_t, 1> first = {failure ? rank : ranks};
  exchange.least(first);
  if (first[0] == ranks) return;
  std::array<std::uint64_t, 1> status = {first[0] == rank ? status_of(failure) : 0};
  exchange.sum(status);
  if (first[0] == rank) std::rethrow_exception(failure);
  throw EndedByOther{static_cast<int>(status[0])};
}

}  // namespace annelid
