import { Argument, type Command } from 'commander'
import { type GrantableRight, grantableRights, grantRight } from '../../actions/users/grant-right.js'
import { type Json, leaf } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print } from '../output.js'

/** The commands `user grant` and `user withdraw` for rights that no role includes. */
export function addRightsCommands(user: Command): void {
  const add = (name: string, description: string, isGranted: boolean) =>
    leaf(user, name, description, [`user ${name} can_create_users --email owner@example.com`])
      .addArgument(new Argument('<right>', 'what it may do').choices(grantableRights))
      .requiredOption('--email <address>', 'whose')
      .action(async (right: GrantableRight, { email, json }: { email: string } & Json) => {
        const row = await onOrganization(ctx => grantRight(ctx, email, right, isGranted))
        const { can_create_users, can_change_user_emails } = row
        const account = { user_id: row.id, email: row.delivery_email, can_create_users, can_change_user_emails }
        print(json, account, [`${row.delivery_email} ${isGranted ? 'has' : 'has no longer'} ${right}`])
      })
  add('grant', 'Grants an account a right that comes with no role.', true)
  add('withdraw', 'Takes such a right away again.', false)
}
