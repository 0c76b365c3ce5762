import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { sendMessage } from '../messages/send.js'
import { welcomeBot } from '../messages/system-bots.js'

/** Sends the caller a welcome message of the organization, as new people get it; returns its id. @throws {ApiError} BAD_REQUEST */
export async function testWelcome(ctx: Ctx, { user }: Actor, content: string): Promise<number> {
  const { id: senderId } = await welcomeBot(ctx)
  const to = { people: [user.id] }
  return (await sendMessage(ctx, { senderId, client: 'Internal', to, content, readBySender: true })).id
}
