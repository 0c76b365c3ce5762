import { z } from 'zod'
import { isHttps } from '../../../config/addresses.js'
import { method } from '../method.js'
import { slackQueue } from '../slack-queue.js'
import { socketTicket } from '../ticket.js'

export const socketPath = '/slack/socket'

/** The address of a socket for events. The queue begins now, so that nothing is missed until the socket is open. */
export const openConnection = method({
  name: 'apps.connections.open',
  args: z.object({}),
  isOfApp: true,
  async handle(call) {
    await slackQueue(call)
    const { ctx, request, caller } = call
    const host = request.host || new URL(ctx.publicUrl).host
    const ticket = socketTicket(ctx, caller)
    return { url: `${isHttps(ctx) ? 'wss' : 'ws'}://${host}${socketPath}?ticket=${ticket}` }
  },
})
