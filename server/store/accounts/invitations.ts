import type { ISql, Tx } from '../driver/db.js'

/** What a new account gets through an invitation. */
export interface InvitationTerms {
  readonly inviter_id: number
  readonly role: number
  readonly created: Date
  /** Null: never. */
  readonly expires: Date | null
  readonly channel_ids: readonly number[]
  readonly group_ids: readonly number[]
  readonly with_default_channels: boolean
  readonly notifies_inviter: boolean
  /** Markdown; null: the organization's text. */
  readonly welcome_text: string | null
}

/** An invitation by mail, or a link (`email` null). Each kind has ids of its own. */
export interface InvitationRow extends InvitationTerms {
  readonly key: string
  readonly id: number
  readonly email: string | null
}

const columns = (sql: ISql) => sql`
  key, id, email, inviter_id, role, created, expires, channel_ids, group_ids, with_default_channels, notifies_inviter, welcome_text`

const isOpen = (sql: ISql, now: Date) => sql`(expires is null or expires > ${now})`

// A text with a null byte would be an error of the database.
const wellFormed = /^[a-z2-7]{24}$/

/**
 * The open invitation or link of this key; undefined: malformed, unknown, used, revoked or expired. A transaction that holds the organization for a change
 * can rely on it, because revocations hold the organization, too.
 */
export async function openInvitation(sql: ISql, key: string, now: Date): Promise<InvitationRow | undefined> {
  if (!wellFormed.test(key)) return undefined
  const [row] = await sql<InvitationRow[]>`
    select ${columns(sql)} from invitations where key = ${key} and ${isOpen(sql, now)}`
  return row
}

/** The newest open invitation of an address; letter case does not count. */
export async function openInvitationTo(sql: ISql, email: string, now: Date): Promise<InvitationRow | undefined> {
  const [row] = await sql<InvitationRow[]>`
    select ${columns(sql)} from invitations where lower(email) = lower(${email}) and ${isOpen(sql, now)}
    order by id desc limit 1`
  return row
}

/** Removes all invitations of an address, because it has an account now. Returns who made them, without repetitions. */
export async function removeInvitationsTo(tx: Tx, email: string): Promise<number[]> {
  const rows = await tx<{ inviter_id: number }[]>`
    delete from invitations where lower(email) = lower(${email}) returning inviter_id`
  return [...new Set(rows.map(row => row.inviter_id))]
}

/** Stores one invitation for each address. `remindAt`: null for never. Returns their ids in the order of the addresses. */
export async function insertInvitations(
  tx: Tx,
  invited: readonly { readonly email: string; readonly key: string }[],
  terms: InvitationTerms,
  remindAt: Date | null,
): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    insert into invitations (${columns(tx)}, remind_at)
    select key, nextval('invitation_ids'), email, ${values(tx, terms)}, ${remindAt}
    from (
      select key, email from unnest(${invited.map(one => one.key)}::text[], ${invited.map(one => one.email)}::text[])
        with ordinality as given (key, email, position) order by position
    ) in_order
    returning id`
  return rows.map(row => row.id)
}

/** Stores a link, and returns its id. */
export async function insertInvitationLink(tx: Tx, key: string, terms: InvitationTerms): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into invitations (${columns(tx)}) select ${key}, nextval('invitation_link_ids'), null, ${values(tx, terms)}
    returning id`
  if (!row) throw new Error('no invitation row came back')
  return row.id
}

const values = (tx: Tx, terms: InvitationTerms) => tx`
  ${terms.inviter_id}::int, ${terms.role}::int, ${terms.created}::timestamptz, ${terms.expires}::timestamptz,
  ${terms.channel_ids as number[]}::int[], ${terms.group_ids as number[]}::int[],
  ${terms.with_default_channels}::boolean, ${terms.notifies_inviter}::boolean, ${terms.welcome_text}::text`

export interface ListedInvitation extends InvitationRow {
  /** Its mail, or its reminder, was given up, and it was not sent again since. */
  readonly has_failed: boolean
}

