// The error registers, and the observer of errors (docs/internals/nic/errors.md).
#pragma once

#include <string>

#include "nic/nic_observer.hpp"

namespace annelid::nic {

/// The peer, tag and id that an error concerns. A field that does not apply is 0.
struct ErrorSubject {
  Address peer;
  std::uint16_t tag = 0, id = 0;
};

/// Keeps the first error since the last clear(). The observer gets every error.
class Errors {
 public:
  explicit Errors(NodeId node) : node_(node) {}

  void set_observer(NicObserver* observer) {
    observer_ = observer;
    of_matches_ = observer != nullptr && observer->takes_matches() ? observer : nullptr;
  }

  /// Reports an error. `text` says what was found and what was expected.
  void fail(Cycle now, reg::ErrorCause cause, const ErrorSubject& subject,
            const std::string& text) {
    if (cause_ == reg::ErrorCause::kNone) {
      cause_ = cause;
      subject_ = subject;
    }
    if (observer_ != nullptr) observer_->failed(now, node_, cause, text);
  }
  /// Used by Match, which reports its results to the same observer.
  void matched(Cycle now, const MatchInfo& match) const {
    if (of_matches_ != nullptr) of_matches_->matched(now, node_, match);
  }
  void clear() {
    cause_ = reg::ErrorCause::kNone;
    subject_ = {};
  }
  [[nodiscard]] reg::ErrorCause cause() const { return cause_; }
  [[nodiscard]] const ErrorSubject& subject() const { return subject_; }

 private:
  NodeId node_;
  NicObserver *observer_ = nullptr, *of_matches_ = nullptr;
  reg::ErrorCause cause_ = reg::ErrorCause::kNone;
  ErrorSubject subject_;
};

}  // namespace annelid::nic
