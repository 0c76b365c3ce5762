import { isEmail } from '../../actions/accounts/account-details.js'
import { nameFor } from '../../actions/accounts/name-for.js'
import { insertAccount } from '../../actions/accounts/new-account.js'
import { announceAccount } from '../../actions/joining/join.js'
import { emailGateway, notificationBot, welcomeBot } from '../../actions/messages/system-bots.js'
import { deactivate } from '../../actions/users/deactivate.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { isReserved } from '../../policies/joining.js'
import { administrator, guest, member, moderator } from '../../policies/roles.js'
import { realmSetting } from '../../policies/settings.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { insertImportFiles, type NewImportFile } from '../../store/imports/import-files.js'
import { type ImportObject, setPeople } from '../../store/imports/import-objects.js'
import { markImportedRead } from '../../store/imports/imported-messages.js'
import type { ImportRow } from '../../store/imports/imports.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { isEmailTaken, type UserRow } from '../../store/users/users.js'
import { isTimeZone } from '../../text/time-zone.js'
import type { Person } from '../source.js'
import { placeOf } from './files-in.js'

// Accounts per transaction: it holds the organization, so other changes wait.
const together = 25

/**
 * Finds or makes the accounts of the people of an archive. An account with the address of a person is that person, and keeps its name, role
 * and picture. All messages of the import count as read for them.
 */
export async function importPeople(
  ctx: Ctx,
  row: ImportRow,
  { objects, people }: { readonly objects: readonly ImportObject[]; readonly people: readonly Person[] },
): Promise<void> {
  const listed = new Map(people.map(one => [one.key, one]))
  const wanted = objects.filter(one => one.kind === 'person')
  const missing = wanted.filter(one => one.object_id === null)
  const system = await systemAccounts(ctx, people)
  for (let i = 0; i < missing.length; i += together) {
    const batch = missing.slice(i, i + together).map(one => listed.get(one.key) ?? unlisted(one))
    await ctx.directory.fresh()
    await ctx.write(async (tx, emit) => {
      await ctx.directory.hold(tx, 'change')
      const accounts = await accountsOf(ctx, tx, emit, { people: batch, source: row.source, system })
      await setPeople(tx, row.id, accounts)
      const made = new Set(accounts.filter(one => one.isNew).map(one => one.key))
      await insertImportFiles(tx, row.id, picturesOf(batch.filter(one => made.has(one.key))))
      await markImportedRead(tx, [...new Set(accounts.map(one => one.id))], row.first_id, row.last_id)
    })
  }
  const known = wanted.flatMap(one => one.object_id ?? [])
  for (let i = 0; i < known.length; i += together) {
    const ids = known.slice(i, i + together)
    await ctx.sql.begin(tx => markImportedRead(tx, ids, row.first_id, row.last_id))
  }
  await ctx.directory.fresh()
}

/** An account that was here keeps its picture. */
const picturesOf = (people: readonly Person[]): NewImportFile[] =>
  people.flatMap(({ key, name, picture }): NewImportFile[] =>
    picture === null
      ? []
      : [
          {
            message_id: null,
            copy_id: null,
            person: key,
            name,
            label: '',
            bytes: picture.bytes,
            line: '',
            ...placeOf(picture),
          },
        ],
  )

/** A sender that no list of the archive has. */
const unlisted = ({ key, name, is_bot: isBot }: ImportObject): Person => ({
  key,
  name: name ?? key,
  address: null,
  isBot,
  isActive: false,
  rank: 'member',
  timezone: '',
  picture: null,
})

type SystemAccounts = ReadonlyMap<Required<Person>['system'], number>

const systemBots = { notifications: notificationBot, welcome: welcomeBot, mails: emailGateway } as const

/** The accounts that do here what the server itself did there. */
async function systemAccounts(ctx: Ctx, people: readonly Person[]): Promise<SystemAccounts> {
  const wanted = new Set(people.flatMap(({ system }) => system ?? []))
  const found = new Map<Required<Person>['system'], number>()
  for (const one of wanted) found.set(one, (await systemBots[one](ctx)).id)
  return found
}

