#include "studies/reproduce/not_reproducible.hpp"

#include <array>

namespace annelid::reproduction {
namespace {

constexpr auto kAll = std::to_array<NotReproducible>({
    {"Ping-pong measurements between workstations, Figure 5.3", "Tsai 1997, 5.2",
     "They measure two computers, their operating systems, and an Ethernet. The curves are lost."},
    {"T_s and T_n of Table 5.1", "Tsai 1997, 5.2",
     "They are measurements of 23 systems. We compute only what the paper computes from them."},
    {"T_s and T_n of Table 5.6", "Tsai 1997, 5.5.1",
     "They are measurements by others on Ethernet, ATM, Myrinet, SP-2 and Paragon."},
    {"Measured all-to-all on an Ethernet, Figures 5.16 and 5.17, Table 5.7", "Tsai 1997, 5.5.2",
     "Collisions on a shared segment decide these times. Annelid has no shared medium."},
    {"The curves of all figures", "Tsai 1997; 2Tree 2009; InterCom 1994",
     "Our copies of the papers have no pictures. We compare what the texts say about them."},
    {"MultiSim, and the machines' routers", "Tsai 1997, 3.3.5",
     "The simulator and its configurations are not published. Our routers and NICs are our own."},
    {"Bandwidths in MB/s on Myrinet and InfiniBand, Figures 5 to 9", "2Tree 2009, 6",
     "The paper names neither start-up nor rate, and the figures are lost. We compare ratios."},
    {"The sudden drop of the butterfly's bandwidth", "2Tree 2009, 6.2",
     "The paper explains it by a protocol change in the software below, which we do not have."},
    {"Doubly pipelined scan: the drop around 4 MBytes", "2Tree 2009, 6.3",
     "The paper suspects a poor choice of its own block sizes, which it does not give."},
    {"Two trees of Fibonacci type", "2Tree 2009, 7", "The paper cites an unpublished manuscript."},
    {"Times of NX in Table 3, and Figure 4", "InterCom 1994, 7.2",
     "They are times of another vendor's library on a Paragon. Figure 4 is lost."},
    {"Generalised Fibonacci trees and cascaded hypercubes", "CCL 1995, 4.2",
     "The paper names them and gives no description. The circulant broadcast keeps their bounds of "
     "C2."},
});

}  // namespace

std::span<const NotReproducible> not_reproducible() { return kAll; }

}  // namespace annelid::reproduction
