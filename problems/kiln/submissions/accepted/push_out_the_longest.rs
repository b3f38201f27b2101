use std::collections::BinaryHeap;
use std::io::{self, Read};

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).expect("text");
    let mut numbers = input.split_ascii_whitespace().map(|word| word.parse::<u64>().expect("a number"));
    let n = numbers.next().expect("n");
    let mut pots: Vec<(u64, u64)> = (0..n)
        .map(|_| {
            let minutes = numbers.next().expect("minutes");
            (numbers.next().expect("time"), minutes)
        })
        .collect();
    pots.sort_unstable();
    let (mut chosen, mut end) = (BinaryHeap::new(), 0);
    for (fetched, minutes) in pots {
        chosen.push(minutes);
        end += minutes;
        if end > fetched {
            end -= chosen.pop().expect("just pushed");
        }
    }
    println!("{}", chosen.len());
}
