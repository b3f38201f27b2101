// A Li Chao tree over the places 0 to 2^24 - 1: only values are compared, so nothing overflows.
use std::io::{self, Read};

#[derive(Clone, Copy)]
struct Line {
    slope: i64,
    height: i64,
}

impl Line {
    fn at(self, x: i64) -> i64 {
        self.slope * x + self.height
    }
}

struct Node {
    line: Line,
    children: [u32; 2],
}

fn insert(tree: &mut Vec<Node>, mut line: Line) {
    let (mut low, mut high, mut node) = (0i64, 1i64 << 24, 0usize);
    loop {
        let middle = (low + high) / 2;
        if line.at(middle) < tree[node].line.at(middle) {
            std::mem::swap(&mut line, &mut tree[node].line);
        }
        if high - low == 1 {
            return;
        }
        let side = if line.at(low) < tree[node].line.at(low) {
            high = middle;
            0
        } else if line.at(high - 1) < tree[node].line.at(high - 1) {
            low = middle;
            1
        } else {
            return;
        };
        if tree[node].children[side] == 0 {
            tree[node].children[side] = tree.len() as u32;
            tree.push(Node { line, children: [0, 0] });
            return;
        }
        node = tree[node].children[side] as usize;
    }
}

fn least(tree: &[Node], x: i64) -> i64 {
    let (mut low, mut high, mut node) = (0i64, 1i64 << 24, 0usize);
    let mut best = tree[0].line.at(x);
    loop {
        let middle = (low + high) / 2;
        let side = usize::from(x >= middle);
        if side == 0 {
            high = middle;
        } else {
            low = middle;
        }
        node = tree[node].children[side] as usize;
        if node == 0 {
            return best;
        }
        best = best.min(tree[node].line.at(x));
    }
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).expect("text");
    let mut numbers = input.split_ascii_whitespace().map(|word| word.parse::<i64>().expect("a number"));
    let n = numbers.next().expect("n");
    let (mut tree, mut sweat) = (Vec::new(), 0);
    for inn in 0..n {
        let (x, c) = (numbers.next().expect("x"), numbers.next().expect("c"));
        if inn == 0 {
            tree.push(Node { line: Line { slope: -2 * x, height: x * x }, children: [0, 0] });
            continue;
        }
        sweat = c + x * x + least(&tree, x);
        insert(&mut tree, Line { slope: -2 * x, height: sweat + x * x });
    }
    println!("{sweat}");
}
