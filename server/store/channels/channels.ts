import type { Tx } from '../driver/db.js'
import { noteHeldVersion, noteListChange } from '../driver/directory-lease.js'
import { lockVersion, versionLocked } from '../organization/organization.js'

export interface ChannelRow {
  id: number
  name: string
  description: string
  rendered_description: string
  creator_id: number | null
  date_created: Date
  invite_only: boolean
  is_web_public: boolean
  history_public_to_subscribers: boolean
  is_archived: boolean
  is_default: boolean
  message_retention_days: number | null
  folder_id: number | null
  topics_policy: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only'
  /** can_*_group: setting name to group id; absent: the setting's default group. */
  settings: Record<string, number>
  version: number
}

type NewChannel = Pick<
  ChannelRow,
  | 'name'
  | 'description'
  | 'rendered_description'
  | 'creator_id'
  | 'invite_only'
  | 'is_web_public'
  | 'history_public_to_subscribers'
  | 'is_default'
  | 'message_retention_days'
  | 'folder_id'
  | 'topics_policy'
  | 'settings'
> &
  /** Given for the channels of an archive; all channels of a call have the same columns. */
  Partial<Pick<ChannelRow, 'id' | 'date_created' | 'is_archived'>>

/** Inserts channels, except those whose name another channel has; the unique index compares lower-case names in the database. */
export async function insertChannels(tx: Tx, channels: readonly NewChannel[], version: number): Promise<ChannelRow[]> {
  const [first] = channels
  if (!first) return []
  const names = Object.keys(first) as (keyof NewChannel)[]
  const stored = (channel: NewChannel, name: keyof NewChannel) =>
    name === 'settings' ? tx.json(channel.settings) : channel[name]
  const values = channels.map(channel => [...names.map(name => stored(channel, name)), version])
  const rows = await tx<ChannelRow[]>`
    insert into channels (${tx([...names, 'version'] as never)}) overriding system value values ${tx(values as never)}
    on conflict do nothing returning ${columns(tx)}`
  return rows.map(row => ({ ...row }))
}

const columns = (tx: Tx) => tx`
  id, name, description, rendered_description, creator_id, date_created, invite_only, is_web_public,
  history_public_to_subscribers, is_archived, is_default, message_retention_days, folder_id, topics_policy, settings, version`

/**
 * Stores the changed columns of a channel, and returns its row. Undefined: another channel has the name; the database compares lower-case
 * names. The transaction holds the organization for a change.
 */
export async function updateChannel(
  tx: Tx,
  id: number,
  change: Partial<NewChannel & Pick<ChannelRow, 'is_archived'>>,
  version: number,
): Promise<ChannelRow | undefined> {
  const { settings, ...plain } = change
  const name = change.name ?? null
  const values = { ...plain, ...(settings && { settings: tx.json(settings) }), version }
  const [row] = await tx<ChannelRow[]>`
    update channels set ${tx(values as never)}
    where id = ${id} and (${name}::text is null or not exists (
      select from channels other where lower(other.name) = lower(${name}) and other.id <> ${id}
    ))
    returning ${columns(tx)}`
  return row && { ...row }
}

/** A locked channel. */
export interface HeldChannel {
  readonly id: number
  readonly subscribers_version: number
}

/**
 * Locks the organization, and then the channels, in one statement. Another transaction may have changed names and permissions meanwhile, so
 * the caller compares the organization's version.
 */
export async function lockVersionAndChannels(
  tx: Tx,
  mode: 'share' | 'change',
  channelIds: readonly number[],
): Promise<{ version: number; channels: HeldChannel[] }> {
  if (channelIds.length === 0) return { version: await lockVersion(tx, mode), channels: [] }
  const channels = await tx<(HeldChannel & { version: number })[]>`
    with held as materialized (${versionLocked(tx, mode)})
    select held.version, id, subscribers_version from held, channels
    where id = any(${[...channelIds]}) order by id for no key update of channels`
  const [first] = channels
  // There is no such channel, so PostgreSQL may have left out the lock of the organization.
  if (!first) return { version: await lockVersion(tx, mode), channels }
  if (mode === 'change') noteHeldVersion(tx, first.version)
  return { version: first.version, channels }
}

/** Locks the channels until the transaction ends: other transactions cannot post to them, subscribe or unsubscribe. */
export async function lockChannels(tx: Tx, channelIds: readonly number[]): Promise<HeldChannel[]> {
  return tx<HeldChannel[]>`
    select id, subscribers_version from channels where id = any(${[...channelIds]}) order by id for no key update`
}

/** Invalidates cached lists of the channels' subscribers. */
export async function bumpSubscribersVersions(tx: Tx, channelIds: readonly number[]): Promise<void> {
  noteListChange(tx)
  await tx`update channels set subscribers_version = subscribers_version + 1 where id = any(${[...channelIds]})`
}
