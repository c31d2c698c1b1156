// Sizes and positions that every module of the router agrees on (docs/microarchitecture.md,
// sections 2 and 3).
package noc_pkg;

  // Ports 0..3 lead to the neighbours, ports 4.. to the node's own network interface.
  localparam int PortPlusX = 0;
  localparam int PortMinusX = 1;
  localparam int PortPlusY = 2;
  localparam int PortMinusY = 3;
  localparam int ExternalPorts = 4;
  localparam int MaxLocalPorts = 4;

  // Flat vectors "per port and VC" have MaxVcs places per port whatever the configuration is.
  localparam int MaxVcs = 8;
  localparam int MaxDepth = 64;

  localparam int PortBits = 3;   // a port number, 0..7
  localparam int VcBits = 3;     // a VC number, 0..7
  localparam int CountBits = 7;  // a number of flits or credits, 0..64
  localparam int CoordBits = 8;  // one coordinate of a node
  localparam int DataBits = 64;  // the payload of a flit

  // A flit inside the router is {head, tail, data}.
  localparam int FlitBits = DataBits + 2;
  localparam int HeadBit = DataBits + 1;
  localparam int TailBit = DataBits;

  // Where a head's data holds its destination. Routers read nothing else.
  localparam int DestXLsb = 0;
  localparam int DestYLsb = 8;

  // An observed port number has a bit to spare, so that its width can outlive this router.
  localparam int ObsPortBits = 4;

endpackage
