/** A binary heap of (time, island) without an object for each entry. */
class ArrivalHeap {
    private final long[] time;
    private final int[] island;
    private int size = 0;

    ArrivalHeap(int capacity) {
        time = new long[capacity];
        island = new int[capacity];
    }

    int size() {
        return size;
    }

    long firstTime() {
        return time[0];
    }

    void add(long newTime, int newIsland) {
        int at = size++;
        while (at > 0 && time[(at - 1) / 2] > newTime) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        time[at] = newTime;
        island[at] = newIsland;
    }

    int removeFirst() {
        int first = island[0], at = 0, child;
        long lastTime = time[--size];
        int lastIsland = island[size];
        while ((child = 2 * at + 1) < size) {
            if (child + 1 < size && time[child + 1] < time[child]) child++;
            if (time[child] >= lastTime) break;
            move(child, at);
            at = child;
        }
        time[at] = lastTime;
        island[at] = lastIsland;
        return first;
    }

    private void move(int from, int to) {
        time[to] = time[from];
        island[to] = island[from];
    }
}
