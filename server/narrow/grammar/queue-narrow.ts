import { topicKey } from '../../../shared/resources/topic.js'
import { cleanName } from '../../text/clean-name.js'
import { NarrowError, requireNarrowSize } from './terms.js'

export { NarrowError } from './terms.js'

/** The lookups that parsing a queue's narrow needs at registration. */
interface QueueNarrowNames {
  channelByName(name: string): { stream_id: number } | undefined
}

/**
 * Selects the message events of a queue: all conditions must hold. Plain JSON, stored with the queue. Text is in lower
 * case. A channel that did not exist at registration is stored by name.
 */
export interface QueueNarrow {
  channel_ids?: number[]
  channel_names?: string[]
  topics?: string[]
  sender_emails?: string[]
  is?: IsCondition[]
}

const isConditions = ['dm', 'starred', 'unread', 'mentioned', 'resolved'] as const
type IsCondition = (typeof isConditions)[number]

const isWords: Readonly<Record<string, IsCondition>> = {
  dm: 'dm',
  private: 'dm',
  starred: 'starred',
  unread: 'unread',
  mentioned: 'mentioned',
  // Both words test the mention flag.
  alerted: 'mentioned',
  resolved: 'resolved',
}

/** The prefix of a resolved topic. */
const resolvedTopicPrefix = '✔ '

/** The fields of a message event that the predicate reads. */
export interface QueueMessage {
  message: {
    type: string
    stream_id?: number
    /** The channel's name, or the participants of a direct conversation. */
    display_recipient: unknown
    subject: string
    sender_email: string
  }
  flags: readonly string[]
}

/**
 * Parses the `narrow` of a new queue.
 * @throws {NarrowError} for an operator that only message searches support, and beyond a budget of narrows.
 */
export function parseQueueNarrow(pairs: readonly (readonly string[])[], names: QueueNarrowNames): QueueNarrow {
  requireNarrowSize(pairs)
  const narrow: QueueNarrow = {}
  for (const pair of pairs) {
    const [operator, operand] = pair
    if (pair.length !== 2 || typeof operator !== 'string' || typeof operand !== 'string') {
      throw new NarrowError('term is not a pair of strings')
    }
    addCondition(narrow, operator, operand, names)
  }
  return narrow
}

function addCondition(narrow: QueueNarrow, operator: string, operand: string, names: QueueNarrowNames): void {
  switch (operator) {
    case 'channel':
    case 'stream':
      addChannel(narrow, operand, names)
      break
    case 'topic':
    case 'subject':
      narrow.topics = [...(narrow.topics ?? []), topicKey(cleanName(operand))]
      break
    case 'sender':
    case 'from':
      narrow.sender_emails = [...(narrow.sender_emails ?? []), operand.toLowerCase()]
      break
    case 'is':
      addIs(narrow, operand)
      break
    default:
      throw new NarrowError(`operator '${operator}' is not supported for a queue`)
  }
}

/** By id if the channel exists: the id survives renaming, and comparing it is cheap. */
function addChannel(narrow: QueueNarrow, name: string, names: QueueNarrowNames): void {
  const channel = names.channelByName(name)
  if (channel) narrow.channel_ids = [...(narrow.channel_ids ?? []), channel.stream_id]
  else narrow.channel_names = [...(narrow.channel_names ?? []), cleanName(name).toLowerCase()]
}

function addIs(narrow: QueueNarrow, operand: string): void {
  // The server cannot evaluate this word for a queue; other unknown words match everything.
  if (operand === 'followed') throw new NarrowError("operand 'followed' is not supported for a queue")
  const condition = Object.hasOwn(isWords, operand) ? isWords[operand] : undefined
  if (condition) narrow.is = [...(narrow.is ?? []), condition]
}

/** Whether a queue with this narrow receives a message event. */
export function matchesQueueNarrow(narrow: QueueNarrow, { message, flags }: QueueMessage): boolean {
  const { channel_ids, channel_names, topics, sender_emails, is } = narrow
  return (
    (!channel_ids || channel_ids.every(id => id === message.stream_id)) &&
    (!channel_names || channel_names.every(name => name === channelName(message))) &&
    (!topics || (isInChannel(message) && topics.every(topic => topic === topicKey(message.subject)))) &&
    (!sender_emails || sender_emails.every(email => email === message.sender_email.toLowerCase())) &&
    (!is || is.every(condition => holds(condition, message, flags)))
  )
}

function isInChannel(message: QueueMessage['message']): boolean {
  return message.type === 'stream'
}

function channelName(message: QueueMessage['message']): string | undefined {
  const name = message.display_recipient
  return isInChannel(message) && typeof name === 'string' ? name.toLowerCase() : undefined
}

function holds(condition: IsCondition, message: QueueMessage['message'], flags: readonly string[]): boolean {
  switch (condition) {
    case 'dm':
      return message.type === 'private'
    case 'starred':
      return flags.includes('starred')
    case 'unread':
      return !flags.includes('read')
    case 'mentioned':
      return flags.includes('mentioned')
    case 'resolved':
      return isInChannel(message) && message.subject.startsWith(resolvedTopicPrefix)
  }
}
