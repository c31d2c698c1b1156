# Start-up code for programs of your own: the core starts at address 0 with all registers 0, and RAM
# behind the program is zero. Calls main, and exits with what it returns (`annelid firmware run`).
        .section .text.start, "ax", @progbits
        .globl  _start
        .type   _start, @function
        .cfi_sections .debug_frame      # a debugger's backtraces end here
_start:
        .cfi_startproc
        .cfi_undefined ra
        la      sp, stack_top
        li      t0, 1 << 11             # mie.MEIE: an event of the NIC ends WFI
        csrw    mie, t0
        call    main
        li      a7, 93                  # exit, as under Linux
        ecall
        .cfi_endproc
        .size   _start, . - _start
