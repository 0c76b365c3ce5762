import { alertmanager } from './alertmanager/alertmanager.js'
import { grafana } from './grafana/grafana.js'
import type { Integration } from './integration.js'
import { json } from './json/json.js'
import { slackIncoming } from './slack-incoming/slack-incoming.js'

export { wantedMessages } from './event-filter.js'
export type { Delivery, IncomingMessage, Integration } from './integration.js'

/** All integrations, by the last part of their addresses. */
export const integrations: ReadonlyMap<string, Integration> = new Map(
  [alertmanager, grafana, json, slackIncoming].map(integration => [integration.name, integration]),
)
