#include "systemc/router/router_assembly_of.hpp"

namespace annelid::systemc {

template class RouterArrayOf<SlotSpace<8, 0>, true>;
template class RouterArrayOf<SlotSpace<8, 1>, true>;
template class RouterArrayOf<SlotSpace<8, 2>, true>;
template class RouterArrayOf<SlotSpace<8, 3>, true>;
template Assemble assemble<8, true>;

}  // namespace annelid::systemc
