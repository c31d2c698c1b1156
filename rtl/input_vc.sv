// One virtual channel of an input port: its buffer, the route of its packet, and its requests.
//
// While this VC is inactive, its front flit is a head. The head is routed, and looks for a free VC
// of its kind and class at its output. With up to three stages it requests the switch
// together with that VC; with four stages it requests the VC first. Once it has the VC, this VC is
// active, and the packet follows until its tail has been granted.
module input_vc #(
    /// Pipeline stages of the router, 1..4.
    parameter int Stages = 1,
    /// Ports of the switch.
    parameter int Ports = 8,
    /// Buffer depth, flits.
    parameter int Depth = 4,
    /// As in switch_core.
    parameter int FirstDim = 0,
    parameter int Dims = 2,
    parameter int FirstThrough = 2 * Dims,
    parameter int Torus = 0,
    parameter int Classes = 1,
    parameter int Routing = 0,
    /// Derived, not to be set.
    localparam int IndexBits = $clog2(Ports),
    /// Sizes that all modules share.
    localparam int ClassPlaces = noc_pkg::ClassPlaces,
    localparam int PortBits = noc_pkg::PortBits,
    localparam int VcBits = noc_pkg::VcBits,
    localparam int ClassBits = noc_pkg::ClassBits,
    localparam int AddressBits = noc_pkg::AddressBits,
    localparam int FlitBits = noc_pkg::FlitBits
) (
    /// Clock.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Coordinates of this router, and the greatest coordinates of the network.
    input logic [AddressBits-1:0] address_i,
    input logic [AddressBits-1:0] last_i,
    /// The port of the switch for packets that have no more hops in its dimensions.
    input logic [IndexBits-1:0] through_i,
    /// A flit arrives for this VC.
    input logic push_i,
    /// That flit.
    input logic [FlitBits-1:0] flit_i,
    /// Per output port and VC: there is a credit.
    input logic [Ports*noc_pkg::MaxVcs-1:0] has_credit_i,
    /// Per output port and class: whether there is a VC that a head of this VC's kind can take, and
    /// which one it takes.
    input logic [Ports*ClassPlaces-1:0] free_valid_i,
    input logic [Ports*ClassPlaces*VcBits-1:0] free_vc_i,
    /// The request for the switch is granted: the front flit leaves.
    input logic granted_i,
    /// The request for a VC is granted (four stages).
    input logic va_granted_i,
    /// The front flit could pass the switch now; the head could take a VC now (four stages only).
    output logic request_o,
    output logic va_request_o,
    /// For either request: the output port of the switch, and its VC.
    output logic [IndexBits-1:0] target_port_o,
    output logic [VcBits-1:0] target_vc_o,
    /// The front flit, 0 while the buffer is empty.
    output logic [FlitBits-1:0] front_o,
    /// Flits in the buffer.
    output logic [noc_pkg::CountBits-1:0] count_o,
    /// The front head has been routed (three and four stages).
    output logic routed_o,
    /// Whether the VC is active, that is, its packet holds an output port (by its number in the
    /// router) and a VC there; and which ones.
    output logic active_o,
    output logic [PortBits-1:0] out_port_o,
    output logic [VcBits-1:0] out_vc_o
);

  logic active_q;
  logic [PortBits-1:0] out_port_q;
  logic [VcBits-1:0] out_vc_q;
  logic front_is_head;
  logic front_is_tail;
  logic [IndexBits-1:0] route_port;
  logic [ClassBits-1:0] route_class;
  logic [IndexBits-1:0] held_port;             // of the packet that is routed or active
  logic head_ready;                            // a head whose output port is known
  logic [ClassBits-1:0] head_class;
  logic head_finds_vc;
  logic routing;                               // RC has a stage of its own, and is in it now

  // ---- port numbers ----------------------------------------------------------------------------
  // The ports of a switch count from 0; the router's numbers begin at 2*FirstDim and FirstThrough.
  function automatic logic [PortBits-1:0] number_of(input logic [IndexBits-1:0] index);
    number_of = (32'(index) < 2 * Dims)
        ? PortBits'(index) + PortBits'(2 * FirstDim)
        : PortBits'(index) + PortBits'(FirstThrough - 2 * Dims);
  endfunction

  function automatic logic [IndexBits-1:0] index_of(input logic [PortBits-1:0] number);
    index_of = (32'(number) < FirstThrough)
        ? IndexBits'(number - PortBits'(2 * FirstDim))
        : IndexBits'(number - PortBits'(FirstThrough - 2 * Dims));
  endfunction

  // ---- buffer ----------------------------------------------------------------------------------
  flit_fifo #(
      .Width(FlitBits),
      .Depth(Depth)
  ) u_fifo (
      .clk_i,
      .rst_ni,
      .push_i,
      .data_i(flit_i),
      .pop_i(granted_i),
      .front_o,
      .count_o
  );

  assign front_is_head = front_o[noc_pkg::HeadBit];
  assign front_is_tail = front_o[noc_pkg::TailBit];

  // ---- route computation -----------------------------------------------------------------------
  route #(
      .Routing(Routing),
      .FirstDim(FirstDim),
      .Dims(Dims),
      .Ports(Ports),
      .Torus(Torus),
      .Classes(Classes)
  ) u_route (
      .address_i,
      .last_i,
      .dest_i(front_o[noc_pkg::DestLsb+:AddressBits]),
      .source_i(front_o[noc_pkg::SourceLsb+:AddressBits]),
      .through_i,
      .port_o(route_port),
      .class_o(route_class)
  );

  assign held_port = index_of(out_port_q);

  generate
    if (Stages >= 3) begin : g_rc_stage
      logic routed_q;
      logic [ClassBits-1:0] out_class_q;

      assign routing = count_o != 0 && !active_q && !routed_q;
      assign head_ready = routed_q;
      assign head_class = out_class_q;
      assign target_port_o = held_port;
      assign routed_o = routed_q;

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          routed_q <= 1'b0;
          out_class_q <= '0;
        end else if (routing) begin
          routed_q <= 1'b1;
          out_class_q <= route_class;
        end else if (granted_i || va_granted_i) begin
          routed_q <= 1'b0;
        end
      end
    end else begin : g_no_rc_stage
      assign routing = 1'b0;
      assign head_ready = count_o != 0 && !active_q;
      assign head_class = route_class;
      assign target_port_o = active_q ? held_port : route_port;
      assign routed_o = 1'b0;
    end
  endgenerate

  // ---- requests --------------------------------------------------------------------------------
  assign head_finds_vc = head_ready && free_valid_i[{target_port_o, head_class}];
  assign target_vc_o
      = active_q ? out_vc_q : free_vc_i[{target_port_o, head_class}*VcBits+:VcBits];

  assign request_o = active_q ? count_o != 0 && has_credit_i[{target_port_o, out_vc_q}]
                              : Stages <= 3 && head_finds_vc;
  assign va_request_o = Stages == 4 && head_finds_vc;

  assign active_o = active_q;
  assign out_port_o = out_port_q;
  assign out_vc_o = out_vc_q;

  // ---- registers -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) active_q <= 1'b0;
    else if (granted_i) active_q <= !front_is_tail;
    else if (va_granted_i) active_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_port_q <= '0;
      out_vc_q <= '0;
    end else begin
      if (routing) out_port_q <= number_of(route_port);
      else if (granted_i && !active_q) out_port_q <= number_of(target_port_o);
      if (va_granted_i || (granted_i && !active_q)) out_vc_q <= target_vc_o;
    end
  end

  // ---- assertions ------------------------------------------------------------------------------
  // A head is at the front of each inactive VC that holds flits, so packets do not mix. With four
  // stages the head is still at the front when it has made its VC active.
  invariant front_of_an_inactive_vc_is_a_head (
      .clk_i, .rst_ni, .holds_i(count_o == 0 || active_q || front_is_head)
  );
  invariant head_is_not_at_the_front_of_an_active_vc (
      .clk_i, .rst_ni, .holds_i(count_o == 0 || Stages == 4 || !active_q || !front_is_head)
  );
  invariant only_requests_are_granted (
      .clk_i, .rst_ni,
      .holds_i((!granted_i || request_o) && (!va_granted_i || va_request_o))
  );

endmodule
