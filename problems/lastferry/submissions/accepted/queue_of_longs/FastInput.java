import java.io.IOException;
import java.io.InputStream;

/** Reads plain integers from a stream through a buffer of its own. */
class FastInput {
    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private int length = 0, position = 0;

    FastInput(InputStream in) {
        this.in = in;
    }

    private int next() throws IOException {
        if (position == length) {
            length = in.read(buffer, 0, buffer.length);
            position = 0;
            if (length <= 0) return -1;
        }
        return buffer[position++];
    }

    int number() throws IOException {
        int c = next();
        while (c < '0') c = next();
        int value = 0;
        for (; c >= '0'; c = next()) value = value * 10 + (c - '0');
        return value;
    }
}
