// Reads the recording from its end: then it is known how many letters will be erased and how many flips follow.
use std::io::{self, Read};

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).expect("text");
    let keys = input.split_whitespace().nth(1).expect("keys").as_bytes();
    let mut lock = keys.iter().filter(|&&key| key == b'^').count() % 2 == 1;
    // An erase key that finds no text is void, and that can only be seen from the front.
    let mut void = vec![false; keys.len()];
    let mut length = 0usize;
    for (at, &key) in keys.iter().enumerate() {
        match key {
            b'<' if length == 0 => void[at] = true,
            b'<' => length -= 1,
            b'^' | b'~' => {}
            _ => length += 1,
        }
    }
    let (mut erase, mut flipped, mut text) = (0usize, false, Vec::new());
    for (at, &key) in keys.iter().enumerate().rev() {
        match key {
            b'^' => lock = !lock,
            b'~' => flipped = !flipped,
            b'<' => erase += usize::from(!void[at]),
            _ if erase > 0 => erase -= 1,
            _ => text.push(if lock != flipped { key.to_ascii_uppercase() } else { key }),
        }
    }
    text.reverse();
    println!("{}", String::from_utf8(text).expect("letters"));
}
