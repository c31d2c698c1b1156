# Loads or stores `size` bytes at `address`, as `store` says, then stops at EBREAK: the three words
# are the test's to set.
  .globl _start
_start:
  la t0, address
  lw a0, 0(t0)
  lw a1, 4(t0)          # size
  lw a2, 8(t0)          # store
  li t3, 2
  bnez a2, stores
  beq a1, t3, load2
  bltu a1, t3, load1
  lw a3, 0(a0)
  j end
load2:
  lhu a3, 0(a0)
  j end
load1:
  lbu a3, 0(a0)
  j end
stores:
  li a3, 0x11223344
  beq a1, t3, store2
  bltu a1, t3, store1
  sw a3, 0(a0)
  j end
store2:
  sh a3, 0(a0)
  j end
store1:
  sb a3, 0(a0)
end:
  ebreak
  .globl address
  .balign 4
address:
  .word 0, 0, 0
