// The packets of the router's testbench, and the way that they must go. Everything about a packet
// (length, destination, each flit) is a function of the seed, its input port and VC, and its number
// there, so the sender and the checker need not talk to each other.
package traffic_pkg;

  // Every flit carries its packet's input port (4 bits), input VC (3) and number (9) in its upper
  // bits, where a head has its tag.
  localparam int PortLsb = 48;
  localparam int VcLsb = 52;
  localparam int PacketLsb = 55;

  // Marsaglia's xorshift64; the state must not be 0. ($urandom(seed) is stuck in Verilator 5.006.)
  function automatic logic [63:0] next_random(input logic [63:0] state);
    next_random = state;
    next_random = next_random ^ (next_random << 13);
    next_random = next_random ^ (next_random >> 7);
    next_random = next_random ^ (next_random << 17);
  endfunction

  // The finalizer of splitmix64: neighbouring arguments give unrelated values.
  function automatic logic [63:0] hash(input logic [63:0] x);
    hash = x + 64'h9e3779b97f4a7c15;
    hash = (hash ^ (hash >> 30)) * 64'hbf58476d1ce4e5b9;
    hash = (hash ^ (hash >> 27)) * 64'h94d049bb133111eb;
    hash = hash ^ (hash >> 31);
  endfunction

  // ---- where the router stands -----------------------------------------------------------------
  // Nodes of dimension d if it is a ring: even and odd, and as many as there can be.
  function automatic int ring_size(input logic [63:0] seed, input int d);
    case ((32'(seed[7:0]) + d) % 5)
      0: ring_size = 5;
      1: ring_size = 8;
      2: ring_size = 256;
      3: ring_size = 3;
      default: ring_size = 4;
    endcase
  endfunction

  // The greatest coordinates. In a mesh dimension the router must not read them: noise.
  function automatic logic [23:0] last_of(input logic [63:0] seed, input logic [2:0] torus);
    for (int d = 0; d < 3; d++)
      last_of[d*8+:8] = torus[d] ? 8'(ring_size(seed, d) - 1) : 8'(hash(seed ^ 64'(d)));
  endfunction

  // The router's own coordinates; in meshes a small one and some above 127, which a signed
  // comparison would take for negative; in rings near the link that wraps.
  function automatic logic [23:0] address_of(input logic [63:0] seed, input logic [2:0] torus);
    address_of = {8'd130, 8'd200, 8'd3};
    for (int d = 0; d < 3; d++) begin
      if (torus[d]) begin
        case ((32'(seed[7:0]) + d) % 3)
          0: address_of[d*8+:8] = (ring_size(seed, d) > 4) ? 8'd1 : 8'd0;
          1: address_of[d*8+:8] = 8'(ring_size(seed, d) - 1);
          default: address_of[d*8+:8] = 8'd0;
        endcase
      end
    end
  endfunction

  // ---- packets ---------------------------------------------------------------------------------
  // The random word from which a packet is made.
  function automatic logic [63:0] packet_word(input logic [63:0] seed, input int port,
                                              input int vc, input int packet);
    packet_word = hash(seed ^ {16'h0, 8'(port), 8'(vc), 32'(packet)});
  endfunction

  // Flits of a packet: 1 to 7, now and then 8 to 23, more than most buffers hold.
  function automatic int packet_length(input logic [63:0] word);
    packet_length = (word[3:0] == 4'd15) ? 8 + 32'(word[7:4]) : 1 + 32'(word[2:0]) % 7;
  endfunction

  // One coordinate of the destination: this router's in half of the packets, else a neighbour's, or
  // in a mesh the extreme one on either side, in a ring the opposite one or any.
  function automatic logic [7:0] dest_coordinate(input logic [2:0] choice, input logic [7:0] noise,
                                                 input logic [7:0] here, input logic [7:0] last,
                                                 input logic ring);
    int size;
    int there;
    size = 32'(last) + 1;
    case (choice)
      3'd4: there = 32'(here) + 1;
      3'd5: there = 32'(here) + 255;
      3'd6: there = 255;
      3'd7: there = 0;
      default: there = 32'(here);
    endcase
    if (ring && choice == 3'd5) there = 32'(here) + size - 1;
    if (ring && choice == 3'd6) there = 32'(here) + size / 2;
    if (ring && choice == 3'd7) there = 32'(noise);
    dest_coordinate = ring ? 8'(there % size) : 8'(there);
  endfunction

  function automatic logic [23:0] destination(input logic [63:0] word, input logic [23:0] here,
                                              input logic [23:0] last, input logic [2:0] torus);
    for (int d = 0; d < 3; d++)
      destination[d*8+:8] = dest_coordinate(word[8+d*3+:3], word[20+d*8+:8], here[d*8+:8],
                                            last[d*8+:8], torus[d]);
  endfunction

  function automatic logic [23:0] source_node(input logic [63:0] word, input logic [23:0] last,
                                              input logic [2:0] torus);
    for (int d = 0; d < 3; d++)
      source_node[d*8+:8] = torus[d] ? 8'(32'(word[36+d*8+:8]) % (32'(last[d*8+:8]) + 1))
                                     : word[36+d*8+:8];
  endfunction

  // Flit `index` of a packet, {head, tail, data}. The low bits of the flits behind the head are
  // noise that a router must not take for a destination.
  function automatic logic [65:0] flit(input logic [63:0] seed, input logic [2:0] torus,
                                       input int port, input int vc, input int packet,
                                       input int index);
    logic [63:0] word;
    logic [63:0] data;
    logic [23:0] last;
    word = packet_word(seed, port, vc, packet);
    last = last_of(seed, torus);
    data = hash(word ^ 64'(index));
    if (index == 0)
      data[47:0] = {source_node(word, last, torus),
                    destination(word, address_of(seed, torus), last, torus)};
    data[63:PortLsb] = {9'(packet), 3'(vc), 4'(port)};
    flit = {index == 0, index == packet_length(word) - 1, data};
  endfunction

  // ---- virtual channels ------------------------------------------------------------------------
  // How many a channel has for control packets, behind those for data: one for each class. `ring`:
  // it is an external channel of a ring.
  function automatic int control_vcs(input int control_vc, input logic ring, input int vcs,
                                     input int torus_classes);
    if (control_vc == 0) control_vcs = 0;
    else if (ring && vcs >= torus_classes) control_vcs = torus_classes;
    else control_vcs = 1;
  endfunction

  // ---- where they must go ----------------------------------------------------------------------
  // The dimension that a packet takes as number `turn`: in the order xy the lowest first, in the
  // order yx (code 1) the highest.
  function automatic int dimension_at(input int routing, input int dims, input int turn);
    dimension_at = (routing == 1) ? dims - 1 - turn : turn;
  endfunction

  // In one dimension: 0 nowhere, 1 up, 2 down. In a ring by counting the steps both ways.
  function automatic int way(input int here, input int dest, input int last, input logic ring);
    int up;
    int down;
    up = (dest - here + last + 1) % (last + 1);
    down = (here - dest + last + 1) % (last + 1);
    if (here == dest) way = 0;
    else if (ring) way = (up <= down) ? 1 : 2;
    else way = (dest > here) ? 1 : 2;
  endfunction

  // The class of the VCs of a ring's channel, for a packet that goes `direction` (1 up, 2 down).
  // `wraps`: it has yet to pass between the nodes `last` and 0; `wrapped`: it has passed there.
  function automatic int vc_class(input int direction, input int here, input int dest,
                                  input int source, input int classes);
    logic wraps;
    logic wrapped;
    wraps = (direction == 1) ? dest < here : dest > here;
    wrapped = !wraps && ((direction == 1) ? dest < source : dest > source);
    if (classes == 1) vc_class = 0;
    else if (classes == 2) vc_class = wraps ? 0 : 1;
    else vc_class = wraps ? 1 : wrapped ? 2 : 0;
  endfunction

endpackage
