# A program as it should be.
print("normal")
