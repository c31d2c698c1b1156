// The outputs that the VCs of one input request, each of them one at most.
module requested_outputs #(
    /// Ports of the switch.
    parameter int Ports = 8,
    /// Virtual channels of the input.
    parameter int Vcs = 1,
    /// Derived, not to be set.
    localparam int IndexBits = $clog2(Ports)
) (
    /// Per VC: whether it requests, and which output port.
    input logic [Vcs-1:0] request_i,
    input logic [Vcs*IndexBits-1:0] port_i,
    /// Per output port: some VC requests it.
    output logic [Ports-1:0] output_o
);

  function automatic logic [Ports-1:0] requested_by(input logic [Vcs-1:0] requests,
                                                    input logic [Vcs*IndexBits-1:0] targets);
    requested_by = '0;
    for (int v = 0; v < Vcs; v++) begin
      for (int o = 0; o < Ports; o++) begin
        if (requests[v] && targets[v*IndexBits+:IndexBits] == IndexBits'(o))
          requested_by[o] = 1'b1;
      end
    end
  endfunction

  assign output_o = requested_by(request_i, port_i);

endmodule
