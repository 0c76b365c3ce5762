import { z } from 'zod'
import { jobType } from './job-type.js'

/** The end of a streamed message whose author is silent. `begun`: in ms. There is one job as long as the message grows. */
export const streamedMessage = jobType('streamed-message', z.object({ message_id: z.int(), begun: z.int() }))

export const streamedMessageKey = (messageId: number): string => `streamed message ${messageId}`

/** Shows messages that grow to readers who get no pieces. A standing kind: it has no rows. */
export const showGrowth = jobType('show-growth', z.object({}))
