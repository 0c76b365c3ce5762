import { join, relative } from 'node:path'
import { notificationBot } from '../actions/messages/system-bots.js'
import { withOrganization } from '../admin/offline.js'
import { isEmpty, setupCode } from '../auth/setup-code.js'
import type { Config } from '../config.js'
import type { Ctx } from '../ctx.js'
import type { Log } from '../log.js'
import { hasMessages } from '../store/messages/message-ids.js'
import { changeOrganization, whilePreparing } from '../store/organization/organization-changes.js'
import { emailOf } from './accounts.js'
import { makeAccounts } from './make-accounts.js'
import { makeChannels } from './make-channels.js'
import { makeConversations } from './make-conversations.js'
import { letsPeopleEnter } from './routes.js'

/**
 * Gives an empty database its organization; the supervisor calls it before any worker runs. Does nothing a second time.
 * Returns sentences that tell the operator how to sign in.
 */
export async function prepareOrganization(config: Config, log: Log): Promise<string[]> {
  return withOrganization(config, log, ctx =>
    whilePreparing(ctx.sql, async () => {
      await ctx.directory.fresh()
      await notificationBot(ctx)
      if (!ctx.directory.organization.is_active) return ['This organization is deactivated.']
      if (config.demo && isOpen(ctx)) await prepareDemonstration(ctx)
      return firstSteps(ctx)
    }),
  )
}

function firstSteps({ config, directory, publicUrl }: Ctx): string[] {
  const owner = directory.usersByEmail.get(emailOf('owner'))
  if (owner?.is_active) {
    const file = relative(process.cwd(), join(config.dataDir, 'demo.json'))
    return letsPeopleEnter(config)
      ? [`Open it and click a person to enter the demonstration. Passwords and API keys: ${file}`]
      : [`Open it and sign in as ${emailOf('owner')}. The passwords of the demonstration are in ${file}`]
  }
  if (!isEmpty(directory)) return []
  return [`This organization is empty. Set it up: ${publicUrl}/setup/${setupCode(directory)}/`]
}

/** The organization has no account yet, or an earlier start ended before the demonstration was complete. */
function isOpen({ directory }: Ctx): boolean {
  if (directory.organization.settings.demo_preparing) return true
  return isEmpty(directory)
}

async function prepareDemonstration(ctx: Ctx): Promise<void> {
  ctx.log.info('creating the demonstration organization')
  // `demo_preparing` is no setting of the API: a start that finds it continues the preparation.
  await setUp(ctx, { enable_spectator_access: true, demo_preparing: true })
  const people = await makeAccounts(ctx)
  await makeChannels(ctx, people)
  // After a crash this function runs again, and must not send the messages twice.
  if (!(await hasMessages(ctx.sql))) await makeConversations(ctx, people)
  const channelId = (name: string) => ctx.directory.channelsByName.get(name)?.id
  await setUp(ctx, {
    enable_spectator_access: true,
    moderation_request_channel_id: channelId('moderation'),
    new_stream_announcements_stream_id: channelId('general'),
  })
}

async function setUp(ctx: Ctx, settings: Record<string, unknown>): Promise<void> {
  await ctx.write(async tx => {
    await ctx.directory.hold(tx, 'change')
    await changeOrganization(tx, {
      name: 'Parley demonstration',
      description: 'Made at the first start, to look around in.',
      settings,
    })
  })
  await ctx.directory.fresh()
}
