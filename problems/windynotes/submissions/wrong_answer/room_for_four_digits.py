# Leaves four digits for the reading, and so the notes of gauge 100 and beyond are too large.
word, n = input(), int(input())
numbers = list(map(int, input().split()))
if word == "write":
    numbers.append(-sum(numbers) % 1000)
    print(*(10000 * gauge + reading for gauge, reading in enumerate(numbers)))
else:
    readings = dict(divmod(note, 10000) for note in numbers)
    missing = -sum(readings.values()) % 1000
    print(*(readings.get(gauge, missing) for gauge in range(n)))
