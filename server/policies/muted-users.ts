import type { Directory } from '../memory/directory.js'

/** Ids of active users who muted a user, ascending, by the id of the muted user. */
export function mutersBySender({ users }: Directory): ReadonlyMap<number, readonly number[]> {
  const muters = new Map<number, number[]>()
  for (const { id, is_active, muted_users } of users.values()) {
    if (!is_active) continue
    for (const muted of muted_users) {
      const known = muters.get(muted.id)
      if (known) known.push(id)
      else muters.set(muted.id, [id])
    }
  }
  for (const ids of muters.values()) ids.sort((a, b) => a - b)
  return muters
}
