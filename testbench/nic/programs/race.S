# As the receiver of ping.S, but it works in its RAM between RECV_GO and WFI, for as many rounds as
# the word `rounds` says: so that WFI comes before, with, or after the event, and so that a core that
# runs ahead of the network runs past the event.
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
  li t1, 64
  sw t1, 0xc8(s0)
  sw t1, 0xdc(s0)       # RECV_GO
  li t1, 0x800
  csrw mie, t1
  la t1, rounds
  lw t1, 0(t1)
1:beqz t1, 2f
  addi t1, t1, -1
  j 1b
2:wfi
  csrr t2, mcycle       # the cycle in which it goes on
  csrr t4, minstret
  lw t3, 0x30(s0)       # EVENT
  sw t2, 0x100(s1)
  sw t3, 0x104(s1)
  sw t4, 0x108(s1)
  lw t1, 0xf0(s0)
  wfi
  .globl rounds
rounds:
  .word 0
