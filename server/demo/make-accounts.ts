import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { landingStep, welcomeStep } from '../../shared/resources/onboarding-step.js'
import { newPassword } from '../actions/accounts/new-secrets.js'
import { createGroup } from '../actions/groups/create-group.js'
import { setAvatar } from '../actions/pictures/avatar.js'
import { changeOwnSettings } from '../actions/settings/change-own.js'
import { changeOwnStatus } from '../actions/users/change-status.js'
import { createUser } from '../actions/users/create.js'
import { grantableRights, grantRight } from '../actions/users/grant-right.js'
import { markOnboardingStep } from '../actions/users/mark-onboarding-step.js'
import { hashPassword } from '../auth/passwords.js'
import type { Ctx } from '../ctx.js'
import { inheritOwner } from '../disk/owned-paths.js'
import { FilePart } from '../params/file-part.js'
import { setPasswordHash, type UserRow } from '../store/users/users.js'
import { type AccountName, accounts, type DemoAccount, emailOf } from './accounts.js'
import { readPicture } from './pictures.js'

// The name of the sending program: that of this server.
const client = 'Parley'

export type People = ReadonlyMap<AccountName, UserRow>

/** Makes the accounts that are missing, and writes how to sign in to each to `DATA_DIR/demo.json`. */
export async function makeAccounts(ctx: Ctx): Promise<People> {
  const people = new Map<AccountName, UserRow>()
  const credentials: Record<string, unknown>[] = []
  for (const account of accounts) {
    const isBot = 'isBot' in account
    const password = isBot ? null : newPassword()
    const user = await ensureAccount(ctx, account, password, people.get('owner')?.id ?? null)
    people.set(account.name, user)
    credentials.push({
      email: user.delivery_email,
      api_key: user.api_key,
      password,
      user_id: user.id,
      role: user.role,
      is_bot: user.is_bot,
    })
  }
  await grantOwner(ctx)
  await saveCredentials(ctx.config.dataDir, credentials)
  await ctx.directory.fresh()
  for (const account of accounts) await describe(ctx, account, people.get(account.name))
  await makeGroup(ctx, people)
  return people
}

/** A group that a message mentions. */
async function makeGroup(ctx: Ctx, people: People): Promise<void> {
  const name = 'on-call'
  const user = people.get('owner')
  if (!user || [...ctx.directory.groups.values()].some(group => group.name === name)) return
  const members = (['engineer', 'operator'] as const).flatMap(member => people.get(member)?.id ?? [])
  await createGroup(
    ctx,
    { user, client },
    { name, description: 'Who answers at night.', members, subgroups: [], settings: {} },
  )
}

/** Gives the account its picture, and the person time zone and status, without the welcome of new accounts. */
async function describe(ctx: Ctx, account: DemoAccount, user: UserRow | undefined): Promise<void> {
  if (!user) return
  const actor = { user, client }
  const picture = `${account.name}.png`
  const file = new FilePart(picture, 'image/png', await readPicture(picture))
  await setAvatar(ctx, actor, [file], new AbortController().signal)
  if (!('isBot' in account)) for (const step of [welcomeStep, landingStep]) await markOnboardingStep(ctx, actor, step)
  if (account.timezone) await changeOwnSettings(ctx, actor, { settings: {}, timezone: account.timezone })
  if (account.status) await changeOwnStatus(ctx, actor, account.status)
}

/** So that all there is can be tried: no role brings these rights with it. */
async function grantOwner(ctx: Ctx): Promise<void> {
  for (const right of grantableRights) await grantRight(ctx, emailOf('owner'), right, true)
}

async function ensureAccount(
  ctx: Ctx,
  account: (typeof accounts)[number],
  password: string | null,
  ownerId: number | null,
): Promise<UserRow> {
  const { name, fullName, role } = account
  const email = emailOf(name)
  const known = ctx.directory.usersByEmail.get(email)
  if (!known) {
    const bot = 'isBot' in account ? { bot: { ownerId } } : {}
    return await createUser(ctx, { email, fullName, role, password, isQuiet: true, ...bot })
  }
  // Left by a start that was cut off before the passwords were written down.
  if (password !== null) {
    const hash = await ctx.workLimits.passwordHashes.run(() => hashPassword(password))
    await setPasswordHash(ctx.sql, known.id, hash)
  }
  return known
}

/** Writes the whole file or nothing, readable only by its owner. */
async function saveCredentials(dataDir: string, credentials: readonly Record<string, unknown>[]): Promise<void> {
  const file = join(dataDir, 'demo.json')
  const lines = credentials.map(one => `  ${JSON.stringify(one)}`).join(',\n')
  await writeFile(`${file}.new`, `[\n${lines}\n]\n`, { mode: 0o600 })
  await inheritOwner(`${file}.new`)
  await rename(`${file}.new`, file)
}
