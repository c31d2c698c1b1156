// What leaves the router: every flit once, unchanged, in order, at the right output, on a VC of the
// right class and kind that its packet has for itself; and, of a packet alone in the router, the
// head after exactly as many cycles as the text says. It looks at the router's channels alone.
//
// The packets of one input VC leave a switch in the order in which they came. But in a one-port
// router they can overtake each other behind the first switch, and link registers hold up some; so
// flits are looked up by the input port, VC and packet number that they carry.
module router_scoreboard #(
    /// The router's parameters.
    parameter int OnePort = 0,
    `include "router_parameters.svh"
    ,
    /// Derived: ports.
    localparam int N = 2 * Dims + LocalPorts
) (
    /// Clock, and synchronous reset.
    input logic clk_i,
    input logic rst_ni,
    /// What the packets are made from.
    input logic [63:0] seed_i,
    /// The packets are sent one at a time, each through an empty router.
    input logic alone_i,
    /// The router's inputs and outputs.
    input logic [N-1:0] in_valid_i,
    input logic [N-1:0] in_head_i,
    input logic [N-1:0] out_valid_i,
    input logic [N*3-1:0] out_vc_i,
    input logic [N-1:0] out_head_i,
    input logic [N-1:0] out_tail_i,
    input logic [N*64-1:0] out_data_i,
    /// Since reset: flits that left; packets that left, per input VC (place 8*port + vc).
    output int flits_o,
    output logic [N*8*32-1:0] packets_o,
    /// Flits from input i to output o were seen, at bit i*N + o; heads whose latency was checked.
    output logic [N*N-1:0] turns_o,
    output int timed_o,
    /// Heads that left by a ring's channel: per class; half way round; through the link that wraps.
    output logic [3*32-1:0] classes_o,
    /// Heads of control packets among these.
    output logic [3*32-1:0] control_classes_o,
    /// Packets for control that left.
    output int control_o,
    output int ties_o
);

  localparam int Externals = 2 * Dims;
  localparam int RingClasses = (Vcs >= TorusClasses) ? TorusClasses : 1;
  localparam int Window = 512;  // packet numbers that a flit can carry

  int packet[0:N*8-1];           // per input VC: packets that left
  int index[0:N*8*Window-1];     // per input VC and packet number: the next flit
  int owner[0:N*8-1];            // per output VC: the packet under way (its upper 16 bits), or -1
  int head_cycle[0:N-1];         // per input: when the last head came
  int classes[0:2];
  int control_classes[0:2];
  int cycle;
  int from, from_vc, source, target, exit, number, slot, hops, dest_class, tag;
  logic [65:0] expected;
  logic [65:0] got;
  logic [63:0] word;
  logic [23:0] here, last, dest, origin;

  // The output for a packet from input `from`, the switches it passes and its class there.
  task automatic find_exit;
    int first;
    int direction;
    int d;
    first = (OnePort != 0 && from < Externals) ? from / 2 : 0;
    exit = -1;
    hops = 0;
    dest_class = 0;
    for (int turn = first; turn < Dims; turn++) begin
      d = traffic_pkg::dimension_at(Routing, Dims, turn);
      if (exit < 0) begin
        hops = (OnePort != 0) ? hops + 1 : 1;
        direction = traffic_pkg::way(32'(here[d*8+:8]), 32'(dest[d*8+:8]), 32'(last[d*8+:8]),
                                     1'((Torus >> d) & 1));
        if (direction != 0) exit = 2 * d + direction - 1;
        if (direction != 0 && ((Torus >> d) & 1) != 0) begin
          dest_class = traffic_pkg::vc_class(direction, 32'(here[d*8+:8]), 32'(dest[d*8+:8]),
                                             32'(origin[d*8+:8]), RingClasses);
        end
      end
    end
    if (exit < 0)
      exit = (from < Externals) ? Externals + from % LocalPorts : from;
  endtask

  // VCs of a port's channels, of those the ones for data.
  function automatic int data_vcs(input int port);
    data_vcs = (port < Externals) ? Vcs : LocalVcs;
  endfunction

  function automatic int all_vcs(input int port);
    all_vcs = data_vcs(port) + traffic_pkg::control_vcs(
        ControlVc, port < Externals && ((Torus >> (port / 2)) & 1) != 0, Vcs, TorusClasses);
  endfunction

  // The VC of a head that leaves by `exit` is one of its class and kind.
  task automatic check_class(input int vc, input logic control);
    int count;
    int first;
    int next;
    count = (exit < Externals && ((Torus >> (exit / 2)) & 1) != 0) ? RingClasses : 1;
    first = control ? data_vcs(exit) + dest_class : dest_class * data_vcs(exit) / count;
    next = control ? first + 1 : (dest_class + 1) * data_vcs(exit) / count;
    if (vc < first || vc >= next)
      $fatal(1, "output %0d: a %s packet of class %0d on VC %0d", exit,
             control ? "control" : "data", dest_class, vc);
    if (count > 1) classes[dest_class] = classes[dest_class] + 1;
    if (count > 1 && control) control_classes[dest_class] = control_classes[dest_class] + 1;
    if (control) control_o = control_o + 1;
    if (count > 1 && 2 * ((32'(dest[(exit/2)*8+:8]) + 32'(last[(exit/2)*8+:8]) + 1
                           - 32'(here[(exit/2)*8+:8])) % (32'(last[(exit/2)*8+:8]) + 1))
        == 32'(last[(exit/2)*8+:8]) + 1) ties_o = ties_o + 1;
  endtask

  always @(posedge clk_i) begin
    here = traffic_pkg::address_of(seed_i, 3'(Torus));
    last = traffic_pkg::last_of(seed_i, 3'(Torus));
    if (!rst_ni) begin
      flits_o = 0;
      turns_o = '0;
      timed_o = 0;
      ties_o = 0;
      cycle = 0;
      for (int k = 0; k < N * 8 * Window; k++) index[k] = 0;
      for (int k = 0; k < N * 8; k++) begin
        packet[k] = 0;
        owner[k] = -1;
      end
      for (int c = 0; c < 3; c++) begin
        classes[c] = 0;
        control_classes[c] = 0;
      end
      control_o = 0;
    end else begin
      cycle = cycle + 1;
      if ((^out_valid_i) === 1'bx) $fatal(1, "out_valid_o is unknown: %b", out_valid_i);
      for (int o = 0; o < N; o++) begin
        got = {out_head_i[o], out_tail_i[o], out_data_i[o*64+:64]};
        if (!out_valid_i[o]) begin
          if ({got, out_vc_i[o*3+:3]} !== 69'd0) $fatal(1, "output %0d: not valid, yet not 0", o);
        end else begin
          from = 32'(got[traffic_pkg::PortLsb+:4]);
          from_vc = 32'(got[traffic_pkg::VcLsb+:3]);
          source = from * 8 + from_vc;
          target = o * 8 + 32'(out_vc_i[o*3+:3]);
          if (!(from < N && from_vc < all_vcs(from)))
            $fatal(1, "output %0d: a flit of nobody, %h", o, got);

          // Fewer than half a window of packets are under way, so the low bits say which it is.
          slot = source * Window + 32'(got[traffic_pkg::PacketLsb+:9]);
          number = packet[source]
              + ((32'(got[traffic_pkg::PacketLsb+:9]) - packet[source] + 128) & (Window - 1)) - 128;
          tag = 32'(got[63:48]);
          if (OnePort == 0 && LinkRegisters == 0 && number != packet[source])
            $fatal(1, "input %0d VC %0d: packet %0d before %0d", from, from_vc, number,
                   packet[source]);
          expected = traffic_pkg::flit(seed_i, 3'(Torus), from, from_vc, number, index[slot]);
          if (got !== expected)
            $fatal(1, "output %0d: flit %h of input %0d VC %0d, expected %h", o, got, from, from_vc,
                   expected);
          word = traffic_pkg::packet_word(seed_i, from, from_vc, number);
          dest = traffic_pkg::destination(word, here, last, 3'(Torus));
          origin = traffic_pkg::source_node(word, last, 3'(Torus));
          find_exit();
          if (o != exit)
            $fatal(1, "packet %0d of input %0d VC %0d: at output %0d, expected %0d", number, from,
                   from_vc, o, exit);
          if (out_head_i[o]) begin
            check_class(32'(out_vc_i[o*3+:3]), from_vc >= data_vcs(from));
          end
          if (owner[target] != (out_head_i[o] ? -1 : tag))
            $fatal(1, "output %0d VC %0d: packets alternate", o, target % 8);
          if (alone_i && out_head_i[o]) begin
            if (cycle - head_cycle[from] != Stages * hops + ((o < Externals) ? LinkRegisters : 0))
              $fatal(1, "a lone head passed from input %0d to output %0d in %0d cycles", from, o,
                     cycle - head_cycle[from]);
            timed_o = timed_o + 1;
          end

          owner[target] = out_tail_i[o] ? -1 : tag;
          index[slot] = out_tail_i[o] ? 0 : index[slot] + 1;
          if (out_tail_i[o]) packet[source] = packet[source] + 1;
          flits_o = flits_o + 1;
          turns_o[from*N+o] = 1'b1;
        end
      end
      for (int i = 0; i < N; i++) begin
        if (in_valid_i[i] && in_head_i[i]) head_cycle[i] = cycle;
      end
    end
    for (int k = 0; k < N * 8; k++) packets_o[k*32+:32] <= packet[k];
    for (int c = 0; c < 3; c++) begin
      classes_o[c*32+:32] <= classes[c];
      control_classes_o[c*32+:32] <= control_classes[c];
    end
  end

endmodule
