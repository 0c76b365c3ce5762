import { alertmanager } from './alertmanager/alertmanager.js'
import { ci } from './ci/ci.js'
import { gitea } from './gitea/gitea.js'
import { github } from './github/github.js'
import { gitlab } from './gitlab/gitlab.js'
import { grafana } from './grafana/grafana.js'
import type { Integration } from './integration.js'
import { jira } from './jira/jira.js'
import { json } from './json/json.js'
import { mattermost } from './mattermost/mattermost.js'
import { pagerduty } from './pagerduty/pagerduty.js'
import { sentry } from './sentry/sentry.js'
import { slackIncoming } from './slack-incoming/slack-incoming.js'
import { uptimeKuma } from './uptime-kuma/uptime-kuma.js'

export { wantedMessages } from './event-filter.js'
export { type Delivery, type IncomingMessage, type Integration, UnsupportedEvent } from './integration.js'

/** All integrations, by the last part of their addresses. */
export const integrations: ReadonlyMap<string, Integration> = new Map(
  [
    alertmanager,
    ci,
    gitea,
    github,
    gitlab,
    grafana,
    jira,
    json,
    mattermost,
    pagerduty,
    sentry,
    slackIncoming,
    uptimeKuma,
  ].map(integration => [integration.name, integration]),
)
