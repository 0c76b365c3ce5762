import type { Command } from 'commander'
import { type Json, leaf, roleOption } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print } from '../output.js'
import { asLines, createAccount, type NewAccount } from './create-account.js'

/** The command `user create`. */
export function addCreate(user: Command): void {
  leaf(user, 'create', 'Makes an account and prints how to sign in to it.', [
    'user create --email owner@example.com --full-name "Olga Ownby" --role owner',
  ])
    .requiredOption('--email <address>', 'its email address')
    .requiredOption('--full-name <name>', 'its name as people see it')
    .addOption(roleOption('what it may do').makeOptionMandatory())
    .option('--bot', 'it is a bot', false)
    .action(async ({ json, ...account }: NewAccount & Json) => {
      const credentials = await onOrganization(ctx => createAccount(ctx, account))
      print(json, credentials, asLines(credentials))
    })
}
