#include "systemc/kernel/router_assembly_of.hpp"

namespace annelid::systemc {

template class RouterArrayOf<SlotSpace<8, 0>, PlainRouters>;
template class RouterArrayOf<SlotSpace<8, 1>, PlainRouters>;
template class RouterArrayOf<SlotSpace<8, 2>, PlainRouters>;
template class RouterArrayOf<SlotSpace<8, 3>, PlainRouters>;
template Assemble assemble<8, PlainRouters>;

}  // namespace annelid::systemc
