#include "simulation/results/call_messages.hpp"

#include <array>
#include <utility>

namespace annelid::simulation {
namespace {

constexpr unsigned kDigitBits = 8;

/// Sorts places by the digit of their message's step that begins at bit `shift`; those with the
/// same one stay in their order.
void sort_by_digit(const std::vector<nic::MessageRecord>& messages, unsigned shift,
                   std::vector<std::uint32_t>& places, std::vector<std::uint32_t>& sorted) {
  constexpr std::uint32_t kDigits = 1U << kDigitBits;
  const auto digit = [&](std::uint32_t place) {
    return messages[place].info.step >> shift & (kDigits - 1);
  };
  std::array<std::uint32_t, kDigits + 1> begins{};
  for (const std::uint32_t place : places) ++begins.at(digit(place) + 1);
  for (std::uint32_t d = 0; d < kDigits; ++d) begins.at(d + 1) += begins.at(d);
  for (const std::uint32_t place : places) sorted[begins.at(digit(place))++] = place;
  std::swap(places, sorted);
}

}  // namespace

MessagesByStep::MessagesByStep(const std::vector<nic::MessageRecord>& messages) {
  std::uint32_t bits = 0;  // of all steps
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    const nic::MessageInfo& info = messages[i].info;
    if (info.source == info.destination) continue;
    places_.push_back(i);
    bits |= info.step;
  }
  std::vector<std::uint32_t> sorted(places_.size());
  for (unsigned shift = 0; shift < 32 && bits >> shift != 0; shift += kDigitBits) {
    sort_by_digit(messages, shift, places_, sorted);
  }
  const auto step_of = [&](std::size_t i) { return messages[places_[i]].info.step; };
  for (std::size_t begin = 0; begin < places_.size();) {
    std::size_t end = begin + 1;
    while (end < places_.size() && step_of(end) == step_of(begin)) ++end;
    steps_.push_back({step_of(begin), std::span(places_).subspan(begin, end - begin)});
    begin = end;
  }
}

}  // namespace annelid::simulation
