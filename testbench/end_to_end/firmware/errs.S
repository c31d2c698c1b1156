# Firmware that posts a send to a node that does not exist, and sleeps.
        .globl _start
_start: li      t0, 0x40000000
        lui     t1, 0x1000              # bit 24: no address
        sw      t1, 0x080(t0)           # SEND_DESTINATION
        sw      zero, 0x0ac(t0)         # SEND_GO
        .type   rest, @function
rest:   wfi
        j       rest
        .size   rest, . - rest
