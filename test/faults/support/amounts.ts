// How much of each scene is played: by default once through everything that it can show, in about half a minute; at full scale, or
// for hours, with these variables (test/faults/README.md).

const amount = (name: string, byDefault: number): number => {
  const wish = Number(process.env[name] ?? byDefault)
  if (!Number.isInteger(wish) || wish < 1) throw new Error(`${name} has to be a whole number from 1 on`)
  return wish
}

/** How often what happens to a server happens to it again. */
export const rounds = amount('FAULT_ROUNDS', 1)

/** Workers that are killed in each of the tests that do only that. */
export const kills = amount('FAULT_KILLS', 6)

/** Events that pass a client that has stopped reading: few large ones, or many small ones. */
export const unreadEvents = amount('FAULT_EVENTS', 8000)
