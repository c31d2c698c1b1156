# Node 0 sends 64 bytes to node 1; each writes what it reads from COMPLETION, and when, to its node
# memory, and sleeps for good. Cycles of the instructions are on the right, for the test to check.
# Offsets are those of docs/internals/nic/registers.md.
  .globl _start
  .type _start, @function
_start:
  csrr t0, mhartid      # 0
  lui s0, 0x40000       # 1: the registers
  lui s1, 0x80000       # 2: node memory
  bnez t0, receiver     # 3, and 3 cycles if taken
  li t1, 1              # 4
  sw t1, 0x80(s0)       # 5: SEND_DESTINATION = (1,0)
  li t1, 64             # 6
  sw t1, 0x88(s0)       # 7: SEND_BYTES
  li t1, 7              # 8
  sw t1, 0x8c(s0)       # 9: SEND_TAG
  li t1, 9              # 10
  sw t1, 0xac(s0)       # 11: SEND_GO
  j wait                # 12
receiver:
  sw zero, 0xc0(s0)     # 6: RECV_SOURCE = (0,0)
  li t1, 0x200          # 7
  sw t1, 0xc4(s0)       # 8: RECV_OFFSET
  li t1, 64             # 9
  sw t1, 0xc8(s0)       # 10: RECV_BYTES
  li t1, 7              # 11
  sw t1, 0xcc(s0)       # 12: RECV_TAG
  li t1, 5              # 13
  sw t1, 0xdc(s0)       # 14: RECV_GO
wait:
  li t1, 0x800          # 15, 16
  csrw mie, t1          # 17: the external interrupt ends a WFI; it is not taken
  wfi                   # 18
  lw t1, 0xf0(s0)       # COMPLETION, in the cycle that shows it
  lw t2, 0x20(s0)       # CYCLE, 2 later
  sw t1, 0x100(s1)
  sw t2, 0x104(s1)
  wfi
  ebreak
  .size _start, . - _start
