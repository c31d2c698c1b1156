#include "systemc/router/router_assembly_of.hpp"

namespace annelid::systemc {

template class RouterArrayOf<SlotSpace<12, 0>, false>;
template class RouterArrayOf<SlotSpace<12, 1>, false>;
template class RouterArrayOf<SlotSpace<12, 2>, false>;
template class RouterArrayOf<SlotSpace<12, 3>, false>;
template Assemble assemble<12, false>;

}  // namespace annelid::systemc
