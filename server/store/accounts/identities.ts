import type { ISql, Tx } from '../driver/db.js'

/** A person of an identity provider, and the account that it has. */
interface IdentityRow {
  readonly subject: string
  readonly user_id: number
}

interface Person {
  readonly provider: string
  readonly subject: string
}

/** The link of this person, and the link of this account with a person of the same provider. `userId`: null: there is no account. */
export async function linksOf(
  sql: ISql,
  { provider, subject }: Person,
  userId: number | null,
): Promise<readonly IdentityRow[]> {
  return sql<IdentityRow[]>`
    select subject, user_id from identities where provider = ${provider} and subject = ${subject}
    union
    select subject, user_id from identities where provider = ${provider} and user_id = ${userId}`
}

/** Links a person with an account; neither has a link yet. The transaction holds the organization. */
export async function insertLink(tx: Tx, { provider, subject }: Person, userId: number): Promise<void> {
  await tx`
    insert into identities (provider, subject, user_id) values (${provider}, ${subject}, ${userId})`
}

/** The account of a person; undefined: it has none. */
export async function accountOfPerson(sql: ISql, { provider, subject }: Person): Promise<number | undefined> {
  const [row] = await sql<{ user_id: number }[]>`
    select user_id from identities where provider = ${provider} and subject = ${subject}`
  return row?.user_id
}

interface LinkRow extends Person {
  readonly date_linked: Date
}

/** The links of an account, in the order of the providers. */
export function linksOfAccount(sql: ISql, userId: number): Promise<LinkRow[]> {
  return sql<LinkRow[]>`
    select provider, subject, date_linked from identities where user_id = ${userId} order by provider`
}

/** Removes the link of an account with a provider. False: there is none. */
export async function deleteLink(tx: Tx, userId: number, provider: string): Promise<boolean> {
  const rows = await tx`delete from identities where user_id = ${userId} and provider = ${provider} returning 1`
  return rows.length > 0
}

/** Removes the links of an account whose personal data are deleted, and what a directory calls it. */
export async function deleteLinks(tx: Tx, userId: number): Promise<void> {
  await tx`
    with called as (delete from provisioned_users where user_id = ${userId})
    delete from identities where user_id = ${userId}`
}
