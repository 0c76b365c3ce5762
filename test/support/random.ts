/** Numbers below a bound. The same sequence for the same seed, so that failures can be repeated. */
export type Random = (below: number) => number

export function seeded(seed: number): Random {
  let state = seed >>> 0
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The seed of this run: that of the environment, to repeat a run, or a new one. */
export function seedOf(name: string): number {
  return Number(process.env[name] ?? Math.floor(Math.random() * 2 ** 31))
}

export function anyOf<Item>(items: readonly Item[], random: Random): Item {
  if (items.length === 0) throw new Error('nothing to choose from')
  return items[random(items.length)] as Item
}
