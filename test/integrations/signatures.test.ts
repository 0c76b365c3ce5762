import { createHmac } from 'node:crypto'
import t from 'tap'
import { integrations } from '../../server/integrations/index.js'

const key = 'k'.repeat(32)
const text = '{"a":"ä"}'
const hmac = (secret: string, of = text) => createHmac('sha256', secret).update(of).digest('hex')

/** Whether the integration takes a request with this header as one of the bot with `key`. */
function isSigned(name: string, header: string, value: string): boolean | undefined {
  const body = Buffer.from(text)
  const params = new Map<string, string>()
  const delivery = {
    params,
    isJson: true,
    body,
    json: () => JSON.parse(text),
    header: (asked: string) => (asked === header ? value : ''),
  }
  return integrations.get(name)?.isSigned?.(delivery, key)
}

for (const [name, header, sign] of [
  ['gitea', 'x-gitea-signature', hmac],
  ['github', 'x-hub-signature-256', (secret: string, of?: string) => `sha256=${hmac(secret, of)}`],
  ['gitlab', 'x-gitlab-token', (secret: string, of = text) => (of === text ? secret : '')],
] as const)
  t.test(`a delivery of ${name} is signed with the key of the bot`, async t => {
    t.equal(isSigned(name, header, sign(key)), true)
    const wrong = [
      '',
      'x',
      'ü',
      key.slice(1),
      sign(''),
      sign('x'),
      sign(key, '{}'),
      `${sign(key)}0`,
      sign(key).slice(1),
      sign(key).toUpperCase(),
    ]
    for (const value of wrong) t.equal(isSigned(name, header, value), false, value)
    t.equal(isSigned(name, 'x-other', sign(key)), false)
  })

t.test('the others take no signature', async t => {
  const others = [...integrations.values()].filter(({ isSigned }) => !isSigned).map(({ name }) => name)
  t.same(others, [
    'alertmanager',
    'ci',
    'grafana',
    'jira',
    'json',
    'mattermost',
    'pagerduty',
    'sentry',
    'slack_incoming',
    'uptime_kuma',
  ])
})
