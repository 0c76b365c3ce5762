import type { Ctx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { addNotices } from '../../job-types/notice.js'
import { activeOwners } from '../../policies/accounts.js'
import { realmSetting } from '../../policies/settings.js'
import type { ISql, Tx } from '../../store/driver/db.js'
import { type ExpiredFigures, expiredFigures } from '../../store/messages/expired-messages.js'
import { holdTerms, type RetentionTerm, readTerms, storeTerms } from '../../store/organization/retention-terms.js'
import { addMail } from '../accounts/add-mail.js'
import { languageOfReader } from '../notice-language.js'
import { type Shortening, shorteningOf, shorteningText } from './shortening.js'

const dayMs = 86_400_000
/** How long after a shorter time was set it applies: owners can set a longer one until then (docs/retention.md#a-shorter-time). */
export const shorteningDelayMs = dayMs

/** The place of direct messages among channels. */
export const directPlace = 0

/** The time before which messages are expired; null: never. */
export const limitOf = ({ clock }: Pick<Ctx, 'clock'>, days: number): Date | null =>
  days === -1 ? null : new Date(clock.now() - days * dayMs)

const isShorter = (days: number, than: number): boolean => days !== -1 && (than === -1 || days < than)

/** The days of the settings, for direct messages and each channel. */
export function daysOfSettings({ directory }: Pick<Ctx, 'directory'>): Map<number, number> {
  const all = realmSetting(directory, 'message_retention_days')
  const channels = [...directory.channels.values()]
  return new Map([
    [directPlace, all],
    ...channels.map(({ id, message_retention_days }) => [id, message_retention_days ?? all] as const),
  ])
}

/** The days that apply now: a shorter time of the settings waits, a longer one applies at once. A place without a term keeps all. */
export async function daysThatApply(ctx: Ctx): Promise<Map<number, number>> {
  const terms = new Map((await readTerms(ctx.sql)).map(term => [term.channel_id, term]))
  return new Map([...daysOfSettings(ctx)].map(([place, wanted]) => [place, longer(wanted, terms.get(place))]))
}

/** The same of one place, by the settings that the transaction holds. */
export async function daysOfPlace(ctx: Ctx, tx: Tx, place: number): Promise<number> {
  const [term] = await readTerms(tx, place)
  return longer(daysOfSettings(ctx).get(place) ?? -1, term)
}

const longer = (wanted: number, term: RetentionTerm | undefined): number =>
  isShorter(wanted, term?.days ?? -1) ? (term?.days ?? -1) : wanted

/**
 * Brings the terms in line with the settings: a longer time applies at once; a shorter one by which messages are expired applies after a
 * delay, and all owners are warned now.
 */
export async function applyRetentionSettings(ctx: Ctx): Promise<void> {
  await ctx.directory.fresh()
  const now = ctx.clock.now()
  const found = await changedTerms(ctx, ctx.sql, now)
  if (found.length === 0) return
  // Before the transaction: reading all expired messages may take minutes, and nothing can be changed while it holds the directory.
  const counted = new Map(found.filter(isNew(now)).map(term => [term.channel_id, term.waiting_days]))
  const expired = await expiredOf(ctx, found.filter(isNew(now)))
  await ctx.write(async (tx, _emit, { after }) => {
    await ctx.directory.hold(tx, 'share')
    await holdTerms(tx)
    // A shorter time that was set meanwhile is left to the job of its change.
    const changed = (await changedTerms(ctx, tx, now)).filter(
      term => !isNew(now)(term) || counted.get(term.channel_id) === term.waiting_days,
    )
    // Where nothing is expired by the shorter time, there is nothing to stop.
    const stored = changed.map(term =>
      isNew(now)(term) && !expired.has(term.channel_id) ? applied(term.channel_id, term.waiting_days ?? -1) : term,
    )
    if (stored.length > 0) await storeTerms(tx, stored)
    const waiting = stored.filter(isNew(now))
    const figures = waiting.flatMap(term => expired.get(term.channel_id) ?? [])
    warnOwners(ctx, after, shorteningOf(ctx.directory, waiting, figures))
  })
}

/** The terms that the settings change. */
async function changedTerms(ctx: Ctx, sql: ISql, now: number): Promise<RetentionTerm[]> {
  const terms = new Map((await readTerms(sql)).map(term => [term.channel_id, term]))
  const next = [...daysOfSettings(ctx)].map(([place, days]) => nextTerm(terms.get(place), place, days, now))
  return next.filter(term => term !== terms.get(term.channel_id))
}

const applied = (channel_id: number, days: number): RetentionTerm => ({
  channel_id,
  days,
  waiting_days: null,
  applies_at: null,
})

/** Whether the shorter time begins to wait now. */
const isNew = (now: number) => (term: RetentionTerm) => term.applies_at?.getTime() === now + shorteningDelayMs

function nextTerm(term: RetentionTerm | undefined, place: number, wanted: number, now: number): RetentionTerm {
  const { days, waiting_days, applies_at } = term ?? applied(place, -1)
  if (!isShorter(wanted, days)) {
    return term && days === wanted && waiting_days === null ? term : applied(place, wanted)
  }
  if (term && waiting_days === wanted && applies_at) {
    return applies_at.getTime() <= now ? applied(place, wanted) : term
  }
  return { channel_id: place, days, waiting_days: wanted, applies_at: new Date(now + shorteningDelayMs) }
}

async function expiredOf(ctx: Ctx, terms: readonly RetentionTerm[]): Promise<Map<number, ExpiredFigures>> {
  if (terms.length === 0) return new Map()
  const limits = terms.map(term => ({
    channelId: term.channel_id,
    before: limitOf(ctx, term.waiting_days ?? -1) ?? new Date(0),
  }))
  return new Map((await expiredFigures(ctx.sql, limits)).map(figures => [figures.channel_id, figures]))
}

function warnOwners(ctx: Ctx, after: After, shortening: Shortening | undefined): void {
  if (!shortening) return
  for (const owner of activeOwners(ctx.directory)) {
    const content = shorteningText(languageOfReader(ctx.directory, owner), shortening, ctx.publicUrl)
    addNotices(after, [{ to: { people: [owner.id] }, content }])
    addMail(ctx, after, owner, { kind: 'retention_shortened', ...shortening })
  }
}
