// A whole router of either kind with VCs for control packets: whatever its neighbours do, a flit
// from a data VC leaves on a data VC, one from a control VC on the control VC of its class, and no
// packet ever holds a VC of the other kind.
//
// Nothing is assumed of the neighbours, not even that they keep to their credits, so the claims of
// the router's own modules are left out (prove.sh --alone). Class by class the claim is made where
// RC and the grant are in one cycle, that is with one and two stages.
module router_kinds_proof #(
    parameter int OnePort = 0,
    parameter int Dims = 1,
    parameter int Vcs = 1,
    parameter int LocalVcs = 1,
    parameter int Stages = 1,
    // Bit d: dimension d is a ring of four nodes.
    parameter int Torus = 0,
    parameter int TorusClasses = 2,
    localparam int Externals = 2 * Dims,
    localparam int Pins = Externals + 1,
    localparam int N = (OnePort != 0) ? 3 * Dims : Pins
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [Pins-1:0] in_valid_i,
    input logic [Pins*3-1:0] in_vc_i,
    input logic [Pins-1:0] in_head_i,
    input logic [Pins-1:0] in_tail_i,
    input logic [Pins*14-1:0] in_data_i,
    input logic [Pins-1:0] out_credit_valid_i,
    input logic [Pins*3-1:0] out_credit_vc_i,
    // Where the router stands: never changes.
    input logic [5:0] address_i
);

  logic [Pins-1:0] in_credit_valid, out_valid, out_head, out_tail;
  logic [Pins*3-1:0] in_credit_vc, out_vc;
  logic [Pins*14-1:0] out_data;
  logic [N*noc_pkg::ObsBits-1:0] obs;
  logic [5:0] address_q;

