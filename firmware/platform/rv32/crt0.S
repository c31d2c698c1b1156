# The first instructions of the core: it starts at address 0 with all registers 0. There is nothing
# to copy or to clear, because the firmware has no .data and no .bss (link.ld checks that).
        .section .text.start, "ax", @progbits
        .globl  _start
        .type   _start, @function
_start:
        la      sp, stack_top
        li      t0, 1 << 11             # mie.MEIE: an event ends WFI; mstatus.MIE stays clear
        csrw    mie, t0
        call    firmware_main
        ebreak
        .size   _start, . - _start
