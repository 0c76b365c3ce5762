import t from 'tap'
import { wantedMessages } from '../../server/integrations/index.js'
import { read } from './read.js'

t.test('alerts of Alertmanager: a message for each topic and status', async t => {
  const alert = (status: string, instance: string, alertname: string) => ({
    status,
    labels: { instance, alertname },
    annotations: { summary: `${alertname} is bad` },
    generatorURL: 'https://prometheus.example/graph?tab=1',
  })
  const source = '([source](https://prometheus.example/graph?tab=0))'
  const body = {
    alerts: [
      alert('firing', 'a', 'Disk'),
      alert('firing', 'a', 'Memory'),
      alert('resolved', 'a', 'CPU'),
      alert('firing', 'b', 'Disk'),
    ],
  }
  t.same(read('alertmanager', body), [
    { topic: 'a', content: `:alert: **FIRING**\n* Disk ${source}\n* Memory ${source}` },
    { topic: 'a', content: `:squared_ok: **Resolved** CPU ${source}` },
    { topic: 'b', content: `:alert: **FIRING** Disk ${source}` },
  ])
  t.match(read('alertmanager', body, { params: { name: 'alertname', desc: 'summary' } }), [
    { topic: 'Disk', content: /Disk is bad/ },
    { topic: 'Memory' },
    { topic: 'CPU' },
  ])
  t.match(read('alertmanager', body, { params: { name: 'constructor' } }), [
    { topic: '(unknown)' },
    { topic: '(unknown)' },
  ])
  t.same(read('alertmanager', { alerts: [] }), [])
  for (const wrong of [
    null,
    [],
    {},
    { alerts: {} },
    { alerts: [{ status: 'on' }] },
    { alerts: [{ status: 'firing', labels: { a: 1 } }] },
  ])
    t.throws(() => read('alertmanager', wrong), { code: 'BAD_REQUEST' }, JSON.stringify(wrong))
})

t.test('alerts of Grafana', async t => {
  const firing = {
    status: 'firing',
    labels: { alertname: 'High load', host: 'web1' },
    annotations: { summary: 'too much' },
    values: { B: 2.5 },
    startsAt: '2026-11-29T05:00:00Z',
    endsAt: '0001-01-01T00:00:00Z',
    fingerprint: 'c6eadffa',
    generatorURL: 'https://grafana.example/a',
    silenceURL: 'https://grafana.example/s',
  }
  const resolved = {
    status: 'resolved',
    startsAt: '2026-11-29T05:00:00Z',
    endsAt: '2026-11-29T06:00:00Z',
    fingerprint: 'c6',
    valueString: '[ B=1 ]',
  }
  t.same(read('grafana', { alerts: [firing, resolved] }), [
    {
      event: 'firing',
      topic: '[High load]',
      content:
        ':alert: **FIRING**\n\n**High load**\n\nThis alert was fired at <time:2026-11-29T05:00:00Z>.\n\nLabels:\n- alertname: High load\n- host: web1\n\nValues:\n- B: 2.5\n\nAnnotations:\n- summary: too much\n\n[Generator](https://grafana.example/a)\n[Silence](https://grafana.example/s)',
    },
    {
      event: 'resolved',
      topic: '[c6]',
      content:
        ':checkbox: **RESOLVED**\n\nThis alert was fired at <time:2026-11-29T05:00:00Z>.\n\nThis alert was resolved at <time:2026-11-29T06:00:00Z>.\n\n[ B=1 ]',
    },
  ])
  const rule = {
    title: '[Alerting] Load',
    state: 'alerting',
    ruleName: 'Load',
    ruleUrl: 'https://grafana.example/r',
    message: 'help',
    evalMatches: [{ metric: 'load', value: 9 }],
  }
  t.same(read('grafana', rule), [
    {
      event: 'alerting',
      topic: '[Alerting] Load',
      content: ':alert: **ALERTING**\n\n[Load](https://grafana.example/r)\n\nhelp\n\n**load:** 9',
    },
  ])
  for (const wrong of [null, {}, { alerts: [{}] }, { ...rule, state: 'x' }, { ...rule, title: 3 }])
    t.throws(() => read('grafana', wrong), { code: 'BAD_REQUEST' }, JSON.stringify(wrong))
})

t.test('patterns of events', async t => {
  const wants = (pattern: string, event: string) =>
    wantedMessages([{ topic: '', content: '', event }], { only: JSON.stringify([pattern]), exclude: undefined })
      .length === 1
  for (const [pattern, event] of [
    ['*', ''],
    ['*', 'push'],
    ['p*h', 'push'],
    ['p?sh', 'push'],
    ['[a-p]ush', 'push'],
    ['[!q]ush', 'push'],
    ['*_request', 'pull_request'],
    ['**', 'x'],
  ] as const)
    t.ok(wants(pattern, event), `${pattern} ${event}`)
  for (const [pattern, event] of [
    ['', 'x'],
    ['pus', 'push'],
    ['?', ''],
    ['[!p]ush', 'push'],
    ['[a-c]ush', 'push'],
    ['p.sh', 'push'],
    ['PUSH', 'push'],
  ] as const)
    t.notOk(wants(pattern, event), `${pattern} ${event}`)
  const start = performance.now()
  t.notOk(wants(`${'*a'.repeat(40)}b`, 'a'.repeat(100)))
  t.ok(performance.now() - start < 1_000)
})
