// The duration of each scene: by default once through all faults, in about half a minute; these variables select full
// scale, or hours (test/faults/README.md).

const amount = (name: string, byDefault: number): number => {
  const options = Number(process.env[name] ?? byDefault)
  if (!Number.isInteger(options) || options < 1) throw new Error(`${name} has to be a whole number from 1 on`)
  return options
}

/** How often each fault is repeated on a server. */
export const rounds = amount('FAULT_ROUNDS', 1)

/** Number of killed workers in each test that only kills workers. */
export const kills = amount('FAULT_KILLS', 6)

/** Number of events that a client without reading misses: few large ones, or many small ones. */
export const unreadEvents = amount('FAULT_EVENTS', 8000)
