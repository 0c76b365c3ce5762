import { endStatus } from '../actions/users/change-status.js'
import { statusEnd as type } from '../job-types/status.js'
import { jobKind } from './job-kind.js'

/** Removes a status at its time, unless it was changed meanwhile: then a repeated run changes nothing, either. */
export const statusEnd = jobKind(type, {
  atOnce: 4,
  run: (ctx, { user_id, expires_at }) => endStatus(ctx, user_id, expires_at),
})