interface Account {
  readonly key: string
  readonly id: number
  readonly isNew: boolean
}

/** The transaction holds the organization for a change. */
async function accountsOf(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  {
    people,
    source,
    system,
  }: { readonly people: readonly Person[]; readonly source: string; readonly system: SystemAccounts },
): Promise<Account[]> {
  const { directory } = ctx
  const accounts: Account[] = []
  const made: { readonly row: UserRow; readonly isActive: boolean }[] = []
  const byAddress = new Map<string, number>()
  for (const person of people) {
    const address = addressOf(person)
    const known =
      (person.system && system.get(person.system)) ??
      (address && (byAddress.get(address.toLowerCase()) ?? personWith(directory, address)?.id))
    if (known) {
      accounts.push({ key: person.key, id: known, isNew: false })
      continue
    }
    // A bot may have the address, and the database compares some letters in another way.
    const isFree = address !== null && !(await isEmailTaken(tx, address, null))
    const placeholder = placeholderFor(
      person.key,
      source,
      email => directory.usersByEmail.has(email) || byAddress.has(email),
    )
    const email = isFree ? address : placeholder
    const row = await insertAccount(tx, directory, {
      email,
      fullName: nameFor(namesTaken(directory, made), { fullName: person.name, email: placeholder }, null),
      role: roleOf(person),
      passwordHash: null,
      timezone: isTimeZone(person.timezone) ? person.timezone : '',
      ...(person.isBot && { bot: { ownerId: null } }),
    })
    made.push({ row, isActive: person.isActive && isFree })
    byAddress.set(email.toLowerCase(), row.id)
    accounts.push({ key: person.key, id: row.id, isNew: true })
  }
  await announceAll(ctx, tx, emit, made)
  return accounts
}

async function announceAll(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  made: readonly { readonly row: UserRow; readonly isActive: boolean }[],
): Promise<void> {
  if (made.length === 0) return
  const after = ctx.directory.preview({ users: made.map(one => one.row) })
  for (const { row } of made) announceAccount(ctx, emit, row, after)
  const users = made.filter(one => !one.isActive).map(one => one.row)
  if (users.length === 0) return
  await deactivate({ ...ctx, directory: after }, tx, emit, { users, version: await bumpVersion(tx) })
}

/** Names have to differ only where the organization says so: a copy of the directory costs time. */
const namesTaken = (directory: Directory, made: readonly { readonly row: UserRow }[]): Directory =>
  realmSetting(directory, 'require_unique_names') && made.length > 0
    ? directory.preview({ users: made.map(one => one.row) })
    : directory

/** A person's account with this address. */
function personWith(directory: Directory, address: string): UserRow | undefined {
  const user = directory.usersByEmail.get(address.toLowerCase())
  return isPerson(user) ? user : undefined
}

/** Whether a person of an archive can have this account: no bot, and not erased. */
export const isPerson = (user: UserRow | undefined): user is UserRow =>
  user !== undefined && !user.is_bot && !user.is_deleted

/** The address with which the person signs in; null: the account has a placeholder. */
function addressOf({ address, isBot }: Person): string | null {
  const email = address?.trim() ?? ''
  return isBot || !isEmail(email) || isReserved(email) ? null : email
}

/** An address to which no mail leads. */
function placeholderFor(key: string, source: string, isTaken: (email: string) => boolean): string {
  const local = key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
  for (let n = 1; ; n++) {
    const email = `${local}${n === 1 ? '' : `-${n}`}@${source.toLowerCase()}.invalid`
    if (!isTaken(email)) return email
  }
}

/** No person becomes an owner by an archive. */
const roleOf = ({ rank, isBot }: Person): number => (isBot ? member : roles[rank])

const roles = { administrator, moderator, member, guest } as const
