use std::io;

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).expect("a line of input");
    let prices: Vec<u64> = line.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    let (mut a, mut b) = (prices[0], prices[1]);
    let (sum, mut shown, mut place) = (a + b, 0u64, 1u64);
    while a > 0 || b > 0 {
        shown += (a % 10 + b % 10) % 10 * place;
        a /= 10;
        b /= 10;
        place = place.wrapping_mul(10);
    }
    println!("{}", sum - shown);
}
