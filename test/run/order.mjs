// Folders whose files take long: they begin first, so that none of them is alone at the end while a core has nothing to do.
const longFirst = ['faults', 'platform', 'invariants', 'web', 'documents', 'bench', 'package', 'metrics', 'admin']

const rank = file => {
  const at = longFirst.findIndex(folder => file.includes(`/test/${folder}/`))
  return at < 0 ? longFirst.length : at
}

/** The files in the order in which they are run. */
export const ordered = files => files.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'))
