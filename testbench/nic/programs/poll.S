# As race.S, but the receiver asks for the completion again and again, and then for all that
# belongs to it. Cycles of the receiver's instructions are on the right.
  .globl _start
  .type _start, @function
_start:
  csrr t0, mhartid
  lui s0, 0x40000
  lui s1, 0x80000
  bnez t0, receiver
  li t1, 1
  sw t1, 0x80(s0)
  li t1, 64
  sw t1, 0x88(s0)
  sw t1, 0xac(s0)       # SEND_GO
  wfi
receiver:
  li t1, 64             # 6
  sw t1, 0xc8(s0)       # 7
  sw t1, 0xdc(s0)       # 8: RECV_GO
1:lw t1, 0xf0(s0)       # 9, 14, 19, ...: COMPLETION
  beqz t1, 1b
  csrr t2, mcycle       # 3 after the COMPLETION that is not 0
  lw t3, 0xf4(s0)       # COMPLETION_BYTES
  lw t4, 0xf8(s0)       # COMPLETION_NODE
  lw t5, 0xfc(s0)       # COMPLETION_TAG
  sw t1, 0x100(s1)
  sw t2, 0x104(s1)
  sw t3, 0x108(s1)
  sw t4, 0x10c(s1)
  sw t5, 0x110(s1)
  wfi
  .size _start, . - _start
