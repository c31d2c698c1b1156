#include "systemc/modules/local_port.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace annelid::systemc {
namespace {

template <typename Number>
Number below(const char* what, Number found, int end) {
  if (found >= 0 && static_cast<std::int64_t>(found) < end) return found;
  throw ConfigError(what, std::to_string(found), "0 .. " + std::to_string(end - 1));
}

}  // namespace

LocalPort::LocalPort(const sc_core::sc_module_name& name, Network& network, NodeId node, int local)
    : sc_module(name),
      fabric_(network.fabric()),
      node_(below("node", std::int64_t{node}, static_cast<int>(network.config().nodes()))),
      local_(below("local port", local, network.config().router.local_ports)),
      vcs_(network.config().router.all_local_vcs()),
      data_vcs_(network.config().router.local_vcs),
      end_(*this),
      to_router_("to_router"),
      from_router_("from_router") {
  credits_.fill(network.config().router.depth);
  from_router_.bind(end_);
  network.attach(node_, local_, to_router_, from_router_);
  handle_ = fabric_.add(*this);
  fabric_.expect_outside_calls();
}

// ---- What the user's processes call
// ---------------------------------------------------------------

bool LocalPort::can_send(Vc vc) const {
  check_call(vc);
  return !sent_ && credits_[vc] > 0;
}

void LocalPort::send(const Flit& flit) {
  if (!can_send(flit.vc)) fail(sent_ ? "a second flit in one cycle" : "a flit without a credit");
  sent_ = flit;
  --credits_[flit.vc];
  fabric_.wake(handle_, fabric_.now());
}

const Flit* LocalPort::front(Vc vc) const {
  check_call(vc);
  return taken_ || received_[vc].empty() ? nullptr : &received_[vc].front();
}

Flit LocalPort::receive(Vc vc) {
  const Flit* const oldest = front(vc);
  if (oldest == nullptr) fail(taken_ ? "a second flit taken in one cycle" : "no flit to take");
  const Flit flit = *oldest;
  received_[vc].pop_front();
  taken_ = vc;
  fabric_.wake(handle_, fabric_.now());
  return flit;
}

void LocalPort::check_call(Vc vc) const {
  if (vc >= vcs_) fail("no such virtual channel");
  if (fabric_.is_step_time())
    fail("a call in the middle of a cycle: call at a clock's rising edge");
}

// ---- The cycle, in its middle
// -----------------------------------------------------------------------

Cycle LocalPort::step(Cycle now) {
  if (sent_) {
    const Flit flit = *std::exchange(sent_, std::nullopt);
    if (FabricObserver* const observer = fabric_.observer()) {
      const auto local = static_cast<Port>(local_);
      if (flit.head) {
        observer->packet(now, node_, local,
                         {.head = unpack_head(flit.data), .control = flit.vc >= data_vcs_});
      }
      observer->injected(now, node_, local, flit);
    }
    to_router_->put_flit(flit);
    notify();  // the next one may be sent
  }
  if (taken_) {
    to_router_->put_credit(*std::exchange(taken_, std::nullopt));
    notify();
  }
  return kNever;
}

void LocalPort::End::put_flit(const Flit& flit) {
  owner_.received_[flit.vc].push_back(flit);
  owner_.notify();
}

void LocalPort::End::put_credit(Vc vc) {
  ++owner_.credits_[vc];
  owner_.notify();
}

/// From the middle of the cycle to the edge that ends it.
void LocalPort::notify() {
  const sc_core::sc_time& period = fabric_.cycle_time();
  changed_.notify(sc_core::sc_time::from_value(period.value() - period.value() / 2));
}

void LocalPort::fail(const char* what) const {
  throw std::logic_error(std::string(name()) + ", cycle " + std::to_string(fabric_.now()) + ": " +
                         what);
}

}  // namespace annelid::systemc
