import type { WorkerCtx } from '../../ctx.js'
import { mail } from '../../job-types/mail.js'
import { realmSetting, userSetting } from '../../policies/settings.js'
import { firstMessageIdSince } from '../../store/messages/message-ids.js'
import * as store from '../../store/personal/digests.js'
import type { UserRow } from '../../store/users/users.js'
import { DigestContents } from './digest-contents.js'

const dayMs = 86_400_000
const awayDays = 5
const pauseMs = dayMs / 2
// So many readers get their mails in one transaction.
const readersAtOnce = 200

/**
 * Mails a digest to each person who was away for five days, on the weekday of the organization. A person gets none within twelve hours of
 * the last one, so a run may be repeated. Texts of messages are in it: people whose mails have none get no digest.
 */
export async function sendDigests(ctx: WorkerCtx, signal: AbortSignal): Promise<void> {
  const { directory } = ctx
  const now = ctx.clock.now()
  await directory.fresh()
  if (!isDay(ctx, now)) return
  const since = new Date(now - awayDays * dayMs)
  const readers = await possibleReaders(ctx, since)
  if (readers.length === 0) return
  const period = { since, firstId: await firstMessageIdSince(ctx.sql, since), lastDigest: new Date(now - pauseMs) }
  const contents = await DigestContents.of(ctx, period)
  for (let from = 0; from < readers.length && !signal.aborted; from += readersAtOnce) {
    const away = new Set(
      await store.awayAmong(
        ctx.sql,
        readers.slice(from, from + readersAtOnce).map(user => user.id),
        period,
      ),
    )
    await mailTo(
      ctx,
      readers.filter(user => away.has(user.id)),
      { contents, now: new Date(now), lastDigest: period.lastDigest },
    )
  }
}

function isDay({ directory }: WorkerCtx, now: number): boolean {
  if (!directory.organization.is_active || !realmSetting(directory, 'digest_emails_enabled')) return false
  if (!realmSetting(directory, 'message_content_allowed_in_email_notifications')) return false
  // The setting counts from Monday.
  return (new Date(now).getUTCDay() + 6) % 7 === realmSetting(directory, 'digest_weekday')
}

/** People who want digests, and were neither new nor present in the period. */
async function possibleReaders({ directory, presence }: WorkerCtx, since: Date): Promise<UserRow[]> {
  const wanting = [...directory.users.values()].filter(
    user =>
      user.is_active &&
      !user.is_bot &&
      user.date_joined < since &&
      userSetting(user, 'enable_digest_emails') &&
      userSetting(user, 'message_content_in_email_notifications'),
  )
  if (wanting.length === 0) return []
  const seen = await presence.exchange(null, { since: since.getTime() / 1000 }, 0)
  return wanting.filter(user => !seen.users.has(user.id))
}

interface Mailing {
  readonly contents: DigestContents
  readonly now: Date
  readonly lastDigest: Date
}

async function mailTo(ctx: WorkerCtx, away: readonly UserRow[], { contents, ...times }: Mailing): Promise<void> {
  const found = await contents.for(away)
  if (found.size === 0) return
  await ctx.write(async (tx, _emit, { after }) => {
    const noted = await store.noteDigests(tx, [...found.keys()], times)
    for (const user of away) {
      const content = found.get(user.id)
      if (!content || !noted.has(user.id)) continue
      const language = userSetting(user, 'default_language')
      after(mail, { to: user.delivery_email, language, content, unsubscribe: { kind: 'digest', user_id: user.id } })
    }
  })
}
