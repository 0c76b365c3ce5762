import type { Directory } from '../memory/directory.js'
import { inactiveUsers } from '../memory/inactive-users.js'
import type { ChannelFacts } from '../store/channels/channel-facts.js'
import { newChannelFacts } from '../store/channels/channel-facts.js'
import type { ChannelRow } from '../store/channels/channels.js'
import type { GroupRow } from '../store/groups/groups.js'
import { channelObject } from './channel-object.js'

/** A channel's fields as bytes, and the values beside the channel's row from which they were encoded. */
interface Known {
  readonly groups: Groups
  readonly own: string
  readonly facts: ChannelFacts
  readonly bytes: Uint8Array
}

const newKnown = (): { last?: Known } => ({})

/** The inputs of permission settings on the wire; replaced by a new object when one of them changes. */
interface Groups {
  readonly rows: readonly GroupRow[]
  readonly inactive: ReadonlySet<number>
}

/**
 * The fields of a channel as JSON in UTF-8, with `,{` before them and without the last brace. Cached until a field changes: encoding
 * thousands of channels for every register answer would block the event loop.
 */
export function channelFields(
  directory: Directory,
  channel: ChannelRow,
  facts: ChannelFacts = newChannelFacts,
): Uint8Array {
  const groups = directory.derived(groupsOf)
  const known = directory.ofRows.of(channel, newKnown)
  const before = known.last
  const isCurrent = before?.groups === groups
  if (isCurrent && haveSame(before.facts, facts)) return before.bytes
  const own = isCurrent ? before.own : ownFields(directory, channel)
  const bytes = Buffer.from(`,{${own},${fieldsText(facts)}`)
  known.last = { groups, own, facts, bytes }
  return bytes
}

function ownFields(directory: Directory, channel: ChannelRow): string {
  const object: Record<string, unknown> = { ...channelObject(directory, channel, newChannelFacts) }
  for (const name of Object.keys(newChannelFacts)) delete object[name]
  return fieldsText(object)
}

const factNames = Object.keys(newChannelFacts) as (keyof ChannelFacts)[]

const haveSame = (one: ChannelFacts, other: ChannelFacts): boolean => factNames.every(name => one[name] === other[name])

function groupsOf(directory: Directory, last: Groups | undefined): Groups {
  const now: Groups = { rows: [...directory.groups.values()], inactive: inactiveUsers(directory) }
  const isSame =
    last?.inactive === now.inactive &&
    last.rows.length === now.rows.length &&
    last.rows.every((row, i) => row === now.rows[i])
  return isSame ? last : now
}

/** An object's fields as JSON text, without braces. */
export const fieldsText = (fields: object): string => JSON.stringify(fields).slice(1, -1)
