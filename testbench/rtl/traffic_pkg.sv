// The packets of the router's testbench. Everything about a packet (length, destination, each flit)
// is a function of the seed, its input port and VC, and its number there, so the sender and the
// checker need not talk to each other.
package traffic_pkg;

  // Coordinates of the router under test: one small, one above 127, which a signed comparison of
  // coordinates would take for negative.
  localparam logic [7:0] RouterX = 8'd3;
  localparam logic [7:0] RouterY = 8'd200;

  // Where every flit carries its packet's input port, input VC and number.
  localparam int PortLsb = 24;
  localparam int VcLsb = 32;
  localparam int PacketLsb = 48;

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

  // The random word from which a packet is made.
  function automatic logic [63:0] packet_word(input logic [63:0] seed, input int port,
                                              input int vc, input int packet);
    packet_word = hash(seed ^ {16'h0, 8'(port), 8'(vc), 32'(packet)});
  endfunction

  // Flits of a packet: 1 to 7, now and then 8 to 23, more than most buffers hold.
  function automatic int packet_length(input logic [63:0] word);
    packet_length = (word[3:0] == 4'd15) ? 8 + 32'(word[7:4]) : 1 + 32'(word[2:0]) % 7;
  endfunction

  // A coordinate of the destination: this router's in half of the packets, else a neighbour's or
  // the extreme one on either side.
  function automatic logic [7:0] coordinate(input logic [2:0] choice, input logic [7:0] here);
    case (choice)
      3'd4: coordinate = here + 8'd1;
      3'd5: coordinate = here - 8'd1;
      3'd6: coordinate = 8'd255;
      3'd7: coordinate = 8'd0;
      default: coordinate = here;
    endcase
  endfunction

  function automatic logic [7:0] destination_x(input logic [63:0] word);
    destination_x = coordinate(word[10:8], RouterX);
  endfunction

  function automatic logic [7:0] destination_y(input logic [63:0] word);
    destination_y = coordinate(word[13:11], RouterY);
  endfunction

  // The output port that a packet must leave by, from the signs of the two distances.
  function automatic int expected_output(input logic [7:0] dest_x, input logic [7:0] dest_y,
                                         input int port, input int local_ports);
    int right;
    int up;
    right = int'({24'b0, dest_x}) - int'({24'b0, RouterX});
    up = int'({24'b0, dest_y}) - int'({24'b0, RouterY});
    if (right != 0) expected_output = (right > 0) ? 0 : 1;
    else if (up != 0) expected_output = (up > 0) ? 2 : 3;
    else expected_output = (port >= 4) ? port : 4 + port % local_ports;
  endfunction

  // Flit `index` of a packet, {head, tail, data}. The low bits of the flits behind the head are
  // noise that a router must not take for a destination.
  function automatic logic [65:0] flit(input logic [63:0] seed, input int port, input int vc,
                                       input int packet, input int index);
    logic [63:0] word;
    logic [63:0] data;
    word = packet_word(seed, port, vc, packet);
    data = hash(word ^ 64'(index));
    if (index == 0) data[15:0] = {destination_y(word), destination_x(word)};
    data[PortLsb+:8] = 8'(port);
    data[VcLsb+:8] = 8'(vc);
    data[PacketLsb+:16] = 16'(packet);
    flit = {index == 0, index == packet_length(word) - 1, data};
  endfunction

endpackage
