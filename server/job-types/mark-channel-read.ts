import { z } from 'zod'
import { jobType } from './job-type.js'

/** The messages of an archived channel are read for its subscribers. */
export const markChannelRead = jobType('mark-channel-read', z.object({ channel: z.int() }))