/** The key of the jobs that mail an invitation: a revocation cancels them. `openInvitations` builds it, too. */
export const invitationKey = (id: number): string => `invitation ${id}`

/** Open invitations by mail, and then open links, each in the order of their ids. `inviterId`: null for those of all accounts. */
export function openInvitations(sql: ISql, inviterId: number | null, now: Date): Promise<ListedInvitation[]> {
  const own = inviterId === null ? sql`true` : sql`inviter_id = ${inviterId}`
  return sql<ListedInvitation[]>`
    select ${columns(sql)}, email is not null and 'invitation ' || id in (
      select key from jobs where kind = 'mail' and state = 'dead' and key is not null
    ) as has_failed
    from invitations where ${own} and ${isOpen(sql, now)} order by email is null, id`
}

/** The mail is sent again: that an earlier one was given up does not count any more. */
export async function forgetFailure(tx: Tx, id: number): Promise<void> {
  await tx`delete from jobs where kind = 'mail' and state = 'dead' and key = ${invitationKey(id)}`
}

/** An open invitation by mail, or a link (`isLink`), that no other transaction changes until this one ends. */
export async function lockInvitation(
  tx: Tx,
  id: number,
  { isLink, now }: { readonly isLink: boolean; readonly now: Date },
): Promise<InvitationRow | undefined> {
  const [row] = await tx<InvitationRow[]>`
    select ${columns(tx)} from invitations where id = ${id} and email is ${isLink ? tx`` : tx`not`} null and ${isOpen(tx, now)}
    for update`
  return row
}

export async function removeInvitation(tx: Tx, key: string): Promise<void> {
  await tx`delete from invitations where key = ${key}`
}

/** Removes what these accounts have made, and returns it. */
export function removeInvitationsOf(
  tx: Tx,
  inviterIds: readonly number[],
): Promise<Pick<InvitationRow, 'id' | 'email'>[]> {
  return tx<Pick<InvitationRow, 'id' | 'email'>[]>`
    delete from invitations where inviter_id = any(${inviterIds as number[]}::int[]) returning id, email`
}

/** How many open invitations by mail and links an account has. */
export async function countOpenInvitations(tx: Tx, inviterId: number, now: Date): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from invitations where inviter_id = ${inviterId} and ${isOpen(tx, now)}`
  return row?.count ?? 0
}

/** Takes at most `most` invitations of which the reminder is due. */
export function takeDueReminders(tx: Tx, now: Date, most: number): Promise<InvitationRow[]> {
  return tx<InvitationRow[]>`
    update invitations set remind_at = null where key in (
      select key from invitations where remind_at <= ${now} order by remind_at limit ${most} for update skip locked
    ) and ${isOpen(tx, now)} returning ${columns(tx)}`
}

/**
 * Counts one more mail today to each of the addresses. Returns those that get more than `most` of them today, spelled as given; a caller
 * that refuses them undoes the transaction.
 */
export async function countInvitationMails(
  tx: Tx,
  emails: readonly string[],
  { now, most }: { readonly now: Date; readonly most: number },
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ email: string }[]>`
    with given as (select email from unnest(${emails as string[]}::text[]) as one (email)),
      counted as (
        insert into invitation_mails (address, day, mails)
        select lower(email), (${now}::timestamptz at time zone 'UTC')::date, 1 from given group by lower(email) order by 1
        on conflict (address) do update set day = excluded.day,
          mails = case when invitation_mails.day = excluded.day then invitation_mails.mails + 1 else 1 end
        returning address, mails
      )
    select email from given join counted on address = lower(email) where mails > ${most}`
  return new Set(rows.map(row => row.email))
}

/** Removes invitations and links that have expired, and the counts of mails of earlier days. */
export async function removeExpiredInvitations(tx: Tx, now: Date): Promise<void> {
  await tx`delete from invitations where expires <= ${now}`
  await tx`delete from invitation_mails where day < (${now}::timestamptz at time zone 'UTC')::date`
}
