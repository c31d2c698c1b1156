# Start-up code of programs for the nodes. The core starts at address 0 with all registers 0, so the stack pointer is
# 0. Under Linux (qemu-riscv32) it points to the arguments.
        .section .text.start, "ax", @progbits
        .globl  _start
        .type   _start, @function
        .cfi_sections .debug_frame      # a debugger's backtraces end here
_start:
        .cfi_startproc
        .cfi_undefined ra
        mv      a0, sp
        bnez    sp, 1f
        la      sp, stack_top
1:      call    kit_main
        ebreak
        .cfi_endproc
        .size   _start, . - _start
