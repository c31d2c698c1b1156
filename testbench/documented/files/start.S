# Calls main, and exits with what it returns.
.section .text.start
.globl _start
_start:
  la sp, stack_top
  call main
  li a7, 93
  ecall
