// The parameters of a router as those of an instance.
// Generated from interface/router.toml by generate_router; do not edit.
.Dims(Dims),
.LocalPorts(LocalPorts),
.Vcs(Vcs),
.LocalVcs(LocalVcs),
.ControlVc(ControlVc),
.Stages(Stages),
.LinkRegisters(LinkRegisters),
.Depth(Depth),
.Arbiters(Arbiters),
.Allocator(Allocator),
.Iterations(Iterations),
.Routing(Routing),
.VcSelection(VcSelection),
.Torus(Torus),
.TorusClasses(TorusClasses),
.AllowDeadlock(AllowDeadlock)
