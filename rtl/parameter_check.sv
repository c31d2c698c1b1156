// Refuses parameters that no router can have (docs/internals/microarchitecture.md, section 2), and
// codes that choose no module. It generates no hardware.
module parameter_check #(
    /// The parameters of a router.
    parameter int Dims = 2,
    parameter int LocalPorts = 4,
    parameter int Vcs = 1,
    parameter int LocalVcs = 1,
    parameter int ControlVc = 0,
    parameter int Stages = 1,
    parameter int LinkRegisters = 0,
    parameter int Depth = 4,
    parameter int Arbiters = 0,
    parameter int Torus = 0,
    parameter int TorusClasses = 2,
    parameter int AllowDeadlock = 0,
    /// Local ports that a router of this kind can have.
    parameter int MaxLocalPorts = 2 * Dims,
    /// The codes of switch_core that no router sets.
    parameter int Routing = 0,
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
    `REFUSE(Dims < 1 || Dims > noc_pkg::MaxDims, "Dims: 1..3")
    `REFUSE(LocalPorts < 1 || LocalPorts > MaxLocalPorts,
            "LocalPorts: 1..2*Dims in all_port_router, 1 in one_port_router")
    `REFUSE(Vcs < 1 || Vcs > noc_pkg::MaxVcs, "Vcs: 1..8")
    `REFUSE(LocalVcs < 1 || LocalVcs > noc_pkg::MaxVcs, "LocalVcs: 1..8")
    `REFUSE(ControlVc != 0 && ControlVc != 1, "ControlVc: 0, 1")
    `REFUSE(Stages < 1 || Stages > noc_pkg::MaxStages, "Stages: 1..4")
    `REFUSE(LinkRegisters < 0 || LinkRegisters > noc_pkg::MaxLinkRegisters, "LinkRegisters: 0..4")
    `REFUSE(Depth < 1 || Depth > noc_pkg::MaxDepth, "Depth: 1..64")
    `REFUSE(Arbiters != 0 && Arbiters != 1, "Arbiters: 0, 1")
    `REFUSE(Torus < 0 || Torus >= (1 << Dims), "Torus: 0..2^Dims-1, bit d for a ring")
    `REFUSE(TorusClasses != 2 && TorusClasses != 3, "TorusClasses: 2, 3")
    `REFUSE(AllowDeadlock != 0 && AllowDeadlock != 1, "AllowDeadlock: 0, 1")
    `REFUSE(Torus != 0 && Vcs < TorusClasses && AllowDeadlock == 0,
            "Vcs: at least TorusClasses in a router with rings, unless AllowDeadlock is 1")
    `REFUSE(ControlVcs > 0 && Vcs + ControlVcs > noc_pkg::MaxVcs,
            "Vcs: at most 8 with the control VCs, one for each class of a channel")
    `REFUSE(ControlVc != 0 && LocalVcs + 1 > noc_pkg::MaxVcs,
            "LocalVcs: at most 8 with the control VC")
    `REFUSE(Routing != 0, "Routing: 0")
    `REFUSE(Allocator != 0, "Allocator: 0")
  endgenerate

`undef REFUSE

endmodule
