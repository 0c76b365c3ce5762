import type { ISql, Tx } from '../driver/db.js'

/** The name of an account without profile. */
export const deletedName = (userId: number): string => `Deleted user ${userId}`

/** For `like`: JSON with this value. It has its quotes, because another address may end with this one. */
export const valuePattern = (address: string): string => `%${JSON.stringify(address).replace(/[\\%_]/g, '\\$&')}%`

/** Deletes mails that are not sent yet, or failed, with the address (lower case) or the name. */
export async function deleteMailsWith(
  tx: Tx,
  { address, name }: { readonly address: string; readonly name: string },
): Promise<void> {
  const escaped = JSON.stringify(name).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  await tx`
    delete from jobs where kind = 'mail' and (lower(payload::text) like ${valuePattern(address)}
      or payload::text ~ ${`("(sender|inviter|by)":|[\\[,])${escaped}[\\],}]`})`
}

/**
 * Jobs of the account, and mails and notices that mention it by a former name: those that wait, and those that no worker tries again. Not the job
 * of the erasure itself, and not that of an ended queue, which may still be added, and ends after seconds.
 */
export const jobsOf = (sql: ISql, userId: number) => sql`
  not is_periodic and kind not in ('erase-user', 'last-queue') and (
    payload::text ~ ${`"(user|user_id|userId|sender_id)":${userId}[,}]`}
    or (kind = 'mail' and payload::text ~ ${`data-user-id=\\\\"${userId}\\\\">(?!@?${deletedName(userId)}<)`})
    or (kind = 'notice' and payload::text ~ ${`@_?\\*\\*(?!${deletedName(userId)}\\|)[^*]+\\|${userId}\\*\\*`}))`

/** After the mentions have their new name (`renameMentions`): until then workers may write mails with the former one. */
export async function deleteJobsOf(sql: ISql, userId: number): Promise<void> {
  await sql`delete from jobs where ${jobsOf(sql, userId)}`
}
