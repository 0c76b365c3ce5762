import { z } from 'zod'
import { limits } from '../limits.js'

/** Presence in the modern form (docs/protocol/register.md#presence), in UNIX seconds. */
export const presence = z.object({ active_timestamp: z.int(), idle_timestamp: z.int() })

export type Presence = z.infer<typeof presence>

export const presences = z.record(z.string(), presence).describe('By user id.')

export interface LegacyStatus {
  status: 'active' | 'idle'
  timestamp: number
}

/** What is known of a user. `never_active`: active_timestamp is when it joined, for want of a better one. */
export interface KnownPresence extends Presence {
  never_active?: boolean
}

/** Active while the last activity is hardly older than the last connection; the time is the one that fits the word. */
export function legacyStatus({ active_timestamp, idle_timestamp, never_active }: KnownPresence): LegacyStatus {
  return !never_active && active_timestamp + limits.presence_legacy_active_window_secs >= idle_timestamp
    ? { status: 'active', timestamp: active_timestamp }
    : { status: 'idle', timestamp: idle_timestamp }
}

/** How clients knew presence before there was one per user: by program, of which there is one. */
export function legacyWebsite(entry: KnownPresence) {
  return { client: 'website' as const, ...legacyStatus(entry), pushable: false as const }
}

export function legacyPresence(entry: KnownPresence) {
  return { aggregated: { client: 'website' as const, ...legacyStatus(entry) }, website: legacyWebsite(entry) }
}

export type LegacyPresence = ReturnType<typeof legacyPresence>
