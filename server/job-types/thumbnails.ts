import { z } from 'zod'
import { jobType } from './job-type.js'

/** Pictures wait for their thumbnails, or for their messages to be rendered again (`attachments.thumbnail_due`). */
export const thumbnails = jobType('thumbnails', z.object({}))
