import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import type { IncomingMessage, Integration } from '../integration.js'

const most = 1_000
const texts = z.record(z.string(), z.string()).default({})
const payload = z.object({
  alerts: z
    .array(
      z.object({
        status: z.literal(['firing', 'resolved']),
        labels: texts,
        annotations: texts,
        generatorURL: z.string().default(''),
      }),
    )
    .max(most),
})
type Alert = z.output<typeof payload>['alerts'][number]

const headings = { firing: ':alert: **FIRING**', resolved: ':squared_ok: **Resolved**' } as const

/** Alerts of Prometheus. `name` and `desc` of the address name the labels, or annotations, of topic and text. */
export const alertmanager: Integration = {
  name: 'alertmanager',
  displayName: 'Alertmanager',
  eventTypes: null,
  setUp: 'A receiver with `webhook_configs`, and the address as `url`.',
  read(delivery) {
    const { success, data } = payload.safeParse(delivery.json())
    if (!success) throw badRequest('The body is none of Alertmanager.')
    const [name, desc] = [delivery.params.get('name') ?? 'instance', delivery.params.get('desc') ?? 'alertname']
    const topics = new Map<string, Alert[]>()
    for (const alert of data.alerts) {
      const topic = named(alert, name) ?? '(unknown)'
      const others = topics.get(topic)
      if (others) others.push(alert)
      else topics.set(topic, [alert])
    }
    return [...topics].flatMap(([topic, alerts]) =>
      (['firing', 'resolved'] as const).flatMap(status => messageOf(topic, status, alerts, desc)),
    )
  },
}

const named = ({ labels, annotations }: Alert, name: string): string | undefined =>
  Object.hasOwn(labels, name) ? labels[name] : Object.hasOwn(annotations, name) ? annotations[name] : undefined

function messageOf(topic: string, status: Alert['status'], alerts: readonly Alert[], desc: string): IncomingMessage[] {
  const lines = alerts
    .filter(alert => alert.status === status)
    .map(alert => `${named(alert, desc) ?? '(unknown)'} ([source](${alert.generatorURL.replace('tab=1', 'tab=0')}))`)
  if (lines.length === 0) return []
  const [only] = lines
  const heading = headings[status]
  return [
    {
      topic,
      content: lines.length === 1 ? `${heading} ${only}` : [heading, ...lines.map(line => `* ${line}`)].join('\n'),
    },
  ]
}
