// One switch with its buffers and its pipeline, but without link registers: a whole all-port
// router, or one dimension of a one-port router (docs/internals/microarchitecture.md, section 5).
//
// Its ports are numbered from 0: first 2*Dims external ports (up and down in each dimension), then
// the "through" ports, which are local or lead to the next dimension. Every output depends on the
// registers only.
module switch_core #(
    /// The dimensions that it serves: FirstDim, FirstDim + 1, ...
    parameter int FirstDim = 0,
    parameter int Dims = 2,
    /// Through ports, and the number that the first of them has in the router.
    parameter int Throughs = 2 * Dims,
    parameter int FirstThrough = 2 * Dims,
    /// Data virtual channels: of external channels, and of the input and output sides of through
    /// ports.
    parameter int Vcs = 1,
    parameter int InVcs = 1,
    parameter int OutVcs = 1,
    /// 1: after the data VCs, each class of a channel has a VC for control packets.
    parameter int ControlVc = 0,
    /// Buffer depth per virtual channel, in flits.
    parameter int Depth = 4,
    /// Pipeline stages, 1..4.
    parameter int Stages = 1,
    /// Codes of all arbiters (module arbiter), of the routing function (module route) and of the VC
    /// selection (module vc_selection).
    parameter int Arbiters = 0,
    parameter int Routing = 0,
    parameter int VcSelection = 0,
    /// Bit d: dimension d is a ring.
    parameter int Torus = 0,
    /// Classes of VCs in rings: 2 (dateline) or 3 (plh); none where Vcs is less.
    parameter int TorusClasses = 2,
    /// The code of the allocators (module allocator), which no router sets.
    parameter int Allocator = 0,
    /// Derived, not to be set: the number of ports.
    localparam int N = 2 * Dims + Throughs,
    /// Sizes that all modules share.
    localparam int MaxVcs = noc_pkg::MaxVcs,
    localparam int ClassPlaces = noc_pkg::ClassPlaces,
    localparam int PortBits = noc_pkg::PortBits,
    localparam int VcBits = noc_pkg::VcBits,
    localparam int CountBits = noc_pkg::CountBits,
    localparam int AddressBits = noc_pkg::AddressBits,
    localparam int FlitBits = noc_pkg::FlitBits,
    localparam int ObsBits = noc_pkg::ObsBits
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Coordinates of this router, and the greatest coordinates of the network.
    input logic [AddressBits-1:0] address_i,
    input logic [AddressBits-1:0] last_i,

    /// Input channels: flits that arrive, credits that go back.
    input logic [N-1:0] in_valid_i,
    input logic [N*VcBits-1:0] in_vc_i,
    input logic [N*FlitBits-1:0] in_flit_i,
    output logic [N-1:0] in_credit_valid_o,
    output logic [N*VcBits-1:0] in_credit_vc_o,
    /// Output channels: flits that leave, credits that arrive.
    output logic [N-1:0] out_valid_o,
    output logic [N*VcBits-1:0] out_vc_o,
    output logic [N*FlitBits-1:0] out_flit_o,
    input logic [N-1:0] out_credit_valid_i,
    input logic [N*VcBits-1:0] out_credit_vc_i,

    /// The observation output: a record as in noc_pkg per port of this switch. Ports have their
    /// numbers in the router. Pointers are indices among the arbiter's candidates.
    output logic [N*ObsBits-1:0] obs_o
);

  localparam int Places = N * MaxVcs;       // of VCs
  localparam int Offers = N * ClassPlaces;  // of classes: each offers a VC, or none
  localparam int IndexBits = $clog2(N);
  localparam int Externals = 2 * Dims;
  localparam int RingClasses = (Vcs < TorusClasses) ? 1 : TorusClasses;
  localparam int SwitchRegisters = (Stages >= 2) ? 1 : 0;

  // State of the input VCs.
  logic [Places*FlitBits-1:0] front;
  logic [Places*CountBits-1:0] count;
  logic [Places-1:0] routed;
  logic [Places-1:0] active;
  logic [Places*PortBits-1:0] out_port;
  logic [Places*VcBits-1:0] out_vc;
  logic [Places-1:0] request;
  logic [Places-1:0] va_request;
  logic [Places*IndexBits-1:0] target_port;
  // State of the output VCs.
  logic [Places*CountBits-1:0] credits;
  logic [Places-1:0] owned;
  logic [Places-1:0] has_credit;
  logic [Offers-1:0] free_valid;
  logic [Offers*VcBits-1:0] free_vc;
  logic [Offers-1:0] control_free_valid;
  logic [Offers*VcBits-1:0] control_free_vc;
  // Switch allocation. Per input: the nominee, its flit, and the VC that it wants. Per output: the
  // winner.
  logic [N*VcBits-1:0] nominee;
  logic [N*FlitBits-1:0] nominee_flit;
  logic [N*VcBits-1:0] nominee_target_vc;
  logic [N-1:0] granted;
  logic [N-1:0] grant_valid;
  logic [N*IndexBits-1:0] grant_in;
  logic [N*VcBits-1:0] grant_out_vc;
  logic [N*VcBits-1:0] in_pointer;
  logic [N*IndexBits-1:0] out_pointer;
  // VC allocation, with the same signals.
  logic [N*VcBits-1:0] va_nominee;
  logic [N*VcBits-1:0] va_target_vc;
  logic [N-1:0] va_granted;
  logic [N-1:0] va_grant_valid;
  logic [N*IndexBits-1:0] va_grant_in;
  logic [N*VcBits-1:0] va_in_pointer;
  logic [N*IndexBits-1:0] va_out_pointer;
  // Switch traversal.
  logic [N*VcBits-1:0] freed_vc;
  logic [N*FlitBits-1:0] sent_flit;
  logic [N*IndexBits-1:0] sent_in;

  // ---- inputs ----------------------------------------------------------------------------------
  generate
    for (genvar i = 0; i < N; i++) begin : g_input
      localparam int DataVcs = (i < Externals) ? Vcs : InVcs;
      localparam int Classes = (i < Externals)
          ? noc_pkg::classes_of(Vcs, Torus, TorusClasses, FirstDim + i / 2) : 1;

      input_port #(
          .Stages(Stages),
          .Ports(N),
          .Vcs(DataVcs + ControlVc * Classes),
          .DataVcs(DataVcs),
          .Depth(Depth),
          .FirstDim(FirstDim),
          .Dims(Dims),
          .FirstThrough(FirstThrough),
          .Torus(Torus),
          .Classes(RingClasses),
          .Routing(Routing)
      ) u_input (
          .clk_i,
          .rst_ni,
          .address_i,
          .last_i,
          // A packet ejects at the port that belongs to its last input. So messages from different
          // neighbours are received in parallel, if there are enough local ports.
          .through_i(IndexBits'((i < Externals) ? Externals + i % Throughs : i)),
          .valid_i(in_valid_i[i]),
          .vc_i(in_vc_i[i*VcBits+:VcBits]),
          .flit_i(in_flit_i[i*FlitBits+:FlitBits]),
          .has_credit_i(has_credit),
          .free_valid_i(free_valid),
          .free_vc_i(free_vc),
          .control_free_valid_i(control_free_valid),
          .control_free_vc_i(control_free_vc),
          .nominee_i(nominee[i*VcBits+:VcBits]),
          .granted_i(granted[i]),
          .va_nominee_i(va_nominee[i*VcBits+:VcBits]),
          .va_granted_i(va_granted[i]),
          .request_o(request[i*MaxVcs+:MaxVcs]),
          .va_request_o(va_request[i*MaxVcs+:MaxVcs]),
          .target_port_o(target_port[i*MaxVcs*IndexBits+:MaxVcs*IndexBits]),
          .flit_o(nominee_flit[i*FlitBits+:FlitBits]),
          .target_vc_o(nominee_target_vc[i*VcBits+:VcBits]),
          .va_target_vc_o(va_target_vc[i*VcBits+:VcBits]),
          .front_o(front[i*MaxVcs*FlitBits+:MaxVcs*FlitBits]),
          .count_o(count[i*MaxVcs*CountBits+:MaxVcs*CountBits]),
          .routed_o(routed[i*MaxVcs+:MaxVcs]),
          .active_o(active[i*MaxVcs+:MaxVcs]),
          .out_port_o(out_port[i*MaxVcs*PortBits+:MaxVcs*PortBits]),
          .out_vc_o(out_vc[i*MaxVcs*VcBits+:MaxVcs*VcBits])
      );
    end
  endgenerate

  // ---- outputs ---------------------------------------------------------------------------------
  generate
    for (genvar o = 0; o < N; o++) begin : g_output
      localparam int DataVcs = (o < Externals) ? Vcs : OutVcs;
      localparam int Classes = (o < Externals)
          ? noc_pkg::classes_of(Vcs, Torus, TorusClasses, FirstDim + o / 2) : 1;

      logic [IndexBits-1:0] winner;
      logic [IndexBits-1:0] va_winner;
      assign winner = grant_in[o*IndexBits+:IndexBits];
      assign va_winner = va_grant_in[o*IndexBits+:IndexBits];
      assign grant_out_vc[o*VcBits+:VcBits] = grant_valid[o]
          ? nominee_target_vc[winner*VcBits+:VcBits] : '0;

      output_port #(
          .Vcs(DataVcs + ControlVc * Classes),
          .DataVcs(DataVcs),
          .Classes(Classes),
          .Depth(Depth),
          .VcSelection(VcSelection)
      ) u_output (
          .clk_i,
          .rst_ni,
          .grant_valid_i(grant_valid[o]),
          .grant_vc_i(grant_out_vc[o*VcBits+:VcBits]),
          .grant_tail_i(nominee_flit[winner*FlitBits+noc_pkg::TailBit]),
          .va_grant_valid_i(va_grant_valid[o]),
          .va_grant_vc_i(va_target_vc[va_winner*VcBits+:VcBits]),
          .credit_valid_i(out_credit_valid_i[o]),
          .credit_vc_i(out_credit_vc_i[o*VcBits+:VcBits]),
          .free_valid_o(free_valid[o*ClassPlaces+:ClassPlaces]),
          .free_vc_o(free_vc[o*ClassPlaces*VcBits+:ClassPlaces*VcBits]),
          .control_free_valid_o(control_free_valid[o*ClassPlaces+:ClassPlaces]),
          .control_free_vc_o(control_free_vc[o*ClassPlaces*VcBits+:ClassPlaces*VcBits]),
          .has_credit_o(has_credit[o*MaxVcs+:MaxVcs]),
          .credits_o(credits[o*MaxVcs*CountBits+:MaxVcs*CountBits]),
          .owned_o(owned[o*MaxVcs+:MaxVcs])
      );
    end
  endgenerate

  // ---- allocation ------------------------------------------------------------------------------
  allocator #(
      .Ports(N),
      .Externals(Externals),
      .Rings(Torus >> FirstDim),
      .Vcs(Vcs + ControlVc),
      .RingVcs(Vcs + ControlVc * RingClasses),
      .OtherVcs(InVcs + ControlVc),
      .Arbiters(Arbiters),
      .Allocator(Allocator)
  ) u_switch_allocator (
      .clk_i,
      .rst_ni,
      .request_i(request),
      .port_i(target_port),
      .nominee_o(nominee),
      .granted_o(granted),
      .grant_valid_o(grant_valid),
      .grant_in_o(grant_in),
      .in_pointer_o(in_pointer),
      .out_pointer_o(out_pointer)
  );

  generate
    if (Stages == 4) begin : g_vc_allocator
      allocator #(
          .Ports(N),
          .Externals(Externals),
          .Rings(Torus >> FirstDim),
          .Vcs(Vcs + ControlVc),
          .RingVcs(Vcs + ControlVc * RingClasses),
          .OtherVcs(InVcs + ControlVc),
          .Arbiters(Arbiters),
          .Allocator(Allocator)
      ) u_vc_allocator (
          .clk_i,
          .rst_ni,
          .request_i(va_request),
          .port_i(target_port),
          .nominee_o(va_nominee),
          .granted_o(va_granted),
          .grant_valid_o(va_grant_valid),
          .grant_in_o(va_grant_in),
          .in_pointer_o(va_in_pointer),
          .out_pointer_o(va_out_pointer)
      );
    end else begin : g_no_vc_allocator
      logic unused_request;
      assign unused_request = ^va_request;
      assign va_nominee = '0;
      assign va_granted = '0;
      assign va_grant_valid = '0;
      assign va_grant_in = '0;
      assign va_in_pointer = '0;
      assign va_out_pointer = '0;
    end
  endgenerate

  // ---- switch traversal ------------------------------------------------------------------------
  // With two or more stages, the switch register is before the crossbar.
  generate
    for (genvar i = 0; i < N; i++) begin : g_freed
      assign freed_vc[i*VcBits+:VcBits] = granted[i] ? nominee[i*VcBits+:VcBits] : '0;
    end
  endgenerate

  register_chain #(
      .Width(N * FlitBits),
      .Registers(SwitchRegisters)
  ) u_flit (
      .clk_i, .rst_ni, .data_i(nominee_flit), .data_o(sent_flit)
  );
  register_chain #(
      .Width(N),
      .Registers(SwitchRegisters)
  ) u_credit_valid (
      .clk_i, .rst_ni, .data_i(granted), .data_o(in_credit_valid_o)
  );
  register_chain #(
      .Width(N * VcBits),
      .Registers(SwitchRegisters)
  ) u_credit_vc (
      .clk_i, .rst_ni, .data_i(freed_vc), .data_o(in_credit_vc_o)
  );
  register_chain #(
      .Width(N),
      .Registers(SwitchRegisters)
  ) u_valid (
      .clk_i, .rst_ni, .data_i(grant_valid), .data_o(out_valid_o)
  );
  register_chain #(
      .Width(N * VcBits),
      .Registers(SwitchRegisters)
  ) u_vc (
      .clk_i, .rst_ni, .data_i(grant_out_vc), .data_o(out_vc_o)
  );
  register_chain #(
      .Width(N * IndexBits),
      .Registers(SwitchRegisters)
  ) u_in (
      .clk_i, .rst_ni, .data_i(grant_in), .data_o(sent_in)
  );

  crossbar #(
      .Ports(N)
  ) u_crossbar (
      .flit_i(sent_flit),
      .grant_valid_i(out_valid_o),
      .grant_in_i(sent_in),
      .flit_o(out_flit_o)
  );

  // ---- observation -----------------------------------------------------------------------------
  function automatic logic [PortBits-1:0] number_of(input logic [IndexBits-1:0] index);
    number_of = (32'(index) < Externals)
        ? PortBits'(index) + PortBits'(2 * FirstDim)
        : PortBits'(index) + PortBits'(FirstThrough - Externals);
  endfunction

  generate
    for (genvar p = 0; p < N; p++) begin : g_observed
      logic [IndexBits-1:0] winner;
      logic [IndexBits-1:0] va_winner;
      assign winner = grant_in[p*IndexBits+:IndexBits];
      assign va_winner = va_grant_in[p*IndexBits+:IndexBits];

      // Assigned field by field: for one concatenation, Verilator generates code that is many times
      // slower.
      assign obs_o[p*ObsBits+noc_pkg::ObsCountLsb+:MaxVcs*CountBits]
          = count[p*MaxVcs*CountBits+:MaxVcs*CountBits];
      assign obs_o[p*ObsBits+noc_pkg::ObsGrantValidLsb] = grant_valid[p];
      assign obs_o[p*ObsBits+noc_pkg::ObsGrantInLsb+:PortBits]
          = grant_valid[p] ? number_of(winner) : '0;
      assign obs_o[p*ObsBits+noc_pkg::ObsGrantVcLsb+:VcBits]
          = grant_valid[p] ? nominee[winner*VcBits+:VcBits] : '0;
      assign obs_o[p*ObsBits+noc_pkg::ObsGrantOutVcLsb+:VcBits] = grant_out_vc[p*VcBits+:VcBits];
      assign obs_o[p*ObsBits+noc_pkg::ObsVaGrantValidLsb] = va_grant_valid[p];
      assign obs_o[p*ObsBits+noc_pkg::ObsVaGrantInLsb+:PortBits]
          = va_grant_valid[p] ? number_of(va_winner) : '0;
      assign obs_o[p*ObsBits+noc_pkg::ObsVaGrantVcLsb+:VcBits]
          = va_grant_valid[p] ? va_nominee[va_winner*VcBits+:VcBits] : '0;
      assign obs_o[p*ObsBits+noc_pkg::ObsVaGrantOutVcLsb+:VcBits]
          = va_grant_valid[p] ? va_target_vc[va_winner*VcBits+:VcBits] : '0;
      assign obs_o[p*ObsBits+noc_pkg::ObsInPointerLsb+:VcBits] = in_pointer[p*VcBits+:VcBits];
      assign obs_o[p*ObsBits+noc_pkg::ObsOutPointerLsb+:PortBits]
          = PortBits'(out_pointer[p*IndexBits+:IndexBits]);
      assign obs_o[p*ObsBits+noc_pkg::ObsVaInPointerLsb+:VcBits] = va_in_pointer[p*VcBits+:VcBits];
      assign obs_o[p*ObsBits+noc_pkg::ObsVaOutPointerLsb+:PortBits]
          = PortBits'(va_out_pointer[p*IndexBits+:IndexBits]);
      assign obs_o[p*ObsBits+noc_pkg::ObsRoutedLsb+:MaxVcs] = routed[p*MaxVcs+:MaxVcs];
      assign obs_o[p*ObsBits+noc_pkg::ObsActiveLsb+:MaxVcs] = active[p*MaxVcs+:MaxVcs];
      assign obs_o[p*ObsBits+noc_pkg::ObsOwnedLsb+:MaxVcs] = owned[p*MaxVcs+:MaxVcs];
      assign obs_o[p*ObsBits+noc_pkg::ObsOutPortLsb+:MaxVcs*PortBits]
          = out_port[p*MaxVcs*PortBits+:MaxVcs*PortBits];
      assign obs_o[p*ObsBits+noc_pkg::ObsOutVcLsb+:MaxVcs*VcBits]
          = out_vc[p*MaxVcs*VcBits+:MaxVcs*VcBits];
      assign obs_o[p*ObsBits+noc_pkg::ObsCreditsLsb+:MaxVcs*CountBits]
          = credits[p*MaxVcs*CountBits+:MaxVcs*CountBits];
      assign obs_o[p*ObsBits+noc_pkg::ObsFrontLsb+:MaxVcs*FlitBits]
          = front[p*MaxVcs*FlitBits+:MaxVcs*FlitBits];
      assign obs_o[(p+1)*ObsBits-1:p*ObsBits+noc_pkg::ObsFillLsb] = '0;
    end
  endgenerate

  // ---- assertions ------------------------------------------------------------------------------
  // A head takes a VC that no packet owns (with four stages its packet owns it already); other
  // flits take their packet's VC.
  generate
    for (genvar o = 0; o < N; o++) begin : g_owner_check
      logic head;
      logic [MaxVcs-1:0] taken;
      assign head = nominee_flit[grant_in[o*IndexBits+:IndexBits]*FlitBits+noc_pkg::HeadBit];
      assign taken = owned[o*MaxVcs+:MaxVcs];
      invariant heads_take_free_vcs_and_the_rest_owned_ones (
          .clk_i,
          .rst_ni,
          .holds_i(!grant_valid[o] || taken[grant_out_vc[o*VcBits+:VcBits]]
                   == (Stages == 4 || !head))
      );
    end
  endgenerate

  // A control packet takes control VCs, a data packet data VCs.
  generate
    if (ControlVc != 0) begin : g_kind_check
      logic [N-1:0] nominee_is_control;
      for (genvar i = 0; i < N; i++) begin : g_input
        assign nominee_is_control[i]
            = 32'(nominee[i*VcBits+:VcBits]) >= ((i < Externals) ? Vcs : InVcs);
      end
      for (genvar o = 0; o < N; o++) begin : g_output
        logic target_is_control;
        assign target_is_control
            = 32'(grant_out_vc[o*VcBits+:VcBits]) >= ((o < Externals) ? Vcs : OutVcs);
        invariant packets_keep_their_kind (
            .clk_i,
            .rst_ni,
            .holds_i(!grant_valid[o] || target_is_control
                     == nominee_is_control[grant_in[o*IndexBits+:IndexBits]])
        );
      end
    end
  endgenerate

endmodule
