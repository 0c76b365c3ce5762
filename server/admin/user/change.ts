import type { Command } from 'commander'
import { changeAddress } from '../../actions/users/change-address.js'
import { updateUser } from '../../actions/users/update-user.js'
import { accountOf, actorOf } from '../actor.js'
import { AdminError } from '../admin-error.js'
import { actsAs, type Json, leaf, type RoleName, roleOption, roles } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print } from '../output.js'
import { described } from './describe.js'

interface Change {
  readonly fullName?: string
  readonly role?: RoleName
  readonly email?: string
  readonly as?: string
}

/** The command `user change`. */
export function addChange(user: Command): void {
  leaf(user, 'change', "Changes an account's name, role or address; clients that may see it are notified.", [
    'user change amir@example.com --role moderator',
    'user change 17 --full-name "Amir Peterson" --email amir.peterson@example.com',
  ])
    .argument('<account>', 'its address or its id')
    .option('--full-name <name>', 'its new name')
    .addOption(roleOption('its new role'))
    .option('--email <address>', 'its new address, without confirmation')
    .addOption(actsAs())
    .action(async (name: string, { json, ...change }: Change & Json) => {
      const { fullName: full_name, role, email } = change
      if (full_name === undefined && role === undefined && email === undefined) {
        throw new AdminError('Nothing to change: give --full-name, --role or --email.', 'NOTHING_TO_CHANGE')
      }
      const changed = await onOrganization(async ctx => {
        const { id } = accountOf(ctx, name)
        if (full_name !== undefined || role !== undefined) {
          await updateUser(ctx, actorOf(ctx, change.as), { id }, { full_name, role: role && roles[role] })
        }
        if (email !== undefined) await changeAddress(ctx, id, email)
        return described(accountOf(ctx, String(id)))
      })
      print(json, changed, [`${changed.email} is ${changed.full_name}, ${changed.role}`])
    })
}
