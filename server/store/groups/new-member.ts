import type { Tx } from '../driver/db.js'

/** Makes a user a member of groups, of none of which it is one. */
export async function addToGroups(tx: Tx, userId: number, groupIds: readonly number[], version: number): Promise<void> {
  await tx`
    with joined as (
      insert into user_group_members (group_id, user_id) select id, ${userId} from unnest(${[...groupIds]}::int[]) as given (id)
    )
    update user_groups set version = ${version} where id = any(${[...groupIds]}::int[])`
}
