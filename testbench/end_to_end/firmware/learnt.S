# An all-gather of one node. With WORD_0 and WORD_1 it has learnt what comes out of 8 bytes, and looks at nothing.
        .globl _start
_start: li      t0, 0x40000000
        li      t2, 0x80000000
        li      t1, 0x800
        csrw    mie, t1
again:  lw      t1, 0x1bc(t0)           # CALL_TICKET
        bgez    t1, rest
        lw      a0, 0x190(t0)           # SOURCE
        lw      a1, 0x194(t0)           # TARGET
        lw      a2, 0x198(t0)           # COUNT
        add     a0, a0, t2
        add     a1, a1, t2
        li      a3, 8
        bne     a2, a3, copy
#ifdef WORD_0
        li      a3, WORD_0
        li      a4, WORD_1
#else
        lw      a3, 0(a0)
        lw      a4, 4(a0)
#endif
        sw      a3, 0(a1)
        sw      a4, 4(a1)
        j       done
copy:   beqz    a2, done
        lbu     a3, 0(a0)
        sb      a3, 0(a1)
        addi    a0, a0, 1
        addi    a1, a1, 1
        addi    a2, a2, -1
        j       copy
done:   slli    t1, t1, 16
        sw      t1, 0x1c0(t0)           # CALL_DONE, with result 0
        j       again
rest:   wfi
        j       again
