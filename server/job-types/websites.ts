import { z } from 'zod'
import { jobType } from './job-type.js'

/** Messages link to websites that are to be read (`website_work`). The insert of messages names it, too (store/sending/insert-messages.ts). */
export const websites = jobType('websites', z.object({}))
