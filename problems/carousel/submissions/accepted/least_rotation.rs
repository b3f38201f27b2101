// Two rings are the same up to rotation exactly if their least rotations are the same.
use std::io;

fn least_rotation(s: &[u8]) -> usize {
    let n = s.len();
    let (mut i, mut j, mut k) = (0, 1, 0);
    while i < n && j < n && k < n {
        let (a, b) = (s[(i + k) % n], s[(j + k) % n]);
        if a == b {
            k += 1;
            continue;
        }
        if a > b {
            i += k + 1;
        } else {
            j += k + 1;
        }
        if i == j {
            j += 1;
        }
        k = 0;
    }
    i.min(j)
}

fn period(s: &[u8]) -> usize {
    let mut fail = vec![0usize; s.len()];
    for i in 1..s.len() {
        let mut k = fail[i - 1];
        while k > 0 && s[i] != s[k] {
            k = fail[k - 1];
        }
        fail[i] = k + usize::from(s[i] == s[k]);
    }
    let p = s.len() - fail[s.len() - 1];
    if s.len() % p == 0 { p } else { s.len() }
}

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).expect("a line of input");
    let s = line.trim_end().as_bytes();
    let root = &s[..period(s)];
    let p = root.len();
    let mirror: Vec<u8> = root.iter().rev().copied().collect();
    let (a, b) = (least_rotation(root), least_rotation(&mirror));
    if (0..p).any(|i| root[(a + i) % p] != mirror[(b + i) % p]) {
        println!("{p}");
        return;
    }
    // mirror[i] = root[i + a - b]; a rotation by k is its own mirror image exactly if 2k = a - b (mod p).
    let shift = (a + p - b) % p;
    println!("{}", if p % 2 == 1 { (p + 1) / 2 } else { p / 2 + 1 - shift % 2 });
}
