import { z } from 'zod'
import { jobType } from './job-type.js'

/** The end of a status at its time; a user has one such job at most. */
export const statusEnd = jobType('status-end', z.object({ user_id: z.int(), expires_at: z.int() }))

export const statusEndKey = (userId: number): string => `status ${userId}`
