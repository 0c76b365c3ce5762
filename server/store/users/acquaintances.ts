import type { Tx } from '../driver/db.js'

/** A guest, who may not see all users, and a user that the guest can see from now on or no longer. */
interface Acquaintance {
  guest: number
  other: number
}

type Pairs = readonly { readonly user_id: number; readonly channel_id: number }[]

const columns = (pairs: Pairs) => ({
  users: pairs.map(pair => pair.user_id),
  channels: pairs.map(pair => pair.channel_id),
})

/** Users that the guests can see only because of these new subscriptions. The same relation as `usersKnownTo`. */
export async function acquaintancesMade(tx: Tx, guests: readonly number[], added: Pairs): Promise<Acquaintance[]> {
  const { users, channels } = columns(added)
  return tx<Acquaintance[]>`
    with changed (user_id, channel_id) as (select * from unnest(${users}::int[], ${channels}::int[])),
    pairs as (
      select distinct mine.user_id as guest, theirs.user_id as other
      from changed
        join subscriptions mine on mine.channel_id = changed.channel_id and mine.is_active
          and mine.user_id = any(${[...guests]}::int[])
        join subscriptions theirs on theirs.channel_id = changed.channel_id and theirs.is_active
          and theirs.user_id <> mine.user_id
      where changed.user_id in (mine.user_id, theirs.user_id)
    )
    select guest, other from pairs join users on users.id = other and users.is_active and not users.is_bot
    where not exists (
        select from subscriptions mine join subscriptions theirs on theirs.channel_id = mine.channel_id
        where mine.user_id = guest and mine.is_active and theirs.user_id = other and theirs.is_active
          and not exists (
            select from changed where changed.channel_id = mine.channel_id and changed.user_id in (guest, other)
          )
      )
      and not exists (select from conversations where user_ids @> array[guest, other])
    order by other, guest`
}

/** Users that the guests could see only because of these ended subscriptions. */
export async function acquaintancesLost(tx: Tx, guests: readonly number[], removed: Pairs): Promise<Acquaintance[]> {
  const { users, channels } = columns(removed)
  return tx<Acquaintance[]>`
    with changed (user_id, channel_id) as (select * from unnest(${users}::int[], ${channels}::int[])),
    was as (
      select user_id, channel_id from changed
      union
      select user_id, channel_id from subscriptions where channel_id = any(${channels}::int[]) and is_active
    ),
    pairs as (
      select distinct mine.user_id as guest, theirs.user_id as other
      from changed
        join was mine on mine.channel_id = changed.channel_id and mine.user_id = any(${[...guests]}::int[])
        join was theirs on theirs.channel_id = changed.channel_id and theirs.user_id <> mine.user_id
      where changed.user_id in (mine.user_id, theirs.user_id)
    )
    select guest, other from pairs join users on users.id = other and users.is_active and not users.is_bot
    where not exists (
        select from subscriptions mine join subscriptions theirs on theirs.channel_id = mine.channel_id
        where mine.user_id = guest and mine.is_active and theirs.user_id = other and theirs.is_active
      )
      and not exists (select from conversations where user_ids @> array[guest, other])
    order by other, guest`
}
