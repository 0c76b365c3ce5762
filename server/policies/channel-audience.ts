import type { Directory } from '../memory/directory.js'
import type { ChannelRow } from '../store/channels/channels.js'
import { type ChannelTraits, knowingPermissions, knowsChannel, mayReadChannel } from './channel-permissions.js'
import { closureOf } from './group-closure.js'
import { channelGroup } from './groups.js'
import { roleHolders } from './role-groups.js'
import { guest } from './roles.js'
import { activeUsers } from './users.js'

/** The audience when the channel's subscribers have been read already. */
export const audienceAmong = (
  directory: Directory,
  channel: ChannelTraits,
  subscribers: readonly number[],
): readonly number[] => new Audiences(directory).of(channel, subscribers)

/**
 * Audiences of several channels from one version of the directory. Users who may know a channel without a subscription are computed once
 * for all channels with the same traits. Equal audiences are the same array, so callers can share what they derive from one.
 */
export class Audiences {
  private readonly byTraits = new Map<string, { readonly all: readonly number[]; readonly ids: ReadonlySet<number> }>()
  private readonly byText = new Map<string, readonly number[]>()
  private readonly keys = new Map<readonly number[], number>()

  constructor(private readonly directory: Directory) {}

  /** The audience's ids, ascending. `subscribers`: active users. */
  of(channel: ChannelTraits, subscribers: readonly number[]): readonly number[] {
    const { all, ids } = this.ofStrangers(channel)
    const others = subscribers.filter(id => !ids.has(id) && this.hasQueues(id))
    return others.length === 0 ? all : this.unique([...all, ...others].sort((a, b) => a - b))
  }

  /** A number that equal audiences of this instance share, found without comparing ids. */
  key(audience: readonly number[]): number {
    const key = this.keys.get(audience) ?? this.keys.size
    this.keys.set(audience, key)
    return key
  }

  private unique(audience: readonly number[]): readonly number[] {
    const text = audience.join()
    const known = this.byText.get(text) ?? audience
    this.byText.set(text, known)
    return known
  }

  /** Ids of users who may know the channel without a subscription. */
  private ofStrangers(channel: ChannelTraits) {
    const groups = channel.invite_only
      ? knowingPermissions.map(name => channelGroup(this.directory, channel, name))
      : []
    const key = JSON.stringify([channel.invite_only, channel.is_web_public, groups])
    let found = this.byTraits.get(key)
    if (!found) {
      const all = candidates(this.directory, channel).filter(id => {
        const user = this.directory.users.get(id)
        return user && this.hasQueues(id) && knowsChannel(this.directory, user, channel, false)
      })
      found = { all: this.unique(all), ids: new Set(all) }
      this.byTraits.set(key, found)
    }
    return found
  }

  private hasQueues(userId: number): boolean {
    const user = this.directory.users.get(userId)
    return user?.is_active === true && !user.is_system_bot
  }
}

// Role groups with few holders. Every other role holds most of the organization.
const fewPeople: ReadonlySet<string> = new Set(['role:owners', 'role:administrators', 'role:nobody'])

/** A superset, ascending, of the users who may know the channel without a subscription: for a private channel most users need no check. */
function candidates(directory: Directory, channel: ChannelTraits): number[] {
  const allUsers = directory.derived(activeUsers)
  if (!channel.invite_only || channel.is_web_public) return allUsers
  const closures = knowingPermissions.map(name => closureOf(directory, channelGroup(directory, channel, name)))
  if (closures.some(({ roles }) => [...roles].some(role => !fewPeople.has(role)))) return allUsers
  const holders = roleHolders(directory)
  const found = new Set([...(holders.get('role:owners') ?? []), ...(holders.get('role:administrators') ?? [])])
  for (const { users } of closures) for (const id of users) found.add(id)
  return [...found].sort((a, b) => a - b)
}

/**
 * Ids, ascending, of users who receive messages of a public channel without a subscription, in queues registered with all_public_streams:
 * users who have ever registered such a queue, are not guests now and may read the channel.
 */
export function publicReaders(directory: Directory, channel: ChannelRow): number[] {
  if (channel.invite_only) return []
  const readers = directory.derived(publicReadersEver).flatMap(id => directory.users.get(id) ?? [])
  return readers.filter(user => mayReadChannel(directory, user, channel, false)).map(user => user.id)
}

function publicReadersEver(directory: Directory): number[] {
  const users = [...directory.users.values()].filter(user => user.reads_public_channels && user.role !== guest)
  return users.map(user => user.id).sort((a, b) => a - b)
}
