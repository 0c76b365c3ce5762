import { Argument, type Command } from 'commander'
import { type GrantableRight, grantableRights, grantRight } from '../actions/users/grant-right.js'
import { onOrganization, print } from './on-organization.js'

/** `user grant` and `user withdraw`: rights that no role brings with it. */
export function addRightsCommands(user: Command): void {
  const right = () => new Argument('<right>', 'what it may do').choices(grantableRights)
  const add = (name: string, description: string, isGranted: boolean) =>
    user
      .command(name)
      .description(description)
      .addArgument(right())
      .requiredOption('--email <address>', 'whose')
      .option('--json', 'print one JSON object', false)
      .action(async (right: GrantableRight, { email, json }: { email: string; json: boolean }) => {
        const row = await onOrganization(ctx => grantRight(ctx, email, right, isGranted))
        const { can_create_users, can_change_user_emails } = row
        const account = { user_id: row.id, email: row.delivery_email, can_create_users, can_change_user_emails }
        print(json, account, [`${row.delivery_email} ${isGranted ? 'has' : 'has no longer'} ${right}`])
      })
  add('grant', 'Grants somebody a right that comes with no role.', true)
  add('withdraw', 'Takes such a right away again.', false)
}
