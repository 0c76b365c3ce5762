import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { deleteScimToken, insertScimToken, scimTokens } from '../../store/accounts/scim-tokens.js'
import { AdminError } from '../admin-error.js'
import { confirmed } from '../confirm.js'
import { type Json, leaf, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { auditCommand } from '../operator.js'
import { print, table } from '../output.js'

/** The commands `scim token …` for the tokens of directories. */
export function addScimCommands(program: Command): void {
  const scim = program
    .command('scim')
    .description('Directories that create, change and remove people and groups (SCIM).')
  const token = scim.command('token').description('Tokens with which directories call /scim/v2.')
  addCreate(token)
  addList(token)
  addRevoke(token)
}

function addCreate(token: Command): void {
  leaf(token, 'create', 'Makes a token, and prints it: this is its only copy.', [
    'scim token create "Entra ID"',
    'scim token create okta --may-change-owners --json',
  ])
    .argument('<name>', 'what it is called here')
    .option(
      '--may-change-owners',
      'the directory may make owners, take the role away, and change their addresses',
      false,
    )
    .action(async (given: string, { mayChangeOwners, json }: { mayChangeOwners: boolean } & Json) => {
      const name = given.trim()
      if (name === '' || name.length > 100) throw new AdminError('A name has 1 to 100 characters.', 'BAD_REQUEST')
      const text = randomBytes(32).toString('base64url')
      await onOrganization(async ({ sql }) => {
        const id = await insertScimToken(sql, text, { name, may_change_owners: mayChangeOwners })
        if (id === undefined) throw new AdminError(`There is a token ${name}.`, 'BAD_REQUEST')
        const after = { may_change_owners: mayChangeOwners }
        await auditCommand(sql, 'scim_token', { subject: { name }, before: null, after })
      })
      print(json, { name, token: text, may_change_owners: mayChangeOwners }, [text])
    })
}

function addList(token: Command): void {
  leaf(token, 'list', 'Lists the tokens, without the tokens themselves.', ['scim token list']).action(
    async ({ json }: Json) => {
      const rows = await onOrganization(({ sql }) => scimTokens(sql))
      const lines = table(
        {
          name: one => one.name,
          created: one => one.created.toISOString(),
          'last use': one => one.last_used?.toISOString() ?? 'never',
          owners: one => (one.may_change_owners ? 'may change' : 'no'),
        },
        rows,
      )
      print(json, rows, lines)
    },
  )
}

function addRevoke(token: Command): void {
  leaf(token, 'revoke', 'Revokes a token at once.', ['scim token revoke okta --yes'])
    .argument('<name>', 'what it is called here')
    .addOption(yes())
    .action(async (name: string, options: { yes: boolean } & Json) => {
      await confirmed(options.yes, `Revoke the token ${name}? The directory that uses it loses access.`)
      await onOrganization(async ({ sql }) => {
        if (!(await deleteScimToken(sql, name))) throw new AdminError(`There is no token ${name}.`, 'NOT_FOUND')
        await auditCommand(sql, 'scim_token', { subject: { name }, before: null, after: { is_revoked: true } })
      })
      print(options.json, { name }, [`${name} is revoked`])
    })
}
