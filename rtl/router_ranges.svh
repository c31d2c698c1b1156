// Refuses values out of their range. For parameter_check.sv.
// Generated from interface/router.toml by generate_router; do not edit.
`REFUSE(Dims < 1 || Dims > 3,
        "Dims: 1..3")
`REFUSE(LocalPorts < 1 || LocalPorts > noc_pkg::most_local_ports(OnePort, Dims),
        "LocalPorts: 1..2*Dims in all_port_router, 1 in one_port_router")
`REFUSE(Vcs < 1 || Vcs > 8,
        "Vcs: 1..8")
`REFUSE(LocalVcs < 1 || LocalVcs > 8,
        "LocalVcs: 1..8")
`REFUSE(ControlVc != 0 && ControlVc != 1,
        "ControlVc: 0, 1")
`REFUSE(Stages < 1 || Stages > 4,
        "Stages: 1..4")
`REFUSE(LinkRegisters < 0 || LinkRegisters > 4,
        "LinkRegisters: 0..4")
`REFUSE(Depth < 1 || Depth > 64,
        "Depth: 1..64")
`REFUSE(Arbiters != 0 && Arbiters != 1 && Arbiters != 2,
        "Arbiters: 0, 1, 2")
`REFUSE(Routing != 0 && Routing != 1,
        "Routing: 0, 1")
`REFUSE(VcSelection != 0 && VcSelection != 1 && VcSelection != 2,
        "VcSelection: 0, 1, 2")
`REFUSE(Torus < 0 || Torus > (1 << Dims) - 1,
        "Torus: 0..2^Dims-1, bit d for a ring")
`REFUSE(TorusClasses != 2 && TorusClasses != 3,
        "TorusClasses: 2, 3")
`REFUSE(AllowDeadlock != 0 && AllowDeadlock != 1,
        "AllowDeadlock: 0, 1")
