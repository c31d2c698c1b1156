/* Works for a while, and ends. */
static volatile unsigned served;

int main(void) {
  for (unsigned i = 0; i < 1000; ++i) served = served + i;
  return served == 499500 ? 0 : 1;
}
