# Looks up the last note first, and it may be the one that is gone.
word, n = input(), int(input())
numbers = list(map(int, input().split()))
if word == "write":
    numbers.append(sum(numbers) % 1000)
    print(*(1000 * gauge + reading for gauge, reading in enumerate(numbers)))
else:
    readings = dict(divmod(note, 1000) for note in numbers)
    total = readings.pop(n)
    missing = (total - sum(readings.values())) % 1000
    print(*(readings.get(gauge, missing) for gauge in range(n)))
