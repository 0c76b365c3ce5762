import { z } from 'zod'
import type { After } from './job-type.js'
import { jobType } from './job-type.js'

/** A setting for how long messages are kept may have changed. */
export const applyRetention = jobType('apply-retention', z.object({}))

/** Adds the job where one of the changed names is that of the setting. */
export function addRetentionCheck(after: After, changed: object): void {
  if ('message_retention_days' in changed) after(applyRetention, {}, { key: applyRetention.name })
}
