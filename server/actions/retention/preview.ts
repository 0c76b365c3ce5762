import type { Ctx } from '../../ctx.js'
import { type ArchiveFigures, archiveFigures } from '../../store/messages/archived-messages.js'
import { expiredFigures } from '../../store/messages/expired-messages.js'
import { readTerms } from '../../store/organization/retention-terms.js'
import { archiveDays } from './prune-archive.js'
import { daysOfSettings, directPlace, limitOf } from './terms.js'

/** The messages of a place that are older than it keeps them. */
export interface ExpiredPlace {
  /** Null: direct messages. */
  readonly channel_id: number | null
  readonly name: string
  readonly days: number
  /** When this time applies, if it waits (docs/retention.md#a-shorter-time). */
  readonly applies_at: Date | null
  readonly messages: number
  readonly oldest: Date
  readonly newest: Date
  readonly files: number
  readonly bytes: number
}

export interface RetentionPreview {
  readonly expired: readonly ExpiredPlace[]
  readonly archive: ArchiveFigures & { readonly days: number }
}

/** What would go by the settings, also by a shorter time that waits. `days`: as if all places, or only `channelId`, kept messages so long. */
export async function previewRetention(
  ctx: Ctx,
  { days, channelId }: { readonly days?: number | undefined; readonly channelId?: number | undefined },
): Promise<RetentionPreview> {
  const places = [...daysOfSettings(ctx)]
    .filter(([place]) => channelId === undefined || place === channelId)
    .map(([place, kept]) => [place, days ?? kept] as const)
  const limits = places.flatMap(([place, kept]) => {
    const before = limitOf(ctx, kept)
    return before ? [{ channelId: place, before }] : []
  })
  const kept = new Map(places)
  const waiting = new Map((await readTerms(ctx.sql)).map(term => [term.channel_id, term]))
  const expired = (await expiredFigures(ctx.sql, limits)).map(({ channel_id, ...figures }) => ({
    channel_id: channel_id === directPlace ? null : channel_id,
    name: ctx.directory.channels.get(channel_id)?.name ?? 'direct messages',
    days: kept.get(channel_id) ?? -1,
    applies_at: days === undefined ? (waiting.get(channel_id)?.applies_at ?? null) : null,
    ...figures,
  }))
  return { expired, archive: { ...(await archiveFigures(ctx.sql)), days: archiveDays } }
}
