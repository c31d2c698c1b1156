# Start-up code for programs of your own: the core starts at address 0 with all registers 0, and RAM
# behind the program is zero. Calls main, and exits with what it returns (`annelid firmware run`).
        .section .text.start, "ax", @progbits
        .globl  _start
        .type   _start, @function
_start:
        la      sp, stack_top
        li      t0, 1 << 11             # mie.MEIE: an event of the NIC ends WFI
        csrw    mie, t0
        call    main
        li      a7, 93                  # exit, as under Linux
        ecall
        .size   _start, . - _start
