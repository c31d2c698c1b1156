#include "systemc/router/router_array_of.hpp"

namespace annelid::systemc {

template class RouterArrayOf<SlotSpace<12, 0>, false>;
template class RouterArrayOf<SlotSpace<12, 1>, false>;
template class RouterArrayOf<SlotSpace<12, 2>, false>;
template class RouterArrayOf<SlotSpace<12, 3>, false>;

}  // namespace annelid::systemc
