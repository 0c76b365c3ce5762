import { guest } from '../../policies/roles.js'
import type { SeededChannel, SeededUser } from '../../store/seeding/seeding.js'
import { renderAtOnce } from '../../text/markdown.js'
import { noNames } from '../../text/names.js'
import type { Random } from './random.js'
import { subjects } from './words.js'

/** A user's subscription, and its period as shares of the messages: from 0, before the first one, to 1, still subscribed. */
export interface Membership {
  readonly user: number
  readonly from: number
  readonly to: number
}

export interface ChannelPlan {
  readonly channel: SeededChannel
  /** The first member created the channel and is subscribed throughout. */
  readonly members: readonly Membership[]
}

const day = 24 * 60 * 60 * 1000
const defaultChannels = 3

/**
 * Creates public, private (half of them with protected history), web-public and archived channels. The first ones are default channels with
 * nearly all users, each further one has fewer subscribers: about twenty channels per user.
 * @param first a number that no channel name contains yet
 */
export function makeChannels(
  random: Random,
  {
    count,
    users,
    first,
    now,
  }: { readonly count: number; readonly users: readonly SeededUser[]; readonly first: number; readonly now: number },
): ChannelPlan[] {
  // A factor per user, so that some users have many subscriptions and others few.
  const zeal = users.map(() => 0.4 + 1.2 * random.next())
  return Array.from({ length: count }, (_, i) => {
    const channel = channelAt(random, i, first, now)
    const reach = channel.is_default ? 1 : Math.min(0.9, 0.9 / i ** 0.7)
    const creator = random.below(Math.min(users.length, 5))
    const members: Membership[] = [{ user: creator, from: 0, to: 1 }]
    users.forEach((user, place) => {
      if (place === creator || !user.is_active || (user.role === guest && channel.is_default)) return
      const share = channel.is_default ? 1 : reach * (zeal[place] as number)
      if (random.next() < (user.role === guest ? share / 8 : share)) members.push(membership(random, place))
    })
    return { channel: { ...channel, creator }, members }
  })
}

function channelAt(random: Random, i: number, first: number, now: number): Omit<SeededChannel, 'creator'> {
  const is_default = i < defaultChannels
  const invite_only = !is_default && random.chance(0.2)
  const description = `All about **${random.pick(subjects)}**.`
  return {
    name: `${random.pick(subjects)} ${first + i}`,
    description,
    rendered_description: renderAtOnce(description, noNames).html,
    invite_only,
    is_web_public: !is_default && !invite_only && random.chance(0.01),
    history_public_to_subscribers: !invite_only || random.chance(0.5),
    is_archived: i > 10 && random.chance(0.02),
    is_default,
    date_created: new Date(now - 100 * day - random.below(300 * day)),
  }
}

function membership(random: Random, user: number): Membership {
  const kind = random.next()
  if (kind < 0.06) return { user, from: random.next(), to: 1 }
  return { user, from: 0, to: kind < 0.1 ? random.next() : 1 }
}
