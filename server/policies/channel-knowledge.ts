import type { Directory } from '../memory/directory.js'
import type { ChannelRow } from '../store/channels/channels.js'
import type { UserRow } from '../store/users/users.js'
import { knowsChannel } from './channel-permissions.js'
import { type Closure, closureOf } from './group-closure.js'
import { channelGroup } from './groups.js'
import { isFullMember } from './role-groups.js'

/** A user who comes to know a channel, or no longer knows it, without a subscription to it. */
export interface KnowledgeChange {
  readonly userId: number
  readonly channelId: number
  readonly knows: boolean
}

/** The permissions of a channel whose holders may know it. */
export const revealing = ['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'] as const

/** Restricts the comparison to users or channels; absent: all. */
interface Among {
  readonly userIds?: readonly number[]
  readonly channelIds?: readonly number[]
}

/**
 * Active users who may know a channel in one version of the directory and not in the other, subscriptions left out of account: a subscriber
 * knows the channel in both. Compares only users, channels and group members that differ, so the cost is proportional to the result.
 */
export function knowledgeChanges(before: Directory, after: Directory, among: Among = {}): KnowledgeChange[] {
  const allUsers = among.userIds ?? [...after.users.keys()]
  const changedUsers = allUsers.filter(id => differs(before, after, id))
  const differences = new GroupDifferences(before, after, allUsers)
  const changes: KnowledgeChange[] = []
  for (const channelId of among.channelIds ?? after.channels.keys()) {
    const [was, is] = [before.channels.get(channelId), after.channels.get(channelId)]
    if (!was || !is) continue
    for (const userId of isAsOpen(was, is) ? differences.candidates(is, changedUsers) : allUsers) {
      const [earlier, later] = [before.users.get(userId), after.users.get(userId)]
      if (!hasQueues(earlier) || !hasQueues(later)) continue
      const knows = knowsChannel(after, later, is, false)
      if (knows !== knowsChannel(before, earlier, was, false)) changes.push({ userId, channelId, knows })
    }
  }
  return changes
}

/** Whether every field of the channel that decides who may know it is unchanged. */
const isAsOpen = (was: ChannelRow, is: ChannelRow): boolean =>
  was.invite_only === is.invite_only &&
  was.is_web_public === is.is_web_public &&
  revealing.every(name => was.settings[name] === is.settings[name])

function differs(before: Directory, after: Directory, userId: number): boolean {
  const [was, is] = [before.users.get(userId), after.users.get(userId)]
  return was !== is || (is !== undefined && isFullMember(before, is) !== isFullMember(after, is))
}

// Only active users, except the server's own bots, have queues.
const hasQueues = (user: UserRow | undefined): user is UserRow => user?.is_active === true && !user.is_system_bot

/** Ids of users who are in a group in only one of the two versions. */
class GroupDifferences {
  private readonly known = new Map<number, ReadonlySet<number>>()

  constructor(
    private readonly before: Directory,
    private readonly after: Directory,
    private readonly allUsers: readonly number[],
  ) {}

  /** Users who may have come to know, or lost, a channel that is itself unchanged. */
  candidates(channel: ChannelRow, changedUsers: readonly number[]): Iterable<number> {
    // Every user but a guest knows a public channel, and no group opens one to a guest.
    if (!channel.invite_only) return changedUsers
    const found = new Set(changedUsers)
    for (const name of revealing) {
      for (const id of this.of(channelGroup(this.after, channel, name))) found.add(id)
    }
    return found
  }

  private of(groupId: number): ReadonlySet<number> {
    let difference = this.known.get(groupId)
    if (!difference) {
      difference = this.compare(closureOf(this.before, groupId), closureOf(this.after, groupId))
      this.known.set(groupId, difference)
    }
    return difference
  }

  private compare(was: Closure, is: Closure): ReadonlySet<number> {
    const isSameRoles = was.roles.size === is.roles.size && [...was.roles].every(role => is.roles.has(role))
    if (!isSameRoles) return new Set(this.allUsers)
    const isNew = [...is.users].filter(id => !was.users.has(id))
    const isGone = [...was.users].filter(id => !is.users.has(id))
    return new Set([...isNew, ...isGone])
  }
}
