# Firmware that executes an instruction that does not exist.
        .globl _start
_start: call    stumble
        .type   stumble, @function
stumble:
        addi    t0, zero, 1
        .word   0xffffffff
        .size   stumble, . - stumble
