import { z } from 'zod'
import { jobType } from './job-type.js'

/** Decides who is notified of new messages. A standing kind: it has no rows. */
export const decideNotifications = jobType('decide-notifications', z.object({}))

/** The end of the period for which missed messages of a user are collected. */
export const missedMessages = jobType('missed-messages', z.object({ user: z.int() }))

export const missedKeyPrefix = 'missed messages '
export const missedKey = (userId: number): string => missedKeyPrefix + userId

/** The last queue of a user was collected. `since`: when a client last used it, in ms. */
export const lastQueue = jobType('last-queue', z.object({ user: z.int(), since: z.number() }))
