import type { Command } from 'commander'
import { regenerateApiKey } from '../../actions/users/regenerate-api-key.js'
import type { Ctx } from '../../ctx.js'
import type { UserRow } from '../../store/users/users.js'
import { accountOf } from '../actor.js'
import { AdminError } from '../admin-error.js'
import { confirmed } from '../confirm.js'
import { type Json, leaf, noun, type RoleName, roleOption, roles, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { type Columns, print, table } from '../output.js'

interface Rotation {
  readonly role?: RoleName
  readonly bots: boolean
  readonly yes: boolean
}

/** The commands `key …` for API keys. No command prints a key that is in use. */
export function addKeyCommands(program: Command): void {
  const key = noun(program, 'key', 'API keys. None that is in use is ever shown.')
  leaf(key, 'rotate', 'Gives an account another API key, or all accounts of a role; the former keys end at once.', [
    'key rotate amir@example.com --yes',
    'key rotate --role administrator --yes --json',
    'key rotate --role member --bots',
  ])
    .argument('[account]', 'its address or its id')
    .addOption(roleOption('all active accounts of this role'))
    .option('--bots', 'with --role: bots alone', false)
    .addOption(yes())
    .action(async (name: string | undefined, { json, ...options }: Rotation & Json) => {
      if ((name === undefined) === (options.role === undefined)) {
        throw new AdminError('Name the account of the key, or give --role.', 'WHOSE_KEY')
      }
      const rotated: NewKey[] = []
      try {
        await onOrganization(ctx => rotate(ctx, name, options, rotated))
      } finally {
        // Prints also after a failure: the keys rotated so far are valid, and this output is their only copy.
        if (rotated.length > 0) print(json, rotated, table(columns, rotated, undefined))
      }
    })
}

interface NewKey {
  readonly user_id: number
  readonly email: string
  readonly api_key: string
}

const columns: Columns<NewKey> = { id: one => one.user_id, email: one => one.email, 'API key': one => one.api_key }

async function rotate(ctx: Ctx, name: string | undefined, options: Rotation, rotated: NewKey[]): Promise<void> {
  const users = name === undefined ? activeOf([...ctx.directory.users.values()], options) : [accountOf(ctx, name)]
  if (users.some(user => !user.is_active)) throw new AdminError('The account is deactivated.', 'DEACTIVATED')
  if (users.length === 0) throw new AdminError('There is no such account.', 'NOT_FOUND')
  const whose = name === undefined ? `${users.length} accounts (${options.role})` : users[0]?.delivery_email
  await confirmed(options.yes, `Give ${whose} another API key? Clients with the former one lose access.`)
  for (const { id, delivery_email } of users) {
    rotated.push({ user_id: id, email: delivery_email, api_key: await regenerateApiKey(ctx, id) })
  }
}

function activeOf(users: readonly UserRow[], { role, bots }: Rotation): UserRow[] {
  return users
    .filter(
      user => role && user.role === roles[role] && user.is_active && !user.is_system_bot && (user.is_bot || !bots),
    )
    .sort((a, b) => a.id - b.id)
}
