#include "systemc/kernel/router_assembly_of.hpp"

namespace annelid::systemc {

template class RouterArrayOf<SlotSpace<12, 0>, PlainRouters>;
template class RouterArrayOf<SlotSpace<12, 1>, PlainRouters>;
template class RouterArrayOf<SlotSpace<12, 2>, PlainRouters>;
template class RouterArrayOf<SlotSpace<12, 3>, PlainRouters>;
template Assemble assemble<12, PlainRouters>;

}  // namespace annelid::systemc
