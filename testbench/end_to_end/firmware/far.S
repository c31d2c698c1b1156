# Firmware that executes an instruction that does not exist, at nodes with y = 5 or more. The others
# write a byte of node memory without a call, and sleep.
        .globl _start
_start: li      t0, 0x40000000
        lw      t1, 0x004(t0)           # NODE
        srli    t1, t1, 8
        addi    t1, t1, -5
        bgez    t1, stumble
        li      t2, 0x80000000
        sb      zero, 5(t2)
rest:   wfi
        j       rest
        .type   stumble, @function
stumble:
        addi    t0, zero, 1
        .word   0xffffffff
        .size   stumble, . - stumble
