#include "systemc/kernel/router_assembly_of.hpp"

namespace annelid::systemc {

template class RouterArrayOf<SlotSpace<8, 0>, AllRouters>;
template class RouterArrayOf<SlotSpace<8, 1>, AllRouters>;
template class RouterArrayOf<SlotSpace<8, 2>, AllRouters>;
template class RouterArrayOf<SlotSpace<8, 3>, AllRouters>;
template Assemble assemble<8, AllRouters>;

}  // namespace annelid::systemc
