"""The networks, collectives and failing runs that mpi_test.py tries: by name, the words of the command."""
SHORT = ["--warm-up", "50", "--measure", "200"]
# Each differs from the others in what crosses the cut, or in how the routers are stepped. The last dimension, which is
# cut, has 8 nodes or more.
NETWORKS = {
    "mesh": ["--size", "8x8", "--load", "0.3"],
    "mesh-words": ["--size", "16x16", "--load", "0.2"],
    "mesh-uneven": ["--size", "5x11", "--load", "0.3", "--flits", "1:0.5,9:0.5"],
    "line": ["--size", "24", "--load", "0.1"],
    "cube": ["--size", "3x4x8", "--load", "0.3"],
    "last-dimension-of-one": ["--size", "12x1", "--load", "0.1"],
    "link-registers": ["--size", "8x8", "--load", "0.3", "--link-registers", "1"],
    "many-link-registers": ["--size", "8x9", "--load", "0.3", "--link-registers", "4", "--vcs", "3"],
    "two-stages": ["--size", "8x8", "--load", "0.3", "--stages", "2"],
    "three-stages": ["--size", "8x8", "--load", "0.3", "--stages", "3", "--link-registers", "2", "--vcs", "2"],
    "four-stages": ["--size", "8x8", "--load", "0.3", "--stages", "4", "--vcs", "4"],
    "depth-1": ["--size", "8x8", "--load", "0.1", "--depth", "1"],
    "torus": ["--size", "8x8", "--load", "0.3", "--topology", "torus", "--vcs", "2"],
    "torus-3d-pipelined": ["--size", "3x3x8", "--load", "0.2", "--topology", "torus", "--vcs", "4", "--stages", "3",
                           "--link-registers", "1"],
    "torus-plh": ["--size", "4x9", "--load", "0.2", "--topology", "torus", "--vcs", "3", "--set", "router.classes=plh"],
    "one-port": ["--size", "8x8", "--load", "0.1", "--router", "one-port"],
    "one-port-torus": ["--size", "4x8", "--load", "0.05", "--router", "one-port", "--topology", "torus", "--vcs", "2"],
    "two-local-ports": ["--size", "8x8", "--load", "0.2", "--set", "router.local_ports=2"],
    "saturated": ["--size", "8x8", "--load", "0.9", "--vcs", "2"],
    "not-drained": ["--size", "8x8", "--load", "0.9", "--drain", "50"],
    "short-packets": ["--size", "8x8", "--load", "0.9", "--flits", "2", "--link-registers", "1", "--drain", "200"],
    "hotspot": ["--size", "8x8", "--load", "0.2", "--pattern", "hotspot", "--hotspots", "27"],
    "bursty": ["--size", "8x8", "--load", "0.2", "--injection", "bursty", "--burst", "50"],
    "nearly-idle": ["--size", "8x8", "--load", "0.0005"],
    "silent": ["--size", "8x8", "--load", "0"],
    "matrix-arbiters": ["--size", "8x8", "--load", "0.3", "--set", "router.arbiters=matrix"],
    "rotating-vcs": ["--size", "8x8", "--load", "0.4", "--vcs", "4", "--vc-selection", "rotating", "--stages", "3"],
    "most-credits": ["--size", "8x8", "--load", "0.4", "--vcs", "4", "--vc-selection", "most-credits", "--flits", "1:0.5,9:0.5"],
    "one-port-3d": ["--size", "2x3x8", "--load", "0.1", "--router", "one-port"],
    "control-vcs": ["--size", "8x8", "--load", "0.3", "--control-vc", "true"],
}
# These run by planes where they can; all run by routers, too.
BY_ROUTERS = ["mesh", "mesh-uneven", "link-registers", "two-stages", "four-stages", "torus", "one-port", "cube",
              "nearly-idle", "depth-1", "many-link-registers", "rotating-vcs"]
