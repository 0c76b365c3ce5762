import type { Command } from 'commander'
import { linkAccount, unlinkAccount } from '../../actions/sign-in/change-links.js'
import { linksOfAccount } from '../../store/accounts/identities.js'
import { accountOf } from '../actor.js'
import { AdminError } from '../admin-error.js'
import { confirmed } from '../confirm.js'
import { type Json, leaf, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print, table } from '../output.js'

/** The commands `user identities …`: which people of identity providers have which account. */
export function addIdentities(user: Command): void {
  const identities = user.command('identities').description('Links between accounts and people of identity providers.')
  addList(identities)
  addLink(identities)
  addUnlink(identities)
}

function addList(identities: Command): void {
  leaf(identities, 'list', 'Lists the links of an account.', ['user identities list amir@example.com'])
    .argument('<account>', 'its address or its id')
    .action(async (name: string, { json }: Json) => {
      const links = await onOrganization(ctx => linksOfAccount(ctx.sql, accountOf(ctx, name).id))
      const lines = table(
        {
          provider: one => one.provider,
          subject: one => one.subject,
          linked: one => one.date_linked.toISOString(),
        },
        links,
      )
      print(json, links, lines)
    })
}

function addLink(identities: Command): void {
  leaf(identities, 'link', 'Links an account with a person of a provider, which can sign in to it from then on.', [
    'user identities link amir@example.com oidc:company 4f1c-9b',
  ])
    .argument('<account>', 'its address or its id')
    .argument('<provider>', 'ldap, or oidc: and the id of the provider')
    .argument('<subject>', 'the id of the person at the provider')
    .action(async (name: string, given: string, subject: string, { json }: Json) => {
      const provider = providerOf(given)
      const userId = await onOrganization(async ctx => {
        const { id } = accountOf(ctx, name)
        await linkAccount(ctx, { userId: id, provider, subject })
        return id
      })
      print(json, { user_id: userId, provider, subject }, [`${name} is linked with ${subject} of ${provider}`])
    })
}

function addUnlink(identities: Command): void {
  leaf(identities, 'unlink', 'Removes a link, and ends the sessions of the account.', [
    'user identities unlink amir@example.com oidc:company --yes',
  ])
    .argument('<account>', 'its address or its id')
    .argument('<provider>', 'ldap, or oidc: and the id of the provider')
    .addOption(yes())
    .action(async (name: string, given: string, options: { yes: boolean } & Json) => {
      const provider = providerOf(given)
      await confirmed(options.yes, `Remove the link of ${name} with ${provider}, and end its sessions?`)
      const userId = await onOrganization(async ctx => {
        const { id } = accountOf(ctx, name)
        await unlinkAccount(ctx, { userId: id, provider })
        return id
      })
      print(options.json, { user_id: userId, provider }, [`${name} has no link with ${provider}`])
    })
}

function providerOf(given: string): string {
  if (/^(?:ldap|oidc:[a-z0-9-]+)$/.test(given)) return given
  throw new AdminError('A provider is ldap, or oidc: and its id in the settings.', 'BAD_REQUEST')
}
