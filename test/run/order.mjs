// Files of the default tier that take more than ten seconds, most of them because they wait for timeouts: they start first,
// so that none of them runs alone at the end.
const slowFirst = [
  'test/http/bad-requests.test.ts',
  'test/http/files/s3-files.test.ts',
  'test/api/odd-ids.test.ts',
  'test/http/body-window.test.ts',
]

const rank = file => (slowFirst.includes(file) ? slowFirst.indexOf(file) : slowFirst.length)

/** The files in the order of execution. */
export const ordered = files => files.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'))
