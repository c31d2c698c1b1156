// What the rows of a waveform are called in all views.
#pragma once

#include <string>
#include <string_view>

namespace annelid::waves {

/// Returns the row's name for the full name of its signal:
///
///     noc.n_2_0.xp.out.flit            2,0 xp              the channel that the router drives
///     noc.n_2_0.local1.out.flit        2,0 eject 1
///     noc.n_2_0.local1.in.flit         2,0 inject 1
///     noc.n_2_0.through_x.in.flit      2,0 inject 0        of a one-port router
///     noc.n_2_0.xp.in.flit             2,0 xp in           the neighbour's channel
///     noc.n_2_0.xp.out.tag[15:0]       2,0 xp tag
///     noc.n_2_0.xp.in.vc1.held_by      2,0 xp vc1 held by  of an input
///     noc.n_2_0.xp.out.vc1.owner       2,0 xp vc1 owner    of an output
///     noc.n_2_0.xp.out.pointer[3:0]    2,0 xp out pointer
///     noc.n_2_0.nic.send1              2,0 send1
///
/// No two signals have the same row name, except those at the two ends of one channel.
[[nodiscard]] std::string row_name(std::string_view signal);

}  // namespace annelid::waves