# With all files of a run: by routers, or as the words say. The first ones always, the others with --every.
RECORDED = {
    "mesh-uneven": ["--wave-trigger", "blocked:5", "--wave-nodes", "3,20,54"],
    "torus": ["--wave-nodes", "all"],
    "three-stages": ["--kernel", "planes"],
    "one-port": ["--wave-window", "60:150"],
    "four-stages": ["--link-registers", "2", "--wave-trigger", "tag:3"],
    "nearly-idle": [],
    "short-packets": ["--kernel", "planes"],
    "mesh": [],
    "two-stages": [],
    "torus-3d-pipelined": [],
    "many-link-registers": [],
    "silent": [],
}
ALWAYS_RECORDED = 7
# These routers are in rtl/configurations.txt, and always Verilated.
RTL = {
    "all": ["--size", "4x8", "--load", "0.2", "--rtl", "all"],
    "some": ["--size", "4x8", "--load", "0.2", "--rtl", "4,5,8,11,15,31"],
    "registers": ["--size", "3x8", "--load", "0.05", "--depth", "2", "--stages", "2", "--set", "router.local_ports=2",
                  "--set", "router.arbiters=matrix", "--vcs", "2", "--set", "router.local_vcs=2", "--topology", "torus",
                  "--link-registers", "1", "--rtl", "0,1,6,7,9,22"],
}
DEADLOCK = ["--size", "4x8", "--topology", "torus", "--vcs", "1", "--set", "router.allow_deadlock=true", "--load", "0.9",
            "--flits", "20", "--depth", "2", *SHORT, "--drain", "2000"]
RECORDINGS = ["--flit-log", "flits.log", "--timeline", "timeline.html", "--perfetto", "timeline.json", "--packets",
              "packets.csv", "--wave", "wave.fst"]

# Traces: columns and rows of the network, and by how many messages a message may come after those that it waits for.
TRACES = {
    "trace": (4, 8, 60, []),
    "trace-files": (4, 8, 60, ["--kernel", "routers", *RECORDINGS, "--wave-nodes", "0,13,31"]),
    "trace-planes": (3, 9, 20, ["--kernel", "planes", "--stages", "3", "--link-registers", "2", *RECORDINGS]),
    "trace-chain": (2, 8, 3, ["--link-registers", "4", "--topology", "torus", "--vcs", "2"]),
    "trace-one-port": (1, 16, 8, ["--router", "one-port"]),
}
OFTEN_TRACED = ["trace", "trace-files", "trace-planes"]

