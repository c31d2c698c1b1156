# Firmware that says of every call that it is done, and then, thousands of cycles later, writes a byte of SOURCE.
        .globl _start
_start: li      t0, 0x40000000
        li      t2, 0x80000000
again:  lw      t1, 0x1bc(t0)           # CALL_TICKET
        bgez    t1, again
        lw      a0, 0x190(t0)           # SOURCE
        add     a0, a0, t2
        slli    t1, t1, 16
        sw      t1, 0x1c0(t0)           # CALL_DONE, with result 0
        lw      t3, 0x20(t0)            # CYCLE
        li      t4, 5000
        add     t3, t3, t4
        li      t4, -1
        sw      t4, 0x3c(t0)            # TIMER_HIGH
        sw      t3, 0x38(t0)            # TIMER
        sw      zero, 0x3c(t0)
        li      t1, 0x80
        csrw    mie, t1
        wfi
        lbu     t1, 0(a0)
        xori    t1, t1, 1
        sb      t1, 0(a0)
        csrw    mie, zero
rest:   wfi
        j       rest
