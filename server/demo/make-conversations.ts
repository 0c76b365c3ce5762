import { actOnWidget } from '../actions/messages/act-on-widget.js'
import { addReaction } from '../actions/messages/reactions.js'
import { sendMessage } from '../actions/messages/send.js'
import type { Ctx } from '../ctx.js'
import { insertSeededReading } from '../store/seeding/seeding-messages.js'
import type { AccountName } from './accounts.js'
import { type DemoMessage, inOrder } from './conversations/conversation.js'
import { generalConversations } from './conversations/general.js'
import { outageConversations } from './conversations/outage.js'
import { workConversations } from './conversations/work.js'
import type { People } from './make-accounts.js'
import { uploadPicture } from './pictures.js'

// The name of the sending program: that of this server.
const client = 'Parley'
const dayMs = 86_400_000

/**
 * A week of conversations that ends now; all accounts have read what is older than a day. Messages are sent one after the other, because ids
 * rise with time.
 */
export async function makeConversations(ctx: Ctx, people: People): Promise<void> {
  await ctx.directory.fresh()
  const now = ctx.clock.now()
  let lastOfYesterday = 0
  for (const message of inOrder([...generalConversations, ...outageConversations, ...workConversations], now)) {
    const id = await send({ ...ctx, clock: { now: () => message.date.getTime() } }, people, message)
    if (message.date.getTime() < now - dayMs) lastOfYesterday = id
  }
  const readings = [...people.values()].map(({ id }) => ({ userId: id, upTo: lastOfYesterday, gapFrom: 0, gapTo: 0 }))
  await ctx.sql.begin(tx => insertSeededReading(tx, readings))
}

async function send(ctx: Ctx, people: People, message: DemoMessage): Promise<number> {
  const actorOf = (name: AccountName) => {
    const user = people.get(name)
    if (!user) throw new Error(`the demonstration has no ${name}`)
    return { user, client }
  }
  const { from, picture, reactions = {}, votes = {} } = message
  const to = 'channel' in message.to ? message.to : { people: message.to.map(name => actorOf(name).user.id) }
  const shown = picture === undefined ? '' : `\n\n${await uploadPicture(ctx, actorOf(from), picture)}`
  const { id } = await sendMessage(ctx, {
    senderId: actorOf(from).user.id,
    client,
    to,
    content: message.content + shown,
    readBySender: true,
  })
  for (const [emoji_name, names] of Object.entries(reactions)) {
    for (const name of names) await addReaction(ctx, actorOf(name), id, { emoji_name })
  }
  for (const [name, options] of Object.entries(votes) as [AccountName, readonly number[]][]) {
    for (const option of options) {
      await actOnWidget(ctx, actorOf(name), id, JSON.stringify({ type: 'vote', key: `canned,${option}`, vote: 1 }))
    }
  }
  return id
}
