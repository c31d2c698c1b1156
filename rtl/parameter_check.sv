// Refuses parameters that no router can have (docs/internals/microarchitecture.md, section 2), and
// codes that choose no module. It generates no hardware.
module parameter_check #(
    /// 1: of a one-port router, 0: of an all-port router.
    parameter int OnePort = 0,
    `include "router_parameters.svh"
    ,
    /// The code of switch_core that no router sets.
    parameter int Allocator = 0,
    /// Derived, not to be set: the most control VCs that any external channel has.
    localparam int ControlVcs = noc_pkg::most_control_vcs(ControlVc, Vcs, Torus, TorusClasses)
) ();

  // Icarus 11 has no $error in elaboration: there the simulation ends as it starts.
`ifdef __ICARUS__
`define REFUSE(condition, message) initial if (condition) $fatal(1, message);
`else
`define REFUSE(condition, message) if (condition) $error(message);
`endif

  generate
    `include "router_ranges.svh"
    `REFUSE(OnePort != 0 && Routing != 0, "Routing: 0 in one_port_router")
    `REFUSE(Torus != 0 && Vcs < TorusClasses && AllowDeadlock == 0,
            "Vcs: at least TorusClasses in a router with rings, unless AllowDeadlock is 1")
    `REFUSE(ControlVcs > 0 && Vcs + ControlVcs > noc_pkg::MaxVcs,
            "Vcs: at most 8 with the control VCs, one for each class of a channel")
    `REFUSE(ControlVc != 0 && LocalVcs + 1 > noc_pkg::MaxVcs,
            "LocalVcs: at most 8 with the control VC")
    `REFUSE(Allocator != 0, "Allocator: 0")
  endgenerate

`undef REFUSE

endmodule
