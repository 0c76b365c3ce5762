import type { Tx } from '../store/db.js'
import type { Directory } from '../store/directory.js'
import { subscribersOfChannels } from '../store/subscriptions.js'
import { type ChannelTraits, knowingPermissions, knowsChannel } from './channel-permissions.js'
import { closureOf } from './group-closure.js'
import { channelGroup } from './groups.js'
import { roleHolders } from './role-groups.js'
import { activeUsers } from './users.js'

/**
 * Active users who may know the channel, ascending: whom its stream and peer events are for. Exact when the transaction
 * holds the channel's row or the organization.
 */
export async function audienceOfChannelMetadata(
  tx: Tx,
  directory: Directory,
  channel: ChannelTraits & { readonly id: number },
): Promise<number[]> {
  const subscribers = await subscribersOfChannels(tx, [channel.id])
  return audienceAmong(directory, channel, new Set(subscribers.get(channel.id)))
}

/** The same for many channels, in one query. */
export async function audiencesOfChannels(
  tx: Tx,
  directory: Directory,
  channels: readonly (ChannelTraits & { readonly id: number })[],
): Promise<Map<number, number[]>> {
  const subscribers = await subscribersOfChannels(
    tx,
    channels.map(channel => channel.id),
  )
  return new Map(
    channels.map(channel => [channel.id, audienceAmong(directory, channel, new Set(subscribers.get(channel.id)))]),
  )
}

/** The audience when the channel's subscribers are known already. */
export function audienceAmong(
  directory: Directory,
  channel: ChannelTraits,
  subscribers: ReadonlySet<number>,
): number[] {
  return candidates(directory, channel, subscribers).filter(id => {
    const user = directory.users.get(id)
    return user && !user.is_system_bot && knowsChannel(directory, user, channel, subscribers.has(id))
  })
}

// Those of all other roles are most of the organization, or nobody.
const fewPeople: ReadonlySet<string> = new Set(['role:owners', 'role:administrators', 'role:nobody'])

/** Everybody who may know the channel is among these, ascending: most of thousands need not be asked about a private one. */
function candidates(directory: Directory, channel: ChannelTraits, subscribers: ReadonlySet<number>): number[] {
  const everybody = directory.derived(activeUsers)
  if (!channel.invite_only || channel.is_web_public) return everybody
  const closures = knowingPermissions.map(name => closureOf(directory, channelGroup(directory, channel, name)))
  if (closures.some(({ roles }) => [...roles].some(role => !fewPeople.has(role)))) return everybody
  const holders = roleHolders(directory)
  const found = new Set([
    ...subscribers,
    ...(holders.get('role:owners') ?? []),
    ...(holders.get('role:administrators') ?? []),
  ])
  for (const { users } of closures) for (const id of users) found.add(id)
  return [...found].sort((a, b) => a - b)
}
