import type { ErrorCode } from '../../shared/errors.js'
import type { Allow } from '../api/route.js'
import { administrators, anyAccount, anyHuman, botsOnly, notGuest } from '../policies/allow.js'

interface Caller {
  readonly who: string
  /** The error for all other callers. */
  readonly refusal?: ErrorCode
}

const callers: ReadonlyMap<Allow, Caller> = new Map<Allow, Caller>([
  ['anyone', { who: 'Anybody: credentials are not looked at.' }],
  [
    'optional',
    { who: 'Every account; visitors without one as far as the organization is open to them.', refusal: 'UNAUTHORIZED' },
  ],
  [anyAccount, { who: 'Every account.' }],
  [anyHuman, { who: 'People, not bots.', refusal: 'BAD_REQUEST' }],
  [notGuest, { who: 'Everybody but guests.', refusal: 'BAD_REQUEST' }],
  [administrators, { who: "The organization's administrators and owners.", refusal: 'UNAUTHORIZED_PRINCIPAL' }],
  [botsOnly, { who: 'Bots.', refusal: 'PERMISSION_DENIED' }],
])

/** Who may call an operation; undefined for a rule of policies/allow.ts without an entry here. */
export const callerOf = (allow: Allow): Caller | undefined => callers.get(allow)
