import type { Ctx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { outgoingWebhook } from '../../job-types/outgoing-webhook.js'
import type { Directory } from '../../memory/directory.js'
import { isCalled } from '../../policies/bots.js'
import type { Tx } from '../../store/driver/db.js'
import { mentionedIn } from '../../store/notify/mentioned-users.js'
import type { UndecidedMessage } from '../../store/notify/undecided-messages.js'

/**
 * Has the servers of outgoing webhooks called for messages of people that mention the bot in a channel, or are to it. Runs in the transaction that
 * decides who is notified, so each message calls a bot once.
 */
export async function callBots(
  { directory }: Pick<Ctx, 'directory'>,
  tx: Tx,
  after: After,
  messages: readonly UndecidedMessage[],
): Promise<void> {
  const bots = directory.derived(calledBots)
  if (bots.size === 0) return
  const said = messages.filter(({ sender_id, isEdit }) => !isEdit && directory.users.get(sender_id)?.is_bot === false)
  for (const { id: message_id, participants } of said) {
    for (const bot_id of participants ?? [])
      if (bots.has(bot_id)) after(outgoingWebhook, { bot_id, message_id, trigger: 'direct_message' })
  }
  const inChannels = said.filter(({ channel_id }) => channel_id !== null).map(({ id }) => id)
  if (inChannels.length === 0) return
  // A bot need not be subscribed, so the flags of the message do not name it.
  for (const { message_id, user_id: bot_id } of await mentionedIn(tx, inChannels, [...bots]))
    after(outgoingWebhook, { bot_id, message_id, trigger: 'mention' })
}

const calledBots = ({ users }: Directory): ReadonlySet<number> =>
  new Set([...users.values()].filter(isCalled).map(({ id }) => id))
