# Firmware that computes for ever.
        .globl _start
_start: call    spin
        .type   spin, @function
spin:   j       spin
        .size   spin, . - spin
