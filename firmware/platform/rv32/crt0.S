# The first instructions of the core: it starts at address 0 with all registers 0. There is nothing
# to copy or to clear, because the firmware has no .data and no .bss (link.ld checks that).
        .section .text.start, "ax", @progbits
        .globl  _start
        .type   _start, @function
        .cfi_sections .debug_frame      # a debugger's backtraces end here
_start:
        .cfi_startproc
        .cfi_undefined ra
        la      sp, stack_top
        li      t0, 1 << 11             # mie.MEIE: an event ends WFI; mstatus.MIE stays clear
        csrw    mie, t0
        call    firmware_main
        ebreak
        .cfi_endproc
        .size   _start, . - _start
