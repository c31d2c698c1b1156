// Sizes and positions that every module of the router agrees on (docs/microarchitecture.md,
// sections 2, 3 and 8). Nothing here depends on the configuration.
package noc_pkg;

  localparam int MaxDims = 3;
  localparam int MaxDepth = 64;
  localparam int MaxStages = 4;
  localparam int MaxLinkRegisters = 4;

  // Flat vectors "per port and VC" have MaxVcs places per port whatever the configuration is, and
  // those "per port and class" have ClassPlaces.
  localparam int MaxVcs = 8;
  localparam int ClassPlaces = 4;

  localparam int PortBits = 4;      // a port number, 0..11
  localparam int VcBits = 3;        // a VC number, 0..7
  localparam int ClassBits = 2;     // a class of VCs, 0..2
  localparam int CountBits = 7;     // a number of flits or credits, 0..64
  localparam int CoordBits = 8;     // one coordinate of a node
  localparam int AddressBits = 24;  // a node: x in the low bits, then y, then z
  localparam int DataBits = 64;     // the payload of a flit

  // A flit inside the router is {head, tail, data}.
  localparam int FlitBits = DataBits + 2;
  localparam int HeadBit = DataBits + 1;
  localparam int TailBit = DataBits;

  // Where a head's data holds the nodes it goes to and comes from. Routers read nothing else.
  localparam int DestLsb = 0;
  localparam int SourceLsb = AddressBits;

  // Cycles until a place of a neighbour's buffer can be filled again (section 6).
  function automatic int credit_loop(input int stages, input int link_registers);
    credit_loop = 2 + 2 * link_registers + ((stages > 1) ? 2 : 0);
  endfunction

  // The least depth, and 4 at least, with which a channel runs at full rate.
  function automatic int default_depth(input int stages, input int link_registers);
    default_depth = (credit_loop(stages, link_registers) > 4)
        ? credit_loop(stages, link_registers) : 4;
  endfunction

  // Sizes of which a circuit can be made. (What parameter_check refuses should be refused with its
  // message, rather than by whatever a tool says of a vector without bits.)
  function automatic logic buildable(input int dims, input int local_ports, input int vcs,
                                     input int local_vcs, input int link_registers,
                                     input int depth);
    buildable = dims >= 1 && dims <= MaxDims && local_ports >= 1 && vcs >= 1 && vcs <= MaxVcs
        && local_vcs >= 1 && local_vcs <= MaxVcs && link_registers >= 0 && depth >= 1
        && depth <= MaxDepth;
  endfunction

endpackage
