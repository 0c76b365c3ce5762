import { z } from 'zod'
import { method } from '../method.js'
import { originOf } from '../slack-call.js'
import { slackQueue } from '../slack-queue.js'
import { ticketFor, tickets } from '../ticket.js'

export const socketPath = '/slack/socket'

/** The address of a socket for events. The queue begins now, so that nothing is missed until the socket is open. */
export const openConnection = method({
  name: 'apps.connections.open',
  args: z.object({}),
  isOfApp: true,
  async handle(call) {
    await slackQueue(call)
    const { ctx, caller } = call
    const ticket = ticketFor(ctx, tickets.socket, caller)
    return { url: `${originOf(call).replace('http', 'ws')}${socketPath}?ticket=${ticket}` }
  },
})
