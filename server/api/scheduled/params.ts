import { z } from 'zod'
import { budgets } from '../../config/budgets.js'
import type { Condition } from '../../params/conditions.js'
import { idNumber, integer, json, listWithRepeats, pathId, word } from '../../params/schemas.js'

// The year 9999.
const latestSecond = 253_402_300_799

export const scheduledId = pathId().describe('The scheduled message.')

export const messageType = word('direct', 'channel', 'stream', 'private')

/** `private` and `stream` are older names. */
export const typeOf = (type: z.output<typeof messageType>): 'direct' | 'channel' =>
  type === 'channel' || type === 'stream' ? 'channel' : 'direct'

export const toIds = json(z.union([listWithRepeats(idNumber, budgets.recipients.most), idNumber])).describe(
  'Of a message to a channel its id; of a direct message a list of user ids.',
)

export const dueTime = integer({ min: 0, max: latestSecond }).describe(
  'When to send it, in UNIX seconds: in the future.',
)

/** What a destination needs. */
export const ofPlace: readonly Condition<'type' | 'to' | 'topic'>[] = [
  {
    when: { type: ['channel', 'stream'] },
    holds: { to: idNumber.describe('one channel ID') },
    refusal: 'A message to a channel needs one channel ID in `to`.',
  },
  {
    when: { type: ['direct', 'private'] },
    holds: { to: z.array(idNumber).min(1).describe('a list of user IDs') },
    refusal: 'A direct message needs a list of user IDs in `to`.',
  },
  { when: { type: ['channel', 'stream'] }, anyOf: ['topic'], refusal: 'Missing topic' },
]
