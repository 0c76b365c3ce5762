import { z } from 'zod'
import { jobType } from './job-type.js'

/** One of the mails that new people get some days after they have joined; `number` counts from 1. */
export const welcomeMail = jobType('welcome-mail', z.object({ userId: z.int(), number: z.int() }))
