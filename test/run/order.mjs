// Files of the default tier that take more than ten seconds, most of them because they wait for timeouts: they start
// first, so that none of them runs alone at the end.
const slowFirst = [
  'test/store/statement-timeouts.test.ts',
  'test/store/message-pages.test.ts',
  'test/store/transactions.test.ts',
  'test/realtime/i1-chaos.test.ts',
  'test/net/request-log.test.ts',
  'test/net/health.test.ts',
]

const rank = file => (slowFirst.includes(file) ? slowFirst.indexOf(file) : slowFirst.length)

/** The files in the order of execution. */
export const ordered = files => files.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'))
