import type { Command } from 'commander'
import { deactivateBot } from '../../actions/users/deactivate-bot.js'
import { botStorageFigures } from '../../store/channels/figures.js'
import { accountOf } from '../actor.js'
import { AdminError } from '../admin-error.js'
import { confirmed } from '../confirm.js'
import { type Json, leaf, noun, type RoleName, roleOption, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print, table } from '../output.js'
import { asLines, createAccount } from '../user/create-account.js'
import { described } from '../user/describe.js'

/** The commands `bot …`. */
export function addBotCommands(program: Command): void {
  const bot = noun(program, 'bot', 'Bots, and what they keep.')
  addList(bot)
  addCreate(bot)
  leaf(bot, 'deactivate', 'Deactivates a bot: its sockets and polls end at once. user reactivate brings it back.', [
    'bot deactivate echo-bot@example.com --yes',
  ])
    .argument('<bot>', 'its address or its id')
    .addOption(yes())
    .action(async (name: string, { json, yes }: { yes: boolean } & Json) => {
      const done = await onOrganization(async ctx => {
        const row = accountOf(ctx, name)
        await confirmed(yes, `Deactivate the bot ${row.full_name} (${row.delivery_email})?`)
        await deactivateBot(ctx, row.id)
        return { user_id: row.id, email: row.delivery_email, is_active: false }
      })
      print(json, done, [`${done.email} is deactivated`])
    })
}

function addList(bot: Command): void {
  leaf(bot, 'list', 'Lists bots with their owners and what they keep.', ['bot list', 'bot list --json']).action(
    async ({ json }: Json) => {
      const bots = await onOrganization(async ({ directory, sql }) => {
        const storage = await botStorageFigures(sql)
        const rows = [...directory.users.values()].filter(user => user.is_bot && !user.is_system_bot)
        return rows
          .sort((a, b) => a.id - b.id)
          .map(row => ({
            ...described(row),
            owner: directory.users.get(row.bot_owner_id ?? -1)?.delivery_email ?? null,
            storage_keys: storage.get(row.id)?.keys ?? 0,
            storage_characters: storage.get(row.id)?.characters ?? 0,
          }))
      })
      const lines = table(
        {
          id: one => one.user_id,
          email: one => one.email,
          name: one => one.full_name,
          owner: one => one.owner ?? '-',
          state: one => (one.is_active ? 'active' : 'deactivated'),
          keys: one => one.storage_keys,
          characters: one => one.storage_characters,
        },
        bots,
      )
      print(json, bots, lines)
    },
  )
}

interface NewBot {
  readonly email: string
  readonly fullName: string
  readonly owner: string
  readonly role: RoleName
}

function addCreate(bot: Command): void {
  leaf(bot, 'create', 'Makes a bot and prints its API key.', [
    'bot create --email echo-bot@example.com --full-name "Echo Bot" --owner owner@example.com',
  ])
    .requiredOption('--email <address>', 'its address')
    .requiredOption('--full-name <name>', 'its name')
    .requiredOption('--owner <account>', 'whose it is: address or id')
    .addOption(roleOption('what it may do').default('member'))
    .action(async ({ json, email, fullName, owner, role }: NewBot & Json) => {
      const made = await onOrganization(ctx => {
        const { id, is_bot, is_active } = accountOf(ctx, owner)
        if (is_bot || !is_active) throw new AdminError('A bot belongs to an active person.', 'BAD_OWNER')
        return createAccount(ctx, { email, fullName, role, bot: true, ownerId: id })
      })
      print(json, made, asLines(made))
    })
}
