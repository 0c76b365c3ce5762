// What /metrics writes follows the conventions of Prometheus: those that promtool checks, also where promtool is not installed.
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { families } from '../../../server/metrics/families.js'
import { busyServer } from './busy-server.js'
import { type Shown, shownIn } from './shown-metrics.js'

// What promtool takes for other units than the base units, and for abbreviations of them.
const otherUnits =
  /_(?:ms|us|ns|s|sec|min|minutes|hours|days|weeks|milliseconds|microseconds|kb|mb|gb|mib|kib|percent|celsius_degrees)(?:_|$)/
const types = /_(?:counter|gauge|histogram|summary|metric)(?:_|$)/

/** One sentence for each rule that a metric breaks. */
function complaints(name: string, { type, help, labels }: Shown): string[] {
  const isHistogram = type === 'histogram'
  return [
    [help === '', 'has no help'],
    [!['counter', 'gauge', 'histogram'].includes(type), `has the type ${type}`],
    [!/^[a-z][a-z0-9_]*$/.test(name), 'is not in lower case'],
    [(type === 'counter') !== name.endsWith('_total'), 'ends in _total, or does not'],
    [/_(?:bucket|sum|count)$/.test(name), 'ends like a series of a histogram'],
    [types.test(name), 'names its type'],
    [otherUnits.test(name), 'has another unit than a base unit'],
    [labels.has('quantile'), 'has the label of a summary'],
    [labels.has('le') !== isHistogram, 'has the label of a histogram, or lacks it'],
    [[...labels].some(label => !/^[a-z][a-z0-9_]*$/.test(label)), 'has a label that is not in lower case'],
  ].flatMap(([isBroken, says]) => (isBroken ? [`${name} ${says}`] : []))
}

t.test('metrics', async t => {
  const text = await busyServer(t)
  const shown = shownIn(text)
  t.ok(shown.size > 60, `${shown.size} metrics`)
  const missing = Object.keys(families).filter(
    name => !shown.has(name) && !shown.has(name.replace('parley_', 'parley_worker_')),
  )
  const late = 'parley_socket_closes_total'
  t.same(
    missing.filter(name => name !== late),
    [],
    `${late} appears with the first socket that the server closes`,
  )
  t.same(
    [...shown].flatMap(([name, metric]) => complaints(name, metric)),
    [],
  )

  const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  if (error) t.comment('promtool is not installed')
  else t.same({ status, said: stdout + stderr }, { status: 0, said: '' })
})

t.test('the checks find what they are for', async t => {
  const help = 'h'
  const broken: Record<string, [string, Partial<Shown>]> = {
    'has no help': ['a', { help: '' }],
    'has the type summary': ['a', { type: 'summary' }],
    'is not in lower case': ['aB', {}],
    'ends in _total, or does not': ['a', { type: 'counter' }],
    'ends like a series of a histogram': ['a_count', {}],
    'names its type': ['a_gauge', {}],
    'has another unit than a base unit': ['a_ms', {}],
    'has the label of a summary': ['a', { labels: new Set(['quantile']) }],
    'has the label of a histogram, or lacks it': ['a', { labels: new Set(['le']) }],
    'has a label that is not in lower case': ['a', { labels: new Set(['aB']) }],
  }
  for (const [says, [name, metric]] of Object.entries(broken)) {
    t.same(complaints(name, { type: 'gauge', help, labels: new Set(), ...metric }), [`${name} ${says}`])
  }
  const parsed = shownIn(
    '# HELP a_seconds h\n# TYPE a_seconds histogram\na_seconds_bucket{le="1",area="x"} 1\na_seconds_sum 1\n',
  )
  t.same([...parsed], [['a_seconds', { type: 'histogram', help, labels: new Set(['le', 'area']) }]])
})
