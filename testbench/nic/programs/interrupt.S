# Takes interrupts of the timer and of calls; the handler writes the cycle, mcause and mepc to node
# memory, 16 bytes further each time. Cycles of the instructions are on the right.
  .globl _start
_start:
  lui s0, 0x40000       # 0: the registers
  lui s1, 0x80000       # 1: node memory
  la t0, handler        # 2, 3
  csrw mtvec, t0        # 4
  li t0, 0x880          # 5, 6
  csrw mie, t0          # 7
  li t0, 60             # 8
  sw t0, 0x38(s0)       # 9: TIMER
  sw zero, 0x3c(s0)     # 10: TIMER_HIGH
  csrsi mstatus, 8      # 11: interrupts on
loop:
  j loop                # 12, 15, ...
  .balign 4
handler:
  csrr t1, mcycle       # h
  csrr t2, mcause       # h+1
  csrr t3, mepc         # h+2
  sw t1, 0x100(s1)      # h+3
  sw t2, 0x104(s1)      # h+4
  sw t3, 0x108(s1)      # h+5
  li t0, -1             # h+6
  sw t0, 0x3c(s0)       # h+7: no timer any more
  lw t0, 0x1bc(s0)      # h+8: CALL_TICKET
  addi s1, s1, 16       # h+10
  mret                  # h+11, loop from h+14 on
