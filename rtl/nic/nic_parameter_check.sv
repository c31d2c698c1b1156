// Refuses parameters that no unit of the NIC can have. It generates no hardware.
module nic_parameter_check #(
    /// Places of each direction.
    parameter int Places = 64,
    /// Flits that the combine unit starts in a cycle, the parameter C of the NIC.
    parameter int Lanes = 2,
    /// Engines that report flits in a cycle.
    parameter int Engines = 2
) ();

  // Icarus 11 has no $error in elaboration: there the simulation ends as it starts.
`ifdef __ICARUS__
`define REFUSE(condition, message) initial if (condition) $fatal(1, message);
`else
`define REFUSE(condition, message) if (condition) $error(message);
`endif

  generate
    `REFUSE(Places < 2 || Places > nic_pkg::MaxPlaces, "Places: 2..64")
    `REFUSE(Lanes < 1 || Lanes > 8, "Lanes: 1..8")
    `REFUSE(Engines < 1 || Engines > 8, "Engines: 1..8")
  endgenerate

`undef REFUSE

endmodule
