extern "C" int compare(int a, int b);
int main() { return compare(1, 1); }
