#include "systemc/router/router_assembly_of.hpp"

namespace annelid::systemc {

template class RouterArrayOf<SlotSpace<8, 0>, false>;
template class RouterArrayOf<SlotSpace<8, 1>, false>;
template class RouterArrayOf<SlotSpace<8, 2>, false>;
template class RouterArrayOf<SlotSpace<8, 3>, false>;
template Assemble assemble<8, false>;

}  // namespace annelid::systemc
