import { z } from 'zod'
import { jobType } from './job-type.js'

const ids = z.array(z.int())

const pushed = z.discriminatedUnion('kind', [
  /** `isSilent`: the user looks at a client. */
  z.object({ kind: z.literal('message'), message: z.int(), isSilent: z.boolean(), devices: ids }),
  /** The messages were read, or are gone: their notifications close. */
  z.object({ kind: z.literal('remove'), user: z.int(), messages: ids, devices: ids }),
  z.object({ kind: z.literal('test'), devices: ids }),
])

/** `attempt`: how often these devices have failed to get it; absent: never. */
const payload = z.intersection(pushed, z.object({ attempt: z.int().optional() }))

export type PushPayload = z.output<typeof payload>

/** Pushes to devices (`push_devices`). */
export const push = jobType<PushPayload>('push', payload, { isAwaited: true })

/** The same for devices that have failed or are slow, and for tests: they share no run with others. */
export const pushAgain = jobType<PushPayload>('push-again', payload, { isAwaited: true })
