/** Pseudo-random numbers that are the same for the same seed, so that measurements can be repeated. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 (inclusive) to 1 (exclusive), by the generator mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  /** A whole number below `end`; low numbers are much more frequent: half of them are in the first eighth. */
  skewed(end: number): number {
    return Math.floor(this.next() ** 3 * end)
  }
}

/** Draws indexes of a list by weight. */
export function weighted(random: Random, weights: readonly number[]): () => number {
  let sum = 0
  const sums = weights.map(weight => {
    sum += weight
    return sum
  })
  return () => {
    const wanted = random.next() * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}
