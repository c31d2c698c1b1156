#include "nic/message_log.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

namespace annelid::nic {
namespace {

// A node has 24 bits in a mesh of at most 256 x 256 x 256.
std::uint64_t key_of(const MessageInfo& info) {
  return std::uint64_t{info.source} << 40 | std::uint64_t{info.destination} << 16 | info.sequence;
}

}  // namespace

MessageLog::Latest& MessageLog::latest(std::uint64_t key) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;
  std::size_t place = (key * kGolden >> 32U) & (latest_.size() - 1);
  while (latest_[place].place != Latest::kNone && latest_[place].key != key) {
    place = (place + 1) & (latest_.size() - 1);
  }
  return latest_[place];
}

void MessageLog::grow() {
  constexpr std::size_t kFirst = 64;
  std::vector<Latest> old(latest_.empty() ? kFirst : 2 * latest_.size());
  std::swap(old, latest_);
  for (const Latest& one : old) {
    if (one.place != Latest::kNone) latest(one.key) = one;
  }
}

MessageRecord& MessageLog::record(const MessageInfo& info) {
  const std::size_t place = latest_.empty() ? Latest::kNone : latest(key_of(info)).place;
  if (place == Latest::kNone) throw std::logic_error("MessageLog: a message that was not posted");
  return records_[place];
}

void MessageLog::send_posted(Cycle now, const MessageInfo& info) {
  if (2 * records_.size() >= latest_.size()) grow();
  latest(key_of(info)) = {key_of(info), records_.size()};
  MessageRecord& record = records_.emplace_back();
  record.info = info;
  record.posted = now;
}

void MessageLog::send_started(Cycle now, const MessageInfo& info, Port local) {
  MessageRecord& of_message = record(info);
  of_message.started = now;
  of_message.local = local;
}

void MessageLog::send_completed(Cycle now, const MessageInfo& info) { record(info).sent = now; }

void MessageLog::received(Cycle now, const MessageInfo& info) {
  MessageRecord& of_message = record(info);
  of_message.received = now;
  of_message.combined = info.combined;
}

const MessageRecord* MessageLog::find_other_tag(std::uint64_t first, std::uint64_t last) const {
  const auto found = std::ranges::find_if(
      records_, [&](const MessageRecord& r) { return r.info.tag < first || r.info.tag > last; });
  return found == records_.end() ? nullptr : &*found;
}

// Most nodes send to few others, one after the other, so their messages are in order already.
std::vector<MessageRecord> MessageLog::records() const {
  struct Entry {
    NodeId destination = 0;
    std::size_t place = 0;  // messages of one pair entered in the order of posting
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<std::size_t> ends;  // by source: of its entries
  for (const MessageRecord& r : records_) {
    if (r.info.source >= ends.size()) ends.resize(std::size_t{r.info.source} + 1);
    ++ends[r.info.source];
  }
  std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::size_t{0});
  std::vector<Entry> order(records_.size());
  for (std::size_t place = 0; place < records_.size(); ++place) {
    const MessageInfo& info = records_[place].info;
    order[ends[info.source]++] = {info.destination, place};
  }
  std::span<Entry> rest(order);
  for (const std::size_t end : ends) {
    const auto of_source = rest.first(end - (order.size() - rest.size()));
    if (!std::ranges::is_sorted(of_source)) std::ranges::sort(of_source);
    rest = rest.subspan(of_source.size());
  }
  std::vector<MessageRecord> sorted;
  sorted.reserve(order.size());
  for (const Entry& entry : order) sorted.push_back(records_[entry.place]);
  return sorted;
}

}  // namespace annelid::nic