NATIVE = ["--firmware", "native"]
WAVE = ["--wave", "run.fst"]
# Collectives: operations, firmware, and what NICs and routers do. Each value of the router keys once, on small networks.
RUNS = {
    "native": ["--operation", "scatter", "--size", "4x8", "--bytes", "64", *NATIVE],
    "rv32": ["--operation", "broadcast", "--size", "2x8", "--bytes", "40", "--flit-log", "run.log", "--timeline",
             "run.html", "--perfetto", "run.json", *WAVE, "--wave-nodes", "all", "--trace", "run.txt", "--trace-node",
             "3,14", "--profile"],
    "line": ["--operation", "all-gather", "--size", "9", "--bytes", "12"],
    "cube": ["--operation", "reduce", "--operator", "sum", "--type", "float32", "--size", "2x2x8", "--bytes", "40",
             "--root", "1,0,5"],
    "unaligned": ["--operation", "broadcast", "--size", "3x9", "--bytes", "301", "--root", "2,7", *NATIVE],
    "empty": ["--operation", "broadcast", "--size", "2x8", "--bytes", "0"],
    "rendezvous": ["--operation", "all-to-all", "--size", "2x8", "--bytes", "20", "--eager-bytes", "0", *NATIVE],
    "eager": ["--operation", "all-to-all", "--size", "2x8", "--bytes", "80", "--eager-bytes", "4096", *NATIVE],
    "to-themselves": ["--operation", "transpose", "--size", "8x8", "--bytes", "40", *NATIVE],
    "scan": ["--operation", "scan", "--operator", "affine", "--size", "3x8", "--ranks", "19", "--bytes", "80", *NATIVE],
    "ring": ["--operation", "all-reduce", "--operator", "max", "--algorithm", "ring", "--size", "2x8", "--bytes", "128",
             *NATIVE],
    "barrier": ["--operation", "barrier", "--size", "2x8", "--skew", "400", *WAVE, "--wave-window", "500:1500",
                "--wave-nodes", "all"],
    "shift": ["--operation", "shift", "--steps", "-3", "--size", "2x8", "--bytes", "16", "--mode", "barrier", "--skew", "90"],
    "develop": ["--operation", "gather", "--size", "2x8", "--bytes", "24", "--develop", "true", "--skew", "60", *NATIVE],
    "counts": ["--operation", "all-gather", "--algorithm", "intercom", "--size", "3x8", "--counts", "random:0..90",
               *NATIVE],
    "auto": ["--operation", "reduce-scatter", "--algorithm", "auto", "--size", "4x8", "--bytes", "16", *NATIVE],
    "triggers": ["--operation", "broadcast", "--algorithm", "edn", "--size", "8x8", "--bytes", "64", "--triggers", "true",
                 *NATIVE],
    "packets": ["--operation", "broadcast", "--algorithm", "two-tree", "--size", "3x9", "--bytes", "2000", "--packets",
                "7", *NATIVE],
    "times": ["--operation", "broadcast", "--size", "2x8", "--bytes", "64", "--alpha", "700", "--gamma", "1500"],
    "group": ["--operation", "all-gather", "--size", "2x8", "--group", "each column", "--bytes", "24"],
    "calls": ["{project}/scenarios/rows-and-columns-8x8.toml", *NATIVE, *WAVE, "--wave-trigger", "tag:3", "--wave-nodes",
              "7,8,50,63"],
    "calls-rv32": ["{project}/scenarios/rows-and-columns-8x8.toml", "--size", "2x8", "--bytes", "64", "--skew", "70"],
    "torus": ["--operation", "all-gather", "--size", "3x8", "--topology", "torus", "--bytes", "64", *NATIVE],
    "torus-plh": ["--operation", "all-to-all", "--size", "2x8", "--topology", "torus", "--classes", "plh", "--bytes",
                  "64", *NATIVE],
    "one-port": ["--operation", "broadcast", "--size", "2x8", "--router", "one-port", "--bytes", "64"],
    "one-port-torus": ["--operation", "all-reduce", "--size", "3x8", "--router", "one-port", "--topology", "torus",
                       "--bytes", "64", *NATIVE, *WAVE, "--wave-trigger", "blocked:9", "--wave-nodes", "all"],
    "two-stages": ["--operation", "all-gather", "--size", "2x8", "--stages", "2", "--bytes", "64", *NATIVE],
    "three-stages": ["--operation", "gather", "--size", "4x8", "--stages", "3", "--link-registers", "1", "--bytes", "64",
                     *NATIVE, *WAVE],
    "four-stages": ["--operation", "all-to-all", "--size", "2x8", "--stages", "4", "--vcs", "2", "--bytes", "64", *NATIVE,
                    *WAVE],
    "link-registers": ["--operation", "broadcast", "--size", "2x8", "--link-registers", "1", "--bytes", "40"],
    "many-link-registers": ["--operation", "all-to-all", "--size", "2x9", "--link-registers", "4", "--vcs", "3",
                            "--bytes", "64", *NATIVE, *WAVE],
    "no-control-vc": ["--operation", "all-gather", "--size", "2x8", "--control-vc", "false", "--local-vcs", "2",
                      "--bytes", "64", *NATIVE],
    "narrow-memory": ["--operation", "all-reduce", "--operator", "sum", "--size", "4x8", "--memory-flits", "2",
                      "--half-duplex", "true", "--local-ports", "2", "--bytes", "256", *NATIVE, *WAVE],
    "matrix-arbiters": ["--operation", "all-to-all", "--size", "2x8", "--arbiters", "matrix", "--bytes", "40", *NATIVE],
    "rotating-vcs": ["--operation", "all-to-all", "--size", "2x8", "--vcs", "4", "--vc-selection", "rotating", "--bytes",
                     "40", *NATIVE, *WAVE],
    "most-credits": ["--operation", "all-to-all", "--size", "2x8", "--vcs", "4", "--vc-selection", "most-credits",
                     "--stages", "4", "--bytes", "40", *NATIVE],
}
# With Verilated routers, which are always built. In the second network the links have registers.
RTL_RUNS = {
    "rtl": ["--operation", "broadcast", "--size", "2x8", "--bytes", "40", "--rtl", "all", *WAVE, "--wave-nodes", "all"],
    "rtl-registers": ["--operation", "all-gather", "--size", "16", "--topology", "torus", "--classes", "plh",
                      "--local-ports", "1", "--vcs", "5", "--local-vcs", "3", "--stages", "3", "--link-registers", "1",
                      "--depth", "4", "--bytes", "48", "--rtl", "0,1,5,6,10,15", "--flit-log", "run.log", *NATIVE],
}
# Runs that fail: the exit status, and what is said. {x} is the firmware x.S of testbench/end_to_end/firmware.
FAILURES = {
    "cycle-limit": ["--operation", "broadcast", "--size", "4x8", "--bytes", "4000", "--cycle-limit", "1500"],
    "trap": ["--operation", "broadcast", "--size", "2x8", "--firmware", "{traps}", "--flit-log", "run.log"],
    "trap-far": ["--operation", "broadcast", "--size", "2x8", "--firmware", "{far}", *WAVE],
    "written-late": ["--operation", "barrier", "--size", "2x8", "--skew", "60", "--firmware", "{late}"],
    "error": ["--operation", "broadcast", "--size", "2x8", "--firmware", "{errs}"],
    "stall-pairs": ["--operation", "broadcast", "--size", "2x8", "--firmware", "{sleeps}"],
    "stall-chains": ["--operation", "broadcast", "--size", "8x8", "--firmware", "{chains}"],
    "not-done": ["--operation", "gather", "--size", "2x8", "--root", "1,6", "--bytes", "40", "--firmware", "{lazy}"],
    "not-called": ["--operation", "broadcast", "--size", "2x8", "--firmware", "{spins}", "--cycle-limit", "3000"],
    "overwritten": ["--operation", "barrier", "--size", "2x8", "--firmware", "{scribbles}"],
    "calls-differ": ["--operation", "reduce", "--algorithm", "binomial", "--size", "2x8", "--bytes", "16", "--develop",
                     "true", "--group", "row 6", "--differs", "1,6 root 1", *NATIVE],
    "groups-differ": ["--operation", "reduce", "--algorithm", "binomial", "--size", "2x8", "--bytes", "16", "--develop",
                      "true", "--group", "0,0..1,7 columns-first", "--differs", "1,7 group 0", *NATIVE],
    "deadlock": ["--operation", "all-to-all", "--size", "2x8", "--topology", "torus", "--vcs", "1", "--allow-deadlock",
                 "true", "--bytes", "2000", "--skew", "900", "--timeline", "run.html", *WAVE, "--wave-trigger", "failure",
                 *NATIVE],
}
# In continuous integration each of these with one number of ranks; with --every all runs, with all numbers.
OFTEN = ["rv32", "many-link-registers", "torus", "calls", "barrier", "rendezvous", "shift", "one-port-torus"]
FAIL_OFTEN = ["trap-far", "stall-chains", "deadlock", "not-done", "written-late", "calls-differ", "groups-differ"]
