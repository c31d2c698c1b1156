// Sends a packet from every node of a mesh to every other node, one packet at a time, and checks
// that it arrives there, whole and in order, in exactly the time that the routers promise.
//
// Ends with PASS and what was sent and received, or with $fatal.
module mesh_tb #(
    parameter int Width = 2,
    parameter int Height = 2,
    parameter int Stages = 1,
    parameter int LinkRegisters = 0
);

  localparam int Nodes = Width * Height;
  localparam int Depth = noc_pkg::default_depth(4, Stages, LinkRegisters);  // of the routers' buffers
  localparam int Patience = 100;  // cycles

  logic clk, rst_n;
  logic [Nodes-1:0] in_valid, in_head, in_tail, in_credit;
  logic [Nodes-1:0] out_valid, out_head, out_tail, out_credit;
  logic [Nodes*64-1:0] in_data, out_data;

  mesh #(
      .Width(Width),
      .Height(Height),
      .Stages(Stages),
      .LinkRegisters(LinkRegisters)
  ) network (
      .clk_i(clk),
      .rst_ni(rst_n),
      .in_valid_i(in_valid),
      .in_head_i(in_head),
      .in_tail_i(in_tail),
      .in_data_i(in_data),
      .in_credit_o(in_credit),
      .out_valid_o(out_valid),
      .out_head_o(out_head),
      .out_tail_o(out_tail),
      .out_data_o(out_data),
      .out_credit_i(out_credit)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  int cycle, packets, flits_sent, flits_received;
  logic [Nodes-1:0] taken;  // flits that left the network in the cycle before

  // ---- flits ------------------------------------------------------------------------------------
  function automatic logic [23:0] address(input int node);
    address = {8'd0, 8'(node / Width), 8'(node % Width)};
  endfunction

  // The routers read the head alone: where the packet goes and comes from.
  function automatic logic [63:0] flit(input int tag, input int from, input int to,
                                       input int index);
    flit = (index == 0) ? {16'(tag), address(from), address(to)}
        : {16'(tag), 16'hc0de, 32'(index)};
  endfunction

  function automatic int distance(input int a, input int b);
    distance = (a > b) ? a - b : b - a;
  endfunction

  // ---- one packet -------------------------------------------------------------------------------
  // Inputs change at the falling edge, where nothing samples them, and outputs are read there.
  int credits, sent, received, began, hops, head_time, rest;

  task automatic send_and_check(input int from, input int to, input int length, input int tag);
    hops = distance(from % Width, to % Width) + distance(from / Width, to / Width);
    head_time = Stages * (hops + 1) + LinkRegisters * hops;
    credits = Depth;
    sent = 0;
    received = 0;
    began = cycle + 1;
    // A few cycles more than the packet needs: nothing else may come, and all credits come back.
    rest = 4 * (Depth + Stages);
    while (rest > 0) begin
      @(negedge clk);
      cycle = cycle + 1;
      if (cycle > began + Patience) $fatal(1, "packet %0d: %0d flits came", tag, received);

      // The receiving NIC: takes every flit at once, and returns its credit in the next cycle.
      out_credit = taken;
      taken = out_valid;
      for (int n = 0; n < Nodes; n++) begin
        if (out_valid[n]) begin
          if (n != to) $fatal(1, "packet %0d: a flit came to node %0d, not %0d", tag, n, to);
          if (received == length) $fatal(1, "packet %0d: more flits than were sent", tag);
          if (out_data[n*64+:64] !== flit(tag, from, to, received)
              || out_head[n] !== (received == 0) || out_tail[n] !== (received == length - 1))
            $fatal(1, "packet %0d: flit %0d is not the one sent", tag, received);
          if (cycle - began != head_time + received)
            $fatal(1, "packet %0d: flit %0d came after %0d cycles, expected %0d", tag, received,
                   cycle - began, head_time + received);
          received = received + 1;
          flits_received = flits_received + 1;
        end
      end

      // The sending NIC: a flit in every cycle in which it has a credit.
      in_valid = '0;
      in_head = '0;
      in_tail = '0;
      in_data = '0;
      if (sent < length && credits > 0) begin
        in_valid[from] = 1'b1;
        in_head[from] = sent == 0;
        in_tail[from] = sent == length - 1;
        in_data[from*64+:64] = flit(tag, from, to, sent);
        sent = sent + 1;
        flits_sent = flits_sent + 1;
        credits = credits - 1;
      end
      if (in_credit[from]) credits = credits + 1;
      if (received == length) rest = rest - 1;
    end
    if (credits != Depth) $fatal(1, "packet %0d: %0d of %0d credits", tag, credits, Depth);
    packets = packets + 1;
    $display("node %0d to %0d: %0d flits, %0d hops, head after %0d cycles, tail after %0d", from, to,
             length, hops, head_time, head_time + length - 1);
  endtask

  initial begin
    in_valid = '0;
    in_head = '0;
    in_tail = '0;
    in_data = '0;
    out_credit = '0;
    taken = '0;
    cycle = 0;
    packets = 0;
    flits_sent = 0;
    flits_received = 0;
    rst_n = 1'b0;
    @(negedge clk);
    @(negedge clk);
    rst_n = 1'b1;
    for (int from = 0; from < Nodes; from++) begin
      for (int to = 0; to < Nodes; to++) begin
        if (from != to) send_and_check(from, to, 1 + packets % 9, packets);
      end
    end
    // A test that sent nothing has tested nothing.
    if (packets == 0 || flits_received == 0 || flits_received != flits_sent)
      $fatal(1, "%0d flits sent, %0d received", flits_sent, flits_received);
    $display("%0d packets, %0d flits sent, %0d received", packets, flits_sent, flits_received);
    $display("PASS");
    $finish;
  end

endmodule
