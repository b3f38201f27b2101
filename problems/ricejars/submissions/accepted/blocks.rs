// Square root decomposition: sums of blocks of jars.
use std::fmt::Write;
use std::io::{self, Read};

const BLOCK: usize = 512;

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).expect("text");
    let mut words = input.split_ascii_whitespace();
    let number = |words: &mut std::str::SplitAsciiWhitespace| -> u64 { words.next().expect("a word").parse().expect("a number") };
    let (n, q) = (number(&mut words) as usize, number(&mut words));
    let (mut jars, mut blocks) = (vec![0u64; n + 1], vec![0u64; n / BLOCK + 1]);
    let (mut total, mut out) = (0u64, String::new());
    for _ in 0..q {
        let kind = words.next().expect("an event");
        if kind != "?" {
            let (jar, grains) = (number(&mut words) as usize, number(&mut words));
            for sum in [&mut jars[jar], &mut blocks[jar / BLOCK], &mut total] {
                *sum = if kind == "+" { *sum + grains } else { *sum - grains };
            }
            continue;
        }
        let mut k = number(&mut words);
        if k > total {
            out.push_str("none\n");
            continue;
        }
        let mut block = 0;
        while blocks[block] < k {
            k -= blocks[block];
            block += 1;
        }
        let mut jar = block * BLOCK;
        while jars[jar] < k {
            k -= jars[jar];
            jar += 1;
        }
        writeln!(out, "{jar}").expect("memory");
    }
    print!("{out}");
}
