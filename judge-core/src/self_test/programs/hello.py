a, b = map(int, input().split())
print(f"hello {a + b}")
