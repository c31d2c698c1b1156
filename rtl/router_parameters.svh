// The parameters of a router, for a parameter list behind OnePort.
// Generated from interface/router.toml by generate_router; do not edit.
/// Dimensions: 1..3
parameter int Dims = 2,
/// Local ports (injection and ejection ports): 1..2n; one-port: 1
parameter int LocalPorts = noc_pkg::most_local_ports(OnePort, Dims),
/// Data virtual channels per external and internal channel: 1..8
parameter int Vcs = 1,
/// Data virtual channels per local channel: 1..8
parameter int LocalVcs = 1,
/// Each class of a channel has a virtual channel for control packets beside those for data: 0, 1
parameter int ControlVc = 0,
/// Pipeline stages: 1..4
parameter int Stages = 1,
/// Link registers of an external channel: 0..4
parameter int LinkRegisters = 0,
/// Flit-buffer depth per virtual channel, flits: 1..64
parameter int Depth = noc_pkg::default_depth(4, Stages, LinkRegisters),
/// The kind of all arbiters: 0 round-robin, 1 matrix, 2 fixed-priority
parameter int Arbiters = 0,
/// The routing function: 0 xy, 1 yx
parameter int Routing = 0,
/// Which of several free VCs a head takes: 0 lowest, 1 rotating, 2 most-credits
parameter int VcSelection = 0,
/// The dimensions that are rings (torus): bit d for dimension d: any subset
parameter int Torus = 0,
/// The classes of virtual channels in rings; the code is their number `C`: 2 dateline, 3 plh
parameter int TorusClasses = 2,
/// Accept `V < C` although there are rings, or a cyclic network: 0, 1
parameter int AllowDeadlock = 0
