import type { EngineDeps } from '../engine-deps.js'

/** Groups rows so that one Redis call can handle each group: one group of all rows, or on a cluster one group per slot. */
export function groupsOf<Row>(
  { redis, keys }: Pick<EngineDeps, 'redis' | 'keys'>,
  rows: readonly Row[],
  idOf: (row: Row) => string,
): Row[][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const name = redis.isCluster ? keys.groupOf(idOf(row)) : ''
    const group = groups.get(name)
    if (group) group.push(row)
    else groups.set(name, [row])
  }
  return [...groups.values()]
}
