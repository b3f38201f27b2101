# Thinks that the wind takes the last note and that the cook keeps the order.
word, n = input(), int(input())
numbers = input().split()
print(*numbers, *(["0"] if word == "write" else []))
