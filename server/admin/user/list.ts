import type { Command } from 'commander'
import type { UserRow } from '../../store/users/users.js'
import { type Json, leaf, type Paged, paged, pageOf, type RoleName, roleOption, roles } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print, rest, table } from '../output.js'
import { columns, described } from './describe.js'

interface Filters {
  readonly role?: RoleName
  readonly search?: string
  readonly active: boolean
  readonly deactivated: boolean
  readonly bots: boolean
  readonly people: boolean
}

/** The command `user list`. */
export function addList(user: Command): void {
  paged(
    leaf(user, 'list', 'Lists accounts by their ids.', [
      'user list --role guest --active',
      'user list --search "amir" --limit 20 --offset 40',
    ]),
  )
    .addOption(roleOption('of this role only'))
    .option('--search <text>', 'name or address has this in it, whatever the case')
    .option('--active', 'only active ones', false)
    .option('--deactivated', 'only deactivated ones', false)
    .option('--bots', 'only bots', false)
    .option('--people', 'no bots', false)
    .action(async ({ json, ...options }: Filters & Paged & Json) => {
      const all = await onOrganization(async ({ directory }) =>
        [...directory.users.values()].filter(one => isWanted(one, options)).sort((a, b) => a.id - b.id),
      )
      const users = pageOf(all, options).map(described)
      const lines = [...table(columns, users), ...rest(users.length, all.length, options.offset)]
      print(json, { total: all.length, users }, lines)
    })
}

function isWanted(user: UserRow, { role, search, active, deactivated, bots, people }: Filters): boolean {
  if (user.is_system_bot) return false
  if (role && user.role !== roles[role]) return false
  if ((active && !user.is_active) || (deactivated && user.is_active)) return false
  if ((bots && !user.is_bot) || (people && user.is_bot)) return false
  const text = search?.toLowerCase() ?? ''
  return `${user.full_name}\n${user.delivery_email}`.toLowerCase().includes(text)
}
