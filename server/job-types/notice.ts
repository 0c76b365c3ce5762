import { z } from 'zod'
import { type After, jobType } from './job-type.js'

const ids = z.array(z.int())

/** A message of one of the server's bots. */
export const notice = jobType(
  'notice',
  z.object({
    to: z.union([z.object({ channel: z.int(), topic: z.string() }), z.object({ people: ids })]),
    content: z.string(),
    /** It says that its topic was resolved: users can have such notices marked as read. */
    isOfResolution: z.boolean().optional(),
    /** The welcome bot sends it, and its receivers get it with a star. Otherwise the notification bot sends it. */
    isWelcome: z.boolean().optional(),
    /** The welcome bot answers: without a star. */
    isAnswer: z.boolean().optional(),
  }),
  { isAwaited: true },
)

export type Notice = z.output<typeof notice.payload>

/** Of jobs of a channel that follow one another. */
export const channelKey = (id: number): string => `channel ${id}`

/** Adds notices to the running transaction. Those to one place are sent in this order. */
export function addNotices(after: After, notices: readonly Notice[]): void {
  for (const one of notices) {
    const key = 'channel' in one.to ? channelKey(one.to.channel) : `people ${one.to.people.join()}`
    after(notice, one, { key })
  }
}
