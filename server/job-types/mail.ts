import { z } from 'zod'
import { jobType } from './job-type.js'

/** A mail to one address. */
export const mail = jobType('mail', z.object({ to: z.string(), subject: z.string(), text: z.string() }))
