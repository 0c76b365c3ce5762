import { z } from 'zod'
import { jobType } from './job-type.js'

/**
 * Delivers the events of a subscription for a while, and then adds itself again. `version`: a job of an earlier one ends. `hadNoQueue`: the
 * queue of the job before has ended before it gave an event.
 */
export const eventSubscription = jobType(
  'event-subscription',
  z.object({ id: z.int(), version: z.int(), hadNoQueue: z.literal(true).optional() }),
)

/** One delivery at a time. */
export const eventSubscriptionKey = (id: number): string => `event subscription ${id}`
