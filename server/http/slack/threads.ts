import type { EventMessage } from '../../../shared/resources/message.js'
import { firstMessages, type TopicPlace } from '../../store/topics/first-messages.js'
import { tsOf } from './ids.js'
import type { SlackCall } from './slack-call.js'

const keyOf = ({ channelId, topic }: TopicPlace): string => `${channelId} ${topic}`

/** The topic of a message that is in a thread: one with a name. */
const threadOf = ({ stream_id, subject }: EventMessage): TopicPlace | undefined =>
  stream_id === undefined || subject === '' ? undefined : { channelId: stream_id, topic: subject }

/** `thread_ts` of each message: of the first one of its topic that the caller may read; one statement for all. */
export async function threadTimes(
  { ctx: { sql }, caller }: SlackCall,
  messages: readonly EventMessage[],
): Promise<(message: EventMessage) => string | undefined> {
  const topics = new Map(
    messages.flatMap(message => {
      const thread = threadOf(message)
      return thread ? [[keyOf(thread), thread] as const] : []
    }),
  )
  const first = topics.size === 0 ? [] : await firstMessages(sql, caller.id, [...topics.values()])
  const times = new Map(first.map(one => [keyOf(one), tsOf(one)]))
  return message => {
    const thread = threadOf(message)
    return thread && times.get(keyOf(thread))
  }
}
