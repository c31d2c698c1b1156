// Refuses parameters that no router can have (docs/internals/microarchitecture.md, section 2). It
// generates no hardware.
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
    parameter int MatrixArbiters = 0,
    parameter int Torus = 0,
    parameter int TorusClasses = 2,
    parameter int AllowDeadlock = 0,
    /// Local ports that a router of this kind can have.
    parameter int MaxLocalPorts = 2 * Dims,
    /// Derived, not to be set: the most control VCs that any external channel has.
    localparam int ControlVcs = noc_pkg::most_control_vcs(ControlVc, Vcs, Torus, TorusClasses)
) ();

  initial if (Dims < 1 || Dims > noc_pkg::MaxDims) $fatal(1, "Dims: 1..3");
  initial if (LocalPorts < 1 || LocalPorts > MaxLocalPorts)
    $fatal(1, "LocalPorts: 1..2*Dims in all_port_router, 1 in one_port_router");
  initial if (Vcs < 1 || Vcs > noc_pkg::MaxVcs) $fatal(1, "Vcs: 1..8");
  initial if (LocalVcs < 1 || LocalVcs > noc_pkg::MaxVcs) $fatal(1, "LocalVcs: 1..8");
  initial if (ControlVc != 0 && ControlVc != 1) $fatal(1, "ControlVc: 0, 1");
  initial if (Stages < 1 || Stages > noc_pkg::MaxStages) $fatal(1, "Stages: 1..4");
  initial if (LinkRegisters < 0 || LinkRegisters > noc_pkg::MaxLinkRegisters)
    $fatal(1, "LinkRegisters: 0..4");
  initial if (Depth < 1 || Depth > noc_pkg::MaxDepth) $fatal(1, "Depth: 1..64");
  initial if (MatrixArbiters != 0 && MatrixArbiters != 1) $fatal(1, "MatrixArbiters: 0, 1");
  initial if (Torus < 0 || Torus >= (1 << Dims)) $fatal(1, "Torus: 0..2^Dims-1, bit d for a ring");
  initial if (TorusClasses != 2 && TorusClasses != 3) $fatal(1, "TorusClasses: 2, 3");
  initial if (AllowDeadlock != 0 && AllowDeadlock != 1) $fatal(1, "AllowDeadlock: 0, 1");
  initial if (Torus != 0 && Vcs < TorusClasses && AllowDeadlock == 0)
    $fatal(1, "Vcs: at least TorusClasses in a router with rings, unless AllowDeadlock is 1");
  initial if (ControlVcs == 1 && Vcs + 1 > noc_pkg::MaxVcs)
    $fatal(1, "Vcs: %0d data VCs and 1 control VC make %0d of at most 8", Vcs, Vcs + 1);
  initial if (ControlVcs > 1 && Vcs + ControlVcs > noc_pkg::MaxVcs)
    $fatal(1, "Vcs: %0d data VCs and %0d control VCs make %0d of at most 8", Vcs, ControlVcs,
           Vcs + ControlVcs);
  initial if (ControlVc != 0 && LocalVcs + 1 > noc_pkg::MaxVcs)
    $fatal(1, "LocalVcs: %0d data VCs and 1 control VC make %0d of at most 8", LocalVcs,
           LocalVcs + 1);

endmodule
