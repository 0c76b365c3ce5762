import { z } from 'zod'
import { jobType } from './job-type.js'

/** Checks an archive of another chat server, imports it, or takes its import away, as its request says. */
export const importJob = jobType('import', z.object({ id: z.int() }))

/** One archive at a time. */
export const importKey = 'imports'
