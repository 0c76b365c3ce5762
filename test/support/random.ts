/** Numbers below a bound. The same sequence for the same seed, so that failures can be repeated. */
export type Random = (below: number) => number

export function seeded(seed: number): Random {
  let state = mixed(seed)
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Spreads neighbouring seeds over all states (the finalizer of MurmurHash3): otherwise their first numbers would be nearly equal. */
function mixed(seed: number): number {
  const once = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}

/** The seed of this run: that of the environment, to repeat a run; that of all tests (`TEST_SEED`); or a new one. */
export function seedOf(name: string): number {
  return Number(process.env[name] ?? process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
}

export function anyOf<Item>(items: readonly Item[], random: Random): Item {
  if (items.length === 0) throw new Error('nothing to choose from')
  return items[random(items.length)] as Item
}
