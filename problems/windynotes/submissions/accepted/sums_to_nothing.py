# The readings and the last note together make a number of whole thousands, so whatever is missing is found in the same way.
word, n = input(), int(input())
numbers = list(map(int, input().split()))
if word == "write":
    numbers.append(-sum(numbers) % 1000)
    print(*(1000 * gauge + reading for gauge, reading in enumerate(numbers)))
else:
    readings = dict(divmod(note, 1000) for note in numbers)
    missing = -sum(readings.values()) % 1000
    print(*(readings.get(gauge, missing) for gauge in range(n)))
