import { flagBit, wildcardBit } from '../../store/messages/message-flags.js'
import type { SeededUser } from '../../store/seeding/seeding.js'
import type { SeededMessage } from '../../store/seeding/seeding-messages.js'
import { RENDERER_VERSION } from '../../text/markdown.js'
import { noNames } from '../../text/names.js'
import type { ChannelPlan } from './channels.js'
import { type Random, weighted } from './random.js'
import { makeTexts, type Text, withMention } from './texts.js'
import { emoji, subjects } from './words.js'

export interface Place<Plan> {
  readonly id: number
  readonly plan: Plan
}

/** The users, channels and conversations of the messages, with their ids in the database. */
interface Talkers {
  readonly users: readonly SeededUser[]
  readonly userIds: readonly number[]
  readonly channels: readonly Place<ChannelPlan>[]
  /** Participants as indexes of `users`. */
  readonly conversations: readonly Place<readonly number[]>[]
}

const directShare = 0.15
const richChannelShare = 0.1
const messagesPerTopicOfRich = 4
// Channels in which every subscriber may use wildcard mentions (docs/protocol/permissions.md#mentioning).
const fewPeople = 15

/**
 * Generates messages in the order of their dates: most in a few channels, in topics that follow one another, one channel with very many
 * topics. The sender is subscribed at that time.
 */
export function* talk(
  random: Random,
  { users, userIds, channels, conversations }: Talkers,
  count: number,
  dateOf: (i: number) => Date,
): Generator<SeededMessage> {
  const texts = makeTexts(random)
  const rich = Math.max(
    0,
    channels.findIndex(({ plan: { channel } }) => !channel.is_default && isOpen(channel)),
  )
  const shares = channels.map((_, i) => 1 / (i + 1) ** 0.8)
  const all = shares.reduce((sum, share) => sum + share, 0)
  shares[rich] = (all * richChannelShare) / (1 - richChannelShare)
  const drawChannel = weighted(random, shares)
  const drawConversation = weighted(
    random,
    conversations.map((_, i) => 1 / (i + 1) ** 0.5),
  )
  const topicCounts = shares.map((share, i) => {
    const messages = (share / (all + (shares[rich] as number))) * count
    return Math.ceil(i === rich ? messages / messagesPerTopicOfRich : 2 * Math.sqrt(messages))
  })

  const message = (i: number, sender: number, text: Text): SeededMessage => ({
    sender_id: userIds[sender] as number,
    channel_id: null,
    conversation_id: null,
    topic: '',
    content: text.content,
    rendered_content: text.rendered.html,
    renderer_version: RENDERER_VERSION,
    date_sent: dateOf(i),
    read_by_sender: users[sender]?.bot_type === null,
    has_link: text.rendered.hasLink,
    wildcard_mentions: 0,
    flags: [],
    reactions: [],
  })

  for (let i = 0; i < count; i++) {
    const text = random.pick(texts)
    if (conversations.length > 0 && random.chance(directShare)) {
      const { id, plan } = conversations[drawConversation()] as Place<readonly number[]>
      yield { ...message(i, random.pick(plan), text), conversation_id: id }
      continue
    }
    const number = drawChannel()
    const { id, plan } = channels[number] as Place<ChannelPlan>
    const who = () => someMember(random, plan, i / count, number)
    const sender = who()
    const said = mentioned(random, plan, { text, who, talkers: { users, userIds } })
    yield {
      ...message(i, sender, said.text),
      channel_id: id,
      topic: topicAt(random, topicCounts[number] as number, i / count, number),
      wildcard_mentions: said.wildcards,
      flags: flagsOf(random, who, said.person, userIds),
      reactions: random.chance(0.1) ? reactionsOf(random, who, userIds) : [],
    }
  }
}

const isOpen = (channel: ChannelPlan['channel']): boolean => !channel.invite_only && !channel.is_archived

/** A subscriber at that time. Some send much more than others, and different ones in each channel. */
function someMember(random: Random, { members }: ChannelPlan, at: number, channel: number): number {
  for (let attempt = 0; attempt < 5; attempt++) {
    const member = members[(random.skewed(members.length) + channel * 7919) % members.length]
    if (member && member.from <= at && at < member.to) return member.user
  }
  return (members[0] as ChannelPlan['members'][number]).user
}

/** A topic: topics follow one another, and a message is in one of the newest. The first topic is the empty one. */
function topicAt(random: Random, topics: number, at: number, channel: number): string {
  const newest = Math.floor(at * topics)
  const number = Math.max(0, newest - random.skewed(12))
  if (number === 0) return ''
  const name = `${subjects[(number * 7 + channel) % subjects.length]} ${number}`
  return number % 9 === 0 ? `✔ ${name}` : name
}

function mentioned(
  random: Random,
  plan: ChannelPlan,
  {
    text,
    who,
    talkers: { users, userIds },
  }: { readonly text: Text; readonly who: () => number; readonly talkers: Pick<Talkers, 'users' | 'userIds'> },
): { text: Text; person: number | null; wildcards: number } {
  const kind = random.next()
  if (kind < 0.03) {
    const person = who()
    const { full_name } = users[person] as SeededUser
    const user = { user_id: userIds[person] as number, full_name, is_active: true }
    const names = { ...noNames, userById: () => user }
    return { text: withMention(text, `@**${full_name}|${user.user_id}**`, names), person, wildcards: 0 }
  }
  if (kind < 0.035 && plan.members.length <= fewPeople) {
    return { text: withMention(text, '@**all**', noNames), person: null, wildcards: wildcardBit.channel }
  }
  return { text, person: null, wildcards: 0 }
}

function flagsOf(random: Random, who: () => number, mentioned: number | null, userIds: readonly number[]) {
  const flags = new Map<number, number>()
  if (mentioned !== null) flags.set(mentioned, flagBit.mentioned)
  if (random.chance(0.005)) {
    const reader = who()
    flags.set(reader, (flags.get(reader) ?? 0) | flagBit.starred)
  }
  return [...flags].map(([user, bits]) => ({ userId: userIds[user] as number, flags: bits }))
}

function reactionsOf(random: Random, who: () => number, userIds: readonly number[]) {
  const chosen = random.pick(emoji)
  const people = new Set(Array.from({ length: 1 + random.skewed(8) }, who))
  return [...people].map(user => ({ userId: userIds[user] as number, code: chosen.code, name: chosen.name }))
}
