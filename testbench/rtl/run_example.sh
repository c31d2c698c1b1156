#!/usr/bin/env bash
# The example examples/rtl-router as a user has it: a copy of its own, outside the source tree, with
# nothing of Annelid but the folder of the RTL. Both simulators must say the same, of a small mesh: Verilator compiles
# each of its routers. The test of the installation (testbench/install) runs it with the RTL that it has installed.
#
#   run_example.sh <folder of rtl.f>
set -euo pipefail
export RTL_DIR
RTL_DIR=$(realpath "${1:?usage: run_example.sh <folder of rtl.f>}")
example=$(cd "$(dirname "$0")/../../examples/rtl-router" && pwd)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$example" "$scratch/example"
cd "$scratch/example"
for simulator in icarus verilator; do
  ./run "$simulator" Width=3 Height=1 Stages=2 LinkRegisters=1 | tee "$scratch/log"
  # Verilator reports the end of the simulation itself.
  grep -v 'Verilog \$finish' "$scratch/log" >"$scratch/$simulator"
done
diff "$scratch/icarus" "$scratch/verilator"
grep -qE '^6 packets, [1-9][0-9]* flits sent, [1-9][0-9]* received$' "$scratch/icarus"
./run icarus Width=3 Stages=2 LinkRegisters=1 | grep -E '^30 packets, [1-9][0-9]* flits sent, [1-9][0-9]* received$'
./run icarus
