// The all-port router of a two-dimensional mesh, one pipeline stage (docs/microarchitecture.md).
//
// In one cycle: the inputs route their front flits and nominate one VC each, the outputs grant one
// input each, the crossbar carries the granted flits out, and their credits go back. Every output
// is a function of the registers alone. Vectors are flat and port-major: port p, or port p and VC v
// at place p*8 + v, has bits [place*width +: width].
module mesh_router #(
    /// Local ports (injection and ejection), 1..4.
    parameter int LocalPorts = 4,
    /// Virtual channels per external channel, 1..8.
    parameter int Vcs = 1,
    /// Virtual channels per local channel, 1..8.
    parameter int LocalVcs = 1,
    /// Buffer depth per virtual channel, flits, 1..64.
    parameter int Depth = 4,
    /// Derived, not to be set: all ports, and all VC places.
    localparam int N = noc_pkg::ExternalPorts + LocalPorts,
    localparam int P = N * noc_pkg::MaxVcs
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Coordinates of this router; they do not change while the clock runs.
    input logic [noc_pkg::CoordBits-1:0] x_i,
    input logic [noc_pkg::CoordBits-1:0] y_i,

    /// Input channels, forward: the flit of this cycle.
    input logic [N-1:0] in_valid_i,
    input logic [N*noc_pkg::VcBits-1:0] in_vc_i,
    input logic [N-1:0] in_head_i,
    input logic [N-1:0] in_tail_i,
    input logic [N*noc_pkg::DataBits-1:0] in_data_i,
    /// Input channels, backward: the credit of this cycle.
    output logic [N-1:0] in_credit_valid_o,
    output logic [N*noc_pkg::VcBits-1:0] in_credit_vc_o,

    /// Output channels, forward.
    output logic [N-1:0] out_valid_o,
    output logic [N*noc_pkg::VcBits-1:0] out_vc_o,
    output logic [N-1:0] out_head_o,
    output logic [N-1:0] out_tail_o,
    output logic [N*noc_pkg::DataBits-1:0] out_data_o,
    /// Output channels, backward.
    input logic [N-1:0] out_credit_valid_i,
    input logic [N*noc_pkg::VcBits-1:0] out_credit_vc_i,

    /// What an observer sees of each input VC: flits held, and the front flit (0 if none).
    output logic [P*noc_pkg::CountBits-1:0] obs_count_o,
    output logic [P-1:0] obs_front_head_o,
    output logic [P-1:0] obs_front_tail_o,
    output logic [P*noc_pkg::DataBits-1:0] obs_front_data_o,
    /// Of each input VC: a packet is under way, and its output port and VC.
    output logic [P-1:0] obs_active_o,
    output logic [P*noc_pkg::ObsPortBits-1:0] obs_out_port_o,
    output logic [P*noc_pkg::VcBits-1:0] obs_out_vc_o,
    /// Of each output VC: credits, and whether a packet owns it.
    output logic [P*noc_pkg::CountBits-1:0] obs_credits_o,
    output logic [P-1:0] obs_owned_o,
    /// Of each input port, of each output port: the arbiter's pointer.
    output logic [N*noc_pkg::VcBits-1:0] obs_in_pointer_o,
    output logic [N*noc_pkg::ObsPortBits-1:0] obs_out_pointer_o,
    /// Of each output port: it is granted in this cycle, and to which input port and VC (or 0).
    output logic [N-1:0] obs_grant_valid_o,
    output logic [N*noc_pkg::ObsPortBits-1:0] obs_grant_in_o,
    output logic [N*noc_pkg::VcBits-1:0] obs_grant_vc_o
);

  // Bits per port where a vector holds something of every VC place.
  localparam int FrontBits = noc_pkg::MaxVcs * noc_pkg::FlitBits;
  localparam int CountsBits = noc_pkg::MaxVcs * noc_pkg::CountBits;
  localparam int OutPortsBits = noc_pkg::MaxVcs * noc_pkg::PortBits;
  localparam int OutVcsBits = noc_pkg::MaxVcs * noc_pkg::VcBits;

  // From the inputs: nominees, requests and fronts.
  logic [N-1:0] nominee_valid;
  logic [N*noc_pkg::VcBits-1:0] nominee;
  logic [N*noc_pkg::PortBits-1:0] request_port;
  logic [N*noc_pkg::VcBits-1:0] request_vc;
  logic [N*noc_pkg::FlitBits-1:0] nominee_flit;
  logic [P*noc_pkg::FlitBits-1:0] front;
  logic [P*noc_pkg::PortBits-1:0] active_port;
  // From the outputs: what they can take, and grants.
  logic [P-1:0] has_credit;
  logic [N-1:0] free_valid;
  logic [N*noc_pkg::VcBits-1:0] free_vc;
  logic [N-1:0] grant_valid;
  logic [N*noc_pkg::PortBits-1:0] grant_in;
  logic [N*noc_pkg::VcBits-1:0] grant_out_vc;
  logic [N*noc_pkg::PortBits-1:0] out_pointer;
  logic [N*N-1:0] request;  // [o*N + i]: the nominee of input i requests output o
  logic [N*N-1:0] grant;    // [i*N + o]: it is granted
  // Through the crossbar.
  logic [N*noc_pkg::FlitBits-1:0] out_flit;

  // ---- inputs ----------------------------------------------------------------------------------
  generate
    for (genvar i = 0; i < N; i++) begin
      input_port #(
          .Ports(N),
          .Vcs((i < noc_pkg::ExternalPorts) ? Vcs : LocalVcs),
          .Depth(Depth),
          // A packet ejects at the local port that belongs to its input, so that packets which come
          // from different neighbours are, with L = 4, received side by side.
          .EjectPort((i < noc_pkg::ExternalPorts) ? noc_pkg::ExternalPorts + i % LocalPorts : i)
      ) u_input (
          .clk_i,
          .rst_ni,
          .x_i,
          .y_i,
          .valid_i(in_valid_i[i]),
          .vc_i(in_vc_i[i*noc_pkg::VcBits+:noc_pkg::VcBits]),
          .flit_i({in_head_i[i], in_tail_i[i], in_data_i[i*noc_pkg::DataBits+:noc_pkg::DataBits]}),
          .has_credit_i(has_credit),
          .free_valid_i(free_valid),
          .free_vc_i(free_vc),
          .granted_i(|grant[i*N+:N]),
          .nominee_valid_o(nominee_valid[i]),
          .nominee_o(nominee[i*noc_pkg::VcBits+:noc_pkg::VcBits]),
          .request_port_o(request_port[i*noc_pkg::PortBits+:noc_pkg::PortBits]),
          .request_vc_o(request_vc[i*noc_pkg::VcBits+:noc_pkg::VcBits]),
          .flit_o(nominee_flit[i*noc_pkg::FlitBits+:noc_pkg::FlitBits]),
          .credit_valid_o(in_credit_valid_o[i]),
          .credit_vc_o(in_credit_vc_o[i*noc_pkg::VcBits+:noc_pkg::VcBits]),
          .front_o(front[i*FrontBits+:FrontBits]),
          .count_o(obs_count_o[i*CountsBits+:CountsBits]),
          .active_o(obs_active_o[i*noc_pkg::MaxVcs+:noc_pkg::MaxVcs]),
          .out_port_o(active_port[i*OutPortsBits+:OutPortsBits]),
          .out_vc_o(obs_out_vc_o[i*OutVcsBits+:OutVcsBits]),
          .pointer_o(obs_in_pointer_o[i*noc_pkg::VcBits+:noc_pkg::VcBits])
      );

      for (genvar o = 0; o < N; o++) begin
        assign request[o*N+i] = nominee_valid[i]
            && request_port[i*noc_pkg::PortBits+:noc_pkg::PortBits] == noc_pkg::PortBits'(o);
        assign grant[i*N+o] = grant_valid[o]
            && grant_in[o*noc_pkg::PortBits+:noc_pkg::PortBits] == noc_pkg::PortBits'(i);
      end
    end
  endgenerate

  // ---- outputs ---------------------------------------------------------------------------------
  generate
    for (genvar o = 0; o < N; o++) begin
      output_port #(
          .Ports(N),
          .Vcs((o < noc_pkg::ExternalPorts) ? Vcs : LocalVcs),
          .Depth(Depth)
      ) u_output (
          .clk_i,
          .rst_ni,
          .request_i(request[o*N+:N]),
          .request_vc_i(request_vc),
          .head_i(out_head_o[o]),
          .tail_i(out_tail_o[o]),
          .credit_valid_i(out_credit_valid_i[o]),
          .credit_vc_i(out_credit_vc_i[o*noc_pkg::VcBits+:noc_pkg::VcBits]),
          .grant_valid_o(grant_valid[o]),
          .grant_in_o(grant_in[o*noc_pkg::PortBits+:noc_pkg::PortBits]),
          .grant_vc_o(grant_out_vc[o*noc_pkg::VcBits+:noc_pkg::VcBits]),
          .free_valid_o(free_valid[o]),
          .free_vc_o(free_vc[o*noc_pkg::VcBits+:noc_pkg::VcBits]),
          .has_credit_o(has_credit[o*noc_pkg::MaxVcs+:noc_pkg::MaxVcs]),
          .credits_o(obs_credits_o[o*CountsBits+:CountsBits]),
          .owned_o(obs_owned_o[o*noc_pkg::MaxVcs+:noc_pkg::MaxVcs]),
          .pointer_o(out_pointer[o*noc_pkg::PortBits+:noc_pkg::PortBits])
      );
    end
  endgenerate

  // ---- crossbar --------------------------------------------------------------------------------
  crossbar #(
      .Ports(N)
  ) u_crossbar (
      .flit_i(nominee_flit),
      .grant_valid_i(grant_valid),
      .grant_in_i(grant_in),
      .flit_o(out_flit)
  );

  assign out_valid_o = grant_valid;
  assign out_vc_o = grant_out_vc;

  generate
    for (genvar o = 0; o < N; o++) begin
      assign {out_head_o[o], out_tail_o[o], out_data_o[o*noc_pkg::DataBits+:noc_pkg::DataBits]}
          = out_flit[o*noc_pkg::FlitBits+:noc_pkg::FlitBits];
    end
  endgenerate

  // ---- observation -----------------------------------------------------------------------------
  // Counts, credits, flags and input pointers come straight from the ports; the rest is regrouped.
  assign obs_grant_valid_o = grant_valid;

  generate
    for (genvar k = 0; k < P; k++) begin
      assign {obs_front_head_o[k], obs_front_tail_o[k],
              obs_front_data_o[k*noc_pkg::DataBits+:noc_pkg::DataBits]}
          = front[k*noc_pkg::FlitBits+:noc_pkg::FlitBits];
      assign obs_out_port_o[k*noc_pkg::ObsPortBits+:noc_pkg::ObsPortBits]
          = noc_pkg::ObsPortBits'(active_port[k*noc_pkg::PortBits+:noc_pkg::PortBits]);
    end
    for (genvar o = 0; o < N; o++) begin
      logic [noc_pkg::PortBits-1:0] winner;
      assign winner = grant_in[o*noc_pkg::PortBits+:noc_pkg::PortBits];
      assign obs_out_pointer_o[o*noc_pkg::ObsPortBits+:noc_pkg::ObsPortBits]
          = noc_pkg::ObsPortBits'(out_pointer[o*noc_pkg::PortBits+:noc_pkg::PortBits]);
      assign obs_grant_in_o[o*noc_pkg::ObsPortBits+:noc_pkg::ObsPortBits]
          = noc_pkg::ObsPortBits'(winner);
      assign obs_grant_vc_o[o*noc_pkg::VcBits+:noc_pkg::VcBits]
          = grant_valid[o] ? nominee[winner*noc_pkg::VcBits+:noc_pkg::VcBits] : '0;
    end
  endgenerate

  // ---- assertions ------------------------------------------------------------------------------
  initial if (LocalPorts < 1 || LocalPorts > noc_pkg::MaxLocalPorts) $fatal(1, "LocalPorts: 1..4");
  initial if (Vcs < 1 || Vcs > noc_pkg::MaxVcs) $fatal(1, "Vcs: 1..8");
  initial if (LocalVcs < 1 || LocalVcs > noc_pkg::MaxVcs) $fatal(1, "LocalVcs: 1..8");
  initial if (Depth < 1 || Depth > noc_pkg::MaxDepth) $fatal(1, "Depth: 1..64");

endmodule
