// Sizes and positions that all modules of the router share (docs/internals/microarchitecture.md,
// sections 2, 3 and 8). Nothing here depends on the configuration.
package noc_pkg;

  localparam int MaxDims = 3;
  localparam int MaxDepth = 64;

  // Flat vectors "per port and VC" have MaxVcs places per port in every configuration, and those
  // "per port and class" have ClassPlaces. A port's data VCs come first, then its control VCs.
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

  // Positions of destination and source in a head's data. Routers read nothing else of it.
  localparam int DestLsb = 0;
  localparam int SourceLsb = AddressBits;

  // The observation output obs_o of a router (section 8) has one record per port of its switches.
  // The record of port p begins at bit p*ObsBits. From its bit 0 on, a record holds without gaps:
  //
  //   bits    field           of
  //   8 x 7   count           input VC   flits in its FIFO
  //   1       grant_valid     output     SA grants it in this cycle
  //   4       grant_in                   ... to this input port,
  //   3       grant_vc                   ... to this VC of it,
  //   3       grant_out_vc               ... on this output VC
  //   1       va_grant_valid  output     VA gives away one of its VCs in this cycle
  //   4       va_grant_in                ... to this input port,
  //   3       va_grant_vc                ... to this VC of it,
  //   3       va_grant_out_vc            ... and it is this one
  //   3       in_pointer      input      pointer of its arbiter of SA
  //   4       out_pointer     output     likewise
  //   3       va_in_pointer   input      pointer of its arbiter of VA
  //   4       va_out_pointer  output     likewise
  //   8 x 1   routed          input VC   its head is routed
  //   8 x 1   active          input VC   a packet is under way
  //   8 x 1   owned           output VC  a packet owns it
  //   8 x 4   out_port        input VC   the output port of its packet
  //   8 x 3   out_vc          input VC   the output VC of its packet
  //   8 x 7   credits         output VC  its credits
  //   8 x 66  front           input VC   its front flit, {head, tail, data}, 0 if none
  //
  // Zeros fill the record up to a multiple of 32 bits, so that a simulator moves whole words. A
  // field "8 x b" holds VC v at bit v*b.
  localparam int ObsCountLsb = 0;
  localparam int ObsGrantValidLsb = ObsCountLsb + MaxVcs * CountBits;
  localparam int ObsGrantInLsb = ObsGrantValidLsb + 1;
  localparam int ObsGrantVcLsb = ObsGrantInLsb + PortBits;
  localparam int ObsGrantOutVcLsb = ObsGrantVcLsb + VcBits;
  localparam int ObsVaGrantValidLsb = ObsGrantOutVcLsb + VcBits;
  localparam int ObsVaGrantInLsb = ObsVaGrantValidLsb + 1;
  localparam int ObsVaGrantVcLsb = ObsVaGrantInLsb + PortBits;
  localparam int ObsVaGrantOutVcLsb = ObsVaGrantVcLsb + VcBits;
  localparam int ObsInPointerLsb = ObsVaGrantOutVcLsb + VcBits;
  localparam int ObsOutPointerLsb = ObsInPointerLsb + VcBits;
  localparam int ObsVaInPointerLsb = ObsOutPointerLsb + PortBits;
  localparam int ObsVaOutPointerLsb = ObsVaInPointerLsb + VcBits;
  localparam int ObsRoutedLsb = ObsVaOutPointerLsb + PortBits;
  localparam int ObsActiveLsb = ObsRoutedLsb + MaxVcs;
  localparam int ObsOwnedLsb = ObsActiveLsb + MaxVcs;
  localparam int ObsOutPortLsb = ObsOwnedLsb + MaxVcs;
  localparam int ObsOutVcLsb = ObsOutPortLsb + MaxVcs * PortBits;
  localparam int ObsCreditsLsb = ObsOutVcLsb + MaxVcs * VcBits;
  localparam int ObsFrontLsb = ObsCreditsLsb + MaxVcs * CountBits;
  localparam int ObsFillLsb = ObsFrontLsb + MaxVcs * FlitBits;
  localparam int ObsBits = (ObsFillLsb + 32) / 32 * 32;  // at least one fill bit

  // Cycles from filling a place of a neighbour's buffer to filling it again (section 6).
  function automatic int credit_loop(input int stages, input int link_registers);
    credit_loop = 2 + 2 * link_registers + ((stages > 1) ? 2 : 0);
  endfunction

  // The depth in flits with which a channel runs at full rate, but at least `least`.
  function automatic int default_depth(input int least, input int stages, input int link_registers);
    default_depth = (credit_loop(stages, link_registers) > least)
        ? credit_loop(stages, link_registers) : least;
  endfunction

  // The most local ports that a router of its kind can have, which is also their default.
  function automatic int most_local_ports(input int one_port, input int dims);
    most_local_ports = (one_port != 0) ? 1 : 2 * dims;
  endfunction

  // The number of classes of VCs on an external channel of dimension d; other channels have one
  // class. With control VCs, each class of a channel has one control VC.
  function automatic int classes_of(input int vcs, input int torus, input int torus_classes,
                                    input int d);
    classes_of = (((torus >> d) & 1) != 0 && vcs >= torus_classes) ? torus_classes : 1;
  endfunction

  // The most control VCs that any external channel has.
  function automatic int most_control_vcs(input int control_vc, input int vcs, input int torus,
                                          input int torus_classes);
    most_control_vcs = control_vc * ((torus != 0 && vcs >= torus_classes) ? torus_classes : 1);
  endfunction

  // Whether a circuit of these sizes can be built. (parameter_check refuses bad parameters with a
  // clear message. Without this function a tool would report vectors without bits first.)
  function automatic logic buildable(input int dims, input int local_ports, input int vcs,
                                     input int local_vcs, input int control_vcs,
                                     input int link_registers, input int depth);
    buildable = dims >= 1 && dims <= MaxDims && local_ports >= 1 && vcs >= 1 && local_vcs >= 1
        && control_vcs >= 0 && vcs + control_vcs <= MaxVcs
        && local_vcs + ((control_vcs > 0) ? 1 : 0) <= MaxVcs
        && link_registers >= 0 && depth >= 1 && depth <= MaxDepth;
  endfunction

endpackage