`define ROUTER(kind) \
      kind #( \
          .Dims(Dims), .LocalPorts(1), .Vcs(Vcs), .LocalVcs(LocalVcs), .ControlVc(1), .Depth(1), \
          .Stages(Stages), .Torus(Torus), .TorusClasses(TorusClasses), .AllowDeadlock(1) \
      ) dut ( \
          .clk_i, .rst_ni, .address_i(address_q), .last_i(6'b111111), \
          .in_valid_i, .in_vc_i, .in_head_i, .in_tail_i, .in_data_i, \
          .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc), \
          .out_valid_o(out_valid), .out_vc_o(out_vc), .out_head_o(out_head), \
          .out_tail_o(out_tail), .out_data_o(out_data), .out_credit_valid_i, .out_credit_vc_i, \
          .obs_o(obs) \
      );

  generate
    if (OnePort != 0) begin : g_one_port
      `ROUTER(one_port_router)
    end else begin : g_all_port
      `ROUTER(all_port_router)
    end
  endgenerate

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) address_q <= address_i;
  end
  always_comb assume (rst_ni == started_q);

  // ---- what the router shows ---------------------------------------------------------------------
  logic [N*8-1:0] obs_active;
  logic [N*32-1:0] obs_out_port;
  logic [N*24-1:0] obs_out_vc;
  logic [N*8*16-1:0] obs_front;
  generate
    for (genvar p = 0; p < N; p++) begin : g_seen
      assign obs_active[p*8+:8] = obs[p*noc_pkg::ObsBits+noc_pkg::ObsActiveLsb+:8];
      assign obs_out_port[p*32+:32] = obs[p*noc_pkg::ObsBits+noc_pkg::ObsOutPortLsb+:32];
      assign obs_out_vc[p*24+:24] = obs[p*noc_pkg::ObsBits+noc_pkg::ObsOutVcLsb+:24];
      assign obs_front[p*128+:128] = obs[p*noc_pkg::ObsBits+noc_pkg::ObsFrontLsb+:128];
    end
  endgenerate

  // ---- the router's shape ------------------------------------------------------------------------
  // Data VCs of an input, an output; classes of an output's VCs.
  function automatic logic [3:0] in_data_vcs(input logic [3:0] port);
    in_data_vcs = 4'((32'(port) == Externals) ? LocalVcs : Vcs);
  endfunction

  function automatic logic [3:0] out_data_vcs(input logic [3:0] port);
    out_data_vcs = 4'((32'(port) == N - 1) ? LocalVcs : Vcs);
  endfunction

  // The class of VCs for a head that goes by `port`: dateline or plh in rings.
  function automatic logic [2:0] class_of(input logic [3:0] port, input logic [11:0] nodes);
    logic [1:0] here, dest, source;
    logic ahead, behind;
    here = 2'(address_q >> (2 * (port / 2)));
    dest = 2'(nodes >> (2 * (port / 2)));
    source = 2'(nodes >> (6 + 2 * (port / 2)));
    ahead = port[0] ? dest > here : dest < here;
    behind = port[0] ? dest > source : dest < source;
    if (32'(port) >= Externals || ((Torus >> (port / 2)) & 1) == 0 || Vcs < TorusClasses)
      class_of = 3'd0;
    else if (TorusClasses == 2) class_of = ahead ? 3'd0 : 3'd1;
    else class_of = ahead ? 3'd1 : behind ? 3'd2 : 3'd0;
  endfunction

  // ---- claims ------------------------------------------------------------------------------------
  generate
    for (genvar o = 0; o < N; o++) begin : g_port
      logic valid, from_control, to_control;
      logic [3:0] from;
      logic [2:0] from_vc, vc;
      logic [6:0] place;
      assign valid = obs[o*noc_pkg::ObsBits+noc_pkg::ObsGrantValidLsb];
      assign from = obs[o*noc_pkg::ObsBits+noc_pkg::ObsGrantInLsb+:4];
      assign from_vc = obs[o*noc_pkg::ObsBits+noc_pkg::ObsGrantVcLsb+:3];
      assign vc = obs[o*noc_pkg::ObsBits+noc_pkg::ObsGrantOutVcLsb+:3];
      assign place = {from, from_vc};
      assign from_control = {1'b0, from_vc} >= in_data_vcs(from);
      assign to_control = {1'b0, vc} >= out_data_vcs(4'(o));
      always_comb begin
        if (started_q && valid) begin
          assert (from_control == to_control);
          if (Stages <= 2 && from_control && !obs_active[place])
            assert (32'(vc) == 32'(out_data_vcs(4'(o)))
                    + 32'(class_of(4'(o), obs_front[place*16+:12])));
`ifdef WITNESS
          // The last control VC of output 0 is never taken.
          assert (!(o == 0 && from_control && 32'(vc) == Vcs + ((Torus & 1) != 0 ? 1 : 0)));
`endif
        end
      end

      // What is granted is what leaves, in the same cycle or the next.
      if (o < Externals || o == N - 1) begin : g_pin
        localparam int Pin = (o < Externals) ? o : Externals;
        logic valid_q;
        logic [2:0] vc_q;
        always_ff @(posedge clk_i) begin
          valid_q <= rst_ni && valid;
          vc_q <= vc;
        end
        always_comb begin
          if (started_q) begin
            assert (out_valid[Pin] == ((Stages == 1) ? valid : valid_q));
            assert (!out_valid[Pin] || out_vc[Pin*3+:3] == ((Stages == 1) ? vc : vc_q));
          end
        end
      end

      // The VC that a packet holds, at input `o`.
      for (genvar v = 0; v < 8; v++) begin : g_held
        logic holds_control;
        assign holds_control = {1'b0, obs_out_vc[(o*8+v)*3+:3]}
            >= out_data_vcs(obs_out_port[(o*8+v)*4+:4]);
        always_comb begin
          if (started_q && obs_active[o*8+v])
            assert (holds_control == (v >= 32'(in_data_vcs(4'(o)))));
        end
      end
    end
  endgenerate

endmodule
