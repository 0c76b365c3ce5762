import { alertmanager } from './alertmanager/alertmanager.js'
import { github } from './github/github.js'
import { gitlab } from './gitlab/gitlab.js'
import { grafana } from './grafana/grafana.js'
import type { Integration } from './integration.js'
import { json } from './json/json.js'
import { sentry } from './sentry/sentry.js'
import { slackIncoming } from './slack-incoming/slack-incoming.js'

export { wantedMessages } from './event-filter.js'
export { type Delivery, type IncomingMessage, type Integration, UnsupportedEvent } from './integration.js'

/** All integrations, by the last part of their addresses. */
export const integrations: ReadonlyMap<string, Integration> = new Map(
  [alertmanager, github, gitlab, grafana, json, sentry, slackIncoming].map(integration => [
    integration.name,
    integration,
  ]),
)
