# Ends with the number that a killed container shows; it was not killed.
import sys

print("OCI runtime exec failed: Cannot fork, out of memory")
sys.exit(137)
