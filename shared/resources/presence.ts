import { z } from 'zod'
import { limits } from '../limits.js'

/** Presence in the modern form (docs/protocol/register.md#presence), in UNIX seconds. */
export const presence = z.object({ active_timestamp: z.int(), idle_timestamp: z.int() })

export type Presence = z.infer<typeof presence>

export const presences = z.record(z.string(), presence).describe('By user id.')

interface LegacyStatus {
  status: 'active' | 'idle'
  timestamp: number
}

/** The stored presence of a user. `never_active`: active_timestamp is the time when the user joined. */
export interface KnownPresence extends Presence {
  never_active?: boolean
}

/**
 * Active if the last activity is at most presence_legacy_active_window_secs older than the last connection; the
 * timestamp is that of the status.
 */
export function legacyStatus({ active_timestamp, idle_timestamp, never_active }: KnownPresence): LegacyStatus {
  return !never_active && active_timestamp + limits.presence_legacy_active_window_secs >= idle_timestamp
    ? { status: 'active', timestamp: active_timestamp }
    : { status: 'idle', timestamp: idle_timestamp }
}

export const legacyWebsiteSchema = z.object({
  client: z.literal('website'),
  status: z.enum(['active', 'idle']),
  timestamp: z.int(),
  pushable: z.literal(false),
})

/** The legacy format of presence, one status per client program; the server has one program, `website`. */
export function legacyWebsite(entry: KnownPresence) {
  return { client: 'website' as const, ...legacyStatus(entry), pushable: false as const }
}

export function legacyPresence(entry: KnownPresence) {
  return { aggregated: { client: 'website' as const, ...legacyStatus(entry) }, website: legacyWebsite(entry) }
}

export type LegacyPresence = ReturnType<typeof legacyPresence>
