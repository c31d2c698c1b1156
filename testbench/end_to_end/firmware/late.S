# Firmware that says of every call that it is done, and then, at nodes with y = 5 or more, writes a
# byte of node memory.
        .globl _start
_start: li      t0, 0x40000000
        li      t2, 0x80000000
        li      t1, 0x800
        csrw    mie, t1
again:  lw      t1, 0x1bc(t0)           # CALL_TICKET
        bgez    t1, rest
        slli    t1, t1, 16
        sw      t1, 0x1c0(t0)           # CALL_DONE, with result 0
        lw      t1, 0x004(t0)           # NODE
        srli    t1, t1, 8
        addi    t1, t1, -5
        bltz    t1, again
        lb      t1, 5(t2)
        sb      t1, 5(t2)
        j       again
rest:   wfi
        j       again
