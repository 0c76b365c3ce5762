import type { Parts } from './parts.js'

/** What one call may touch: all, or on a cluster what lies in one slot. */
export function groupsOf<Row>(
  { redis, keys }: Pick<Parts, 'redis' | 'keys'>,
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
