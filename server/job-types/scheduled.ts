import { z } from 'zod'
import { jobType } from './job-type.js'

const one = z.object({ id: z.int() })

/** The time of a scheduled message. */
export const scheduledMessage = jobType('scheduled-message', one)

/** The time of a reminder. */
export const reminder = jobType('reminder', one)

export const scheduledKey = (id: number): string => `scheduled message ${id}`

export const reminderKey = (id: number): string => `reminder ${id}`
