import type { ChannelRow } from '../store/channels.js'
import type { Directory } from '../store/directory.js'
import type { UserRow } from '../store/users.js'
import { knowsChannel } from './channel-permissions.js'
import { type Closure, closureOf } from './group-closure.js'
import { channelGroup } from './groups.js'
import { isFullMember } from './role-groups.js'

/** Who comes to know a channel, or stops knowing it, without being subscribed to it. */
export interface KnowledgeChange {
  readonly userId: number
  readonly channelId: number
  readonly knows: boolean
}

/** The permissions of a channel that let somebody know of it. */
export const revealing = ['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'] as const

/** Where to look; absent: everywhere. */
export interface Among {
  readonly userIds?: readonly number[]
  readonly channelIds?: readonly number[]
}

/**
 * Active users whose knowledge of channels changes between two views of the organization, were they subscribed to none of
 * them: who is subscribed knows its channels before and after. Looks only at users, channels and members of groups that
 * differ, so it costs about what it finds.
 */
export function knowledgeChanges(before: Directory, after: Directory, among: Among = {}): KnowledgeChange[] {
  const everybody = among.userIds ?? [...after.users.keys()]
  const changedUsers = everybody.filter(id => differs(before, after, id))
  const differences = new GroupDifferences(before, after, everybody)
  const changes: KnowledgeChange[] = []
  for (const channelId of among.channelIds ?? after.channels.keys()) {
    const [was, is] = [before.channels.get(channelId), after.channels.get(channelId)]
    if (!was || !is) continue
    for (const userId of isAsOpen(was, is) ? differences.candidates(is, changedUsers) : everybody) {
      const [earlier, later] = [before.users.get(userId), after.users.get(userId)]
      if (!hasQueues(earlier) || !hasQueues(later)) continue
      const knows = knowsChannel(after, later, is, false)
      if (knows !== knowsChannel(before, earlier, was, false)) changes.push({ userId, channelId, knows })
    }
  }
  return changes
}

/** Whether nothing about the channel itself is different that decides who knows it. */
const isAsOpen = (was: ChannelRow, is: ChannelRow): boolean =>
  was.invite_only === is.invite_only &&
  was.is_web_public === is.is_web_public &&
  revealing.every(name => was.settings[name] === is.settings[name])

function differs(before: Directory, after: Directory, userId: number): boolean {
  const [was, is] = [before.users.get(userId), after.users.get(userId)]
  return was !== is || (is !== undefined && isFullMember(before, is) !== isFullMember(after, is))
}

// Nobody else can be told anything.
const hasQueues = (user: UserRow | undefined): user is UserRow => user?.is_active === true && !user.is_system_bot

/** Who is in a group in one of the views and not in the other. */
class GroupDifferences {
  private readonly known = new Map<number, ReadonlySet<number>>()

  constructor(
    private readonly before: Directory,
    private readonly after: Directory,
    private readonly everybody: readonly number[],
  ) {}

  /** Whom a channel that is itself the same may be news for. */
  candidates(channel: ChannelRow, changedUsers: readonly number[]): Iterable<number> {
    // To all but guests a public channel is known, and to guests no group makes a difference.
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
    if (!isSameRoles) return new Set(this.everybody)
    const isNew = [...is.users].filter(id => !was.users.has(id))
    const isGone = [...was.users].filter(id => !is.users.has(id))
    return new Set([...isNew, ...isGone])
  }
}
