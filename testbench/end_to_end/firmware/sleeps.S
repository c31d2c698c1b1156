# Firmware that takes the call, posts a receive that nobody will ever serve, and sleeps.
        .globl _start
_start: li      t0, 0x40000000
        lw      t1, 0x1bc(t0)           # CALL_TICKET: the call is taken
        lw      t1, 0x004(t0)           # NODE
        xori    t1, t1, 1               # the neighbour in x
        sw      t1, 0x0c0(t0)           # RECV_SOURCE
        sw      zero, 0x0dc(t0)         # RECV_GO
        .type   rest, @function
rest:   wfi
        j       rest
        .size   rest, . - rest
