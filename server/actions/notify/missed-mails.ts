import type { Ctx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { missedKey, missedKeyPrefix, missedMessages } from '../../job-types/notify.js'
import { userSetting } from '../../policies/settings.js'
import type { Tx } from '../../store/driver/db.js'
import { cancelJobs } from '../../store/jobs/jobs.js'
import {
  addMissed,
  holdMissedMails,
  holdMissedMailsWithoutJob,
  type MissedMessage,
} from '../../store/notify/missed-messages.js'

/** Has the messages mailed to those who are idle, at the end of their batching periods. */
export async function addMissedMails(
  { clock, directory }: Ctx,
  tx: Tx,
  after: After,
  notified: readonly (MissedMessage & { readonly isIdle: boolean })[],
): Promise<void> {
  const now = new Date(clock.now())
  const missed = notified.filter(one => one.isIdle)
  for (const id of await addMissed(tx, missed, now)) {
    const user = directory.users.get(id)
    const seconds = user ? userSetting(user, 'email_notifications_batching_period_seconds') : 0
    mailAt(after, id, endOf(now, seconds))
  }
}

/** The batching period of these users has changed: pending mails move to the end of the new one, which began when the old one did. */
export async function moveMissedMails(
  tx: Tx,
  after: After,
  userIds: readonly number[],
  seconds: number,
): Promise<void> {
  const waiting = await holdMissedMails(tx, userIds)
  if (waiting.length === 0) return
  await cancelJobs(
    tx,
    waiting.map(one => missedKey(one.user_id)),
  )
  for (const { user_id, since } of waiting) mailAt(after, user_id, endOf(since, seconds))
}

/** Adds jobs, due at once, for mails that wait without one: theirs is dead, or was discarded. */
export async function addRemainingMails(tx: Tx, after: After): Promise<void> {
  for (const { user_id, since } of await holdMissedMailsWithoutJob(tx, missedKeyPrefix)) mailAt(after, user_id, since)
}

/** Adds the job that mails what a user has missed. */
export const mailAt = (after: After, user: number, at: Date): void =>
  after(missedMessages, { user }, { key: missedKey(user), at })

const endOf = (since: Date, seconds: number): Date => new Date(since.getTime() + seconds * 1000)
