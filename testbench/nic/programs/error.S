# Sleeps until the NIC reports an error, and writes when it went on, and ERROR.
  .globl _start
  .type _start, @function
_start:
  lui s0, 0x40000
  lui s1, 0x80000
  li t1, 0x800
  csrw mie, t1          # the external interrupt ends a WFI; it is not taken
  wfi
  csrr t2, mcycle       # the cycle in which it goes on
  lw t1, 0x40(s0)       # ERROR
  sw t2, 0x100(s1)
  sw t1, 0x104(s1)
  wfi
  .size _start, . - _start
