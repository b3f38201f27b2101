#include <ctype.h>
#include <stdio.h>

static char keys[1000002], text[1000002];

int main(void) {
    int n, length = 0, upper = 0, flipped = 0;
    if (scanf("%d %1000001s", &n, keys) != 2) return 1;
    for (int i = 0; i < n; i++) {
        if (keys[i] == '^') upper ^= 1;
        else if (keys[i] == '~') flipped ^= 1;
        else if (keys[i] == '<') length -= length > 0;
        else text[length++] = upper ^ flipped ? toupper(keys[i]) : keys[i];
    }
    for (int i = 0; i < length; i++) putchar(!flipped ? text[i] : isupper(text[i]) ? tolower(text[i]) : toupper(text[i]));
    putchar('\n');
    return 0;
}
