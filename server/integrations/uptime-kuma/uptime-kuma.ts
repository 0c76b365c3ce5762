import { z } from 'zod'
import type { Integration } from '../integration.js'
import { says } from '../says.js'

const payload = z.object({
  msg: z.string(),
  monitor: z.object({ name: z.string(), url: z.string().nullish() }).nullish(),
  heartbeat: z.object({ status: z.number(), msg: z.string().nullish() }).nullish(),
})

/** By the number of the state. */
const states: ReadonlyMap<number, { readonly event: string; readonly heading: string }> = new Map([
  [0, { event: 'down', heading: ':alert: **DOWN**' }],
  [1, { event: 'up', heading: ':checkbox: **UP**' }],
  [2, { event: 'pending', heading: '**PENDING**' }],
  [3, { event: 'maintenance', heading: '**MAINTENANCE**' }],
])

export const uptimeKuma: Integration = {
  name: 'uptime_kuma',
  displayName: 'Uptime Kuma',
  eventTypes: [...states.values()].map(({ event }) => event),
  setUp:
    '*Settings*, *Notifications*, *Setup Notification*, the type *Webhook*: the address as *Post URL*, and *Preset - application/json* as the body.',
  read(delivery) {
    const said = messageOf(delivery)
    return said ? [said] : []
  },
}

const messageOf = says(payload, ({ msg, monitor, heartbeat }) => {
  const state = heartbeat ? states.get(heartbeat.status) : undefined
  // A test of the notification has neither a monitor nor a state.
  if (!monitor || !heartbeat || !state)
    return { topic: monitor?.name ?? 'Uptime Kuma', content: msg || 'A message of Uptime Kuma.' }
  const name = monitor.url ? `[${monitor.name}](${monitor.url})` : monitor.name
  const reason = heartbeat.msg ? `: ${heartbeat.msg}` : ''
  return { topic: monitor.name, content: `${state.heading} ${name}${reason}`, event: state.event }
})
