import { z } from 'zod'
import type { StatePiece } from '../state-piece.js'

/** The schema of a list that the server does not keep. */
const nothing = z.array(z.record(z.string(), z.unknown())).max(0)
const texts = z.array(z.string())

const piece = (fetchType: string, fields: StatePiece['fields'], values: Record<string, unknown>): StatePiece => ({
  fetchType,
  fields,
  read: async () => values,
})

const emptyList = (fetchType: string, name = fetchType) => piece(fetchType, { [name]: nothing }, { [name]: [] })

/** The state of areas that this server does not implement, as in a new organization (docs/protocol/register.md#not-served). */
export const emptyState: readonly StatePiece[] = [
  piece('giphy', { giphy_api_key: z.string() }, { giphy_api_key: '' }),
  piece(
    'realm_billing',
    { realm_billing: z.object({ has_pending_sponsorship_request: z.boolean() }) },
    { realm_billing: { has_pending_sponsorship_request: false } },
  ),
  emptyList('realm_embedded_bots'),
  emptyList('realm_filters'),
  piece('stop_words', { stop_words: texts }, { stop_words: [] }),
  piece('tenor', { tenor_api_key: z.string() }, { tenor_api_key: '' }),
  piece(
    'video_calls',
    { has_zoom_token: z.boolean(), has_webex_token: z.boolean() },
    { has_zoom_token: false, has_webex_token: false },
  ),
]
