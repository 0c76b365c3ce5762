import { z } from 'zod'
import { jobType } from './job-type.js'

/** Writes the archive of an export. */
export const exportJob = jobType('export', z.object({ id: z.int() }))

/** One export of the organization is written at a time. */
export const exportKey = 'exports'
/** Beside it, one of a person. */
export const personExportKey = 'exports of people'
