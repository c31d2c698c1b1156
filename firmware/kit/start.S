# Start-up code of programs for the nodes. The core starts at address 0 with all registers 0, so the stack pointer is
# 0. Under Linux (qemu-riscv32) it points to the arguments.
        .section .text.start, "ax", @progbits
        .globl  _start
        .type   _start, @function
_start:
        mv      a0, sp
        bnez    sp, 1f
        la      sp, stack_top
1:      call    kit_main
        ebreak
        .size   _start, . - _start
