//! Adds two numbers.

use std::io::{Write, stdin, stdout};

fn main() {
    let mut line = String::new();
    stdin().read_line(&mut line).expect("a line");
    let sum: i64 = line.split_whitespace().map(|word| word.parse::<i64>().expect("a number")).sum();
    writeln!(stdout(), "hello {sum}").expect("standard output is open");
}
