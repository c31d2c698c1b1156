#include "systemc/router/router_assembly_of.hpp"

namespace annelid::systemc {

template class RouterArrayOf<SlotSpace<12, 0>, true>;
template class RouterArrayOf<SlotSpace<12, 1>, true>;
template class RouterArrayOf<SlotSpace<12, 2>, true>;
template class RouterArrayOf<SlotSpace<12, 3>, true>;
template Assemble assemble<12, true>;

}  // namespace annelid::systemc
