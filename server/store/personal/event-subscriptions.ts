import type { ISql, Tx } from '../driver/db.js'

/** An address to which events of a bot are sent. */
export interface EventSubscription {
  readonly id: number
  readonly user_id: number
  readonly url: string
  readonly event_types: string[]
  /** The key of the signatures. */
  readonly secret: Buffer
  /** All events up to this id are delivered, or known to be lost. */
  readonly position: number
  readonly is_active: boolean
  /** Rises with each change by the bot. */
  readonly version: number
  /** The queue from which events are delivered now; null: none. */
  readonly queue_id: string | null
  /** Since when no event has reached the address; null: the last one did. */
  readonly failing_since: Date | null
  readonly failures: number
  /** Why the last attempt has failed. */
  readonly failure: string | null
}

interface NewSubscription {
  readonly user_id: number
  readonly url: string
  readonly event_types: readonly string[]
  readonly secret: Uint8Array
  readonly position: number
}

/** What a bot changes; absent: it stays. */
export interface SubscriptionChange {
  readonly url?: string | undefined
  readonly event_types?: readonly string[] | undefined
  readonly position?: number | undefined
  readonly is_active?: boolean | undefined
}

export const subscriptionsOf = (sql: ISql, userId: number): Promise<EventSubscription[]> =>
  sql<EventSubscription[]>`select * from event_subscriptions where user_id = ${userId} order by id`

export async function readSubscription(sql: ISql, id: number): Promise<EventSubscription | undefined> {
  const [row] = await sql<EventSubscription[]>`select * from event_subscriptions where id = ${id}`
  return row
}

export async function countSubscriptions(tx: Tx, userId: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int from event_subscriptions where user_id = ${userId}`
  return row?.count ?? 0
}

/** Returns the id. */
export async function insertSubscription(tx: Tx, row: NewSubscription): Promise<number> {
  const { user_id, url, event_types, secret, position } = row
  const [inserted] = await tx<{ id: number }[]>`
    insert into event_subscriptions (user_id, url, event_types, secret, position)
    values (${user_id}, ${url}, ${event_types as string[]}, ${secret}, ${position}) returning id`
  if (!inserted) throw new Error('no id of an event subscription came back')
  return inserted.id
}

/**
 * Changes a subscription of the bot, which has not failed since then. Returns it as it was, with the queue that is delivered no more;
 * undefined: there is none.
 */
export async function changeSubscription(
  tx: Tx,
  userId: number,
  id: number,
  { url, event_types, position, is_active }: SubscriptionChange,
): Promise<EventSubscription | undefined> {
  const [row] = await tx<EventSubscription[]>`
    select * from event_subscriptions where user_id = ${userId} and id = ${id} for update`
  if (!row) return undefined
  await tx`
    update event_subscriptions set url = ${url ?? row.url}, event_types = ${(event_types ?? row.event_types) as string[]},
      position = ${position ?? row.position}, is_active = ${is_active ?? row.is_active}, version = version + 1, queue_id = null,
      failing_since = null, failures = 0, failure = null
    where id = ${id}`
  return row
}

/** Returns the deleted row; undefined: the bot has no such subscription. */
export async function deleteSubscription(tx: Tx, userId: number, id: number): Promise<EventSubscription | undefined> {
  const [row] = await tx<EventSubscription[]>`
    delete from event_subscriptions where user_id = ${userId} and id = ${id} returning *`
  return row
}

/** What a delivery writes; absent: it stays. */
export interface Progress {
  readonly position?: number
  readonly queue_id?: string | null
  readonly is_active?: boolean
  readonly failing_since?: Date | null
  readonly failures?: number
  readonly failure?: string | null
}

/** False: the bot has changed or deleted the subscription since `version`, and nothing was written. */
export async function writeProgress(
  sql: ISql,
  { id, version }: Pick<EventSubscription, 'id' | 'version'>,
  progress: Progress,
): Promise<boolean> {
  const { count } = await sql`
    update event_subscriptions set ${sql(progress as Record<string, unknown>)} where id = ${id} and version = ${version}`
  return count > 0
}
