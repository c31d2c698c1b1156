# Firmware that takes the call, posts a receive from the next node of its row, which sends nothing,
# and sleeps. The last node of a row of eight waits for nobody.
        .globl _start
_start: li      t0, 0x40000000
        lw      t1, 0x1bc(t0)           # CALL_TICKET: the call is taken
        lw      t1, 0x004(t0)           # NODE
        andi    t2, t1, 7
        addi    t2, t2, -7
        beqz    t2, rest
        addi    t1, t1, 1
        sw      t1, 0x0c0(t0)           # RECV_SOURCE
        sw      zero, 0x0dc(t0)         # RECV_GO
        .type   rest, @function
rest:   wfi
        j       rest
        .size   rest, . - rest
