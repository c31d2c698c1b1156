int compare(int a, int b) { return a < b ? -1 : a > b; }
