#include "systemc/kernel/router_assembly_of.hpp"

namespace annelid::systemc {

template class RouterArrayOf<SlotSpace<12, 0>, AllRouters>;
template class RouterArrayOf<SlotSpace<12, 1>, AllRouters>;
template class RouterArrayOf<SlotSpace<12, 2>, AllRouters>;
template class RouterArrayOf<SlotSpace<12, 3>, AllRouters>;
template Assemble assemble<12, AllRouters>;

}  // namespace annelid::systemc
