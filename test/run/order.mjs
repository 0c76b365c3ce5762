// Folders with slow files: they start first, so that no slow file runs alone at the end.
const longFirst = ['faults', 'platform', 'invariants', 'web', 'documents', 'bench', 'package', 'metrics', 'admin']

const rank = file => {
  const at = longFirst.findIndex(folder => file.includes(`/test/${folder}/`))
  return at < 0 ? longFirst.length : at
}

/** The files in the order of execution. */
export const ordered = files => files.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'))
