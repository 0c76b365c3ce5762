// Alert rules, the dashboard and the table of docs/observability.md name what /metrics writes.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { type Family, families } from '../../../server/metrics/families.js'
import { dataDirectory } from '../places.js'
import { busyServer } from './busy-server.js'
import { shownIn } from './shown-metrics.js'

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8')

interface Documented {
  readonly type: string
  readonly ofWorkers: string
  readonly labels: readonly string[]
}

/** The table of metrics, by name. Cells may have one word for all names of the row, or one for each. */
const documented = new Map(
  [...read('docs/observability.md').matchAll(/^\| (`parley_[^|]*)\|([^|]*)\|([^|]*)\|/gm)].flatMap(
    ([, names = '', types = '', workers = '']) => {
      const of = (cell: string, i: number) => cell.split(',')[i]?.trim() ?? cell.split(',')[0]?.trim() ?? ''
      return [...names.matchAll(/`(\w+)(?:\{([\w,]+)\})?`/g)].map(([, name = '', labels], i): [string, Documented] => [
        name,
        { type: of(types, i), ofWorkers: of(workers, i), labels: labels?.split(',') ?? [] },
      ])
    },
  ),
)

/** The names under which Prometheus knows the metrics, with their labels. */
const series = new Map<string, readonly string[]>()
for (const [name, { type, together, ofWorkers }] of Object.entries(families) as [string, Family][]) {
  const own = name.replace('parley_', 'parley_worker_')
  const labels = documented.get(name)?.labels ?? documented.get(own)?.labels ?? []
  const add = (known: string, all: readonly string[]) => {
    if (type !== 'histogram') series.set(known, all)
    else
      for (const part of ['_bucket', '_sum', '_count'])
        series.set(known + part, part === '_bucket' ? [...all, 'le'] : all)
  }
  if (together !== 'never') add(name, labels)
  if (ofWorkers) add(own, [...labels, 'worker'])
}
// What Prometheus adds.
const always = ['instance', 'job']

/** One sentence for each name in a query that no metric has. */
function complaints(query: string, legend = ''): string[] {
  const found: string[] = []
  const known = new Set(always)
  for (const [, name = '', selector = ''] of query.matchAll(/\b(parley_\w+)(?:\{([^}]*)\})?/g)) {
    const labels = series.get(name)
    if (!labels) found.push(`there is no ${name}`)
    for (const label of labels ?? []) known.add(label)
    for (const [, label = ''] of selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)) {
      if (!labels?.includes(label) && !always.includes(label)) found.push(`${name} has no label ${label}`)
    }
  }
  const used = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map(label => label.trim()),
  )
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
  for (const label of [...used, ...shown]) if (!known.has(label)) found.push(`no metric here has the label ${label}`)
  return found
}

const alerts = [...read('docs/deployment/alerts.yaml').matchAll(/^ +expr: (.*)$/gm)].map(
  ([, expression = '']) => expression,
)
interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}
const dashboard: { panels: Panel[] } = JSON.parse(read('docs/deployment/grafana-dashboard.json'))
const targets = dashboard.panels.flatMap(({ targets = [] }) => targets)

t.test('the table of metrics is what there is', async t => {
  const shown = shownIn(await busyServer(t))
  const expected = Object.entries(families).map(([name, { together }]: [string, Family]) =>
    together === 'never' ? name.replace('parley_', 'parley_worker_') : name,
  )
  t.same([...documented.keys()].toSorted(), expected.toSorted())
  for (const [name, { type, ofWorkers, labels }] of documented) {
    const family: Family | undefined = Object.entries(families).find(
      ([known]) => known === name || known.replace('parley_', 'parley_worker_') === name,
    )?.[1]
    t.equal(type, family?.type, `the type of ${name}`)
    t.equal(ofWorkers, family?.together === 'never' ? 'only' : family?.ofWorkers ? 'yes' : '', `${name} of each worker`)
    const is = shown.get(name)
    if (is)
      t.same(
        [...is.labels].filter(label => label !== 'le' && label !== 'worker').toSorted(),
        [...labels].toSorted(),
        `the labels of ${name}`,
      )
  }
})

t.test('every query names metrics and labels that exist', async t => {
  t.ok(alerts.length > 8)
  t.ok(targets.length > 30)
  for (const expression of alerts) t.same(complaints(expression), [], expression)
  for (const { expr, legendFormat } of targets) t.same(complaints(expr, legendFormat), [], expr)
  t.same(complaints('sum by (cat) (rate(parley_dogs_total{a="b"}[5m])) / parley_queues{kind="x"}', '{{bird}}'), [
    'there is no parley_dogs_total',
    'parley_dogs_total has no label a',
    'parley_queues has no label kind',
    'no metric here has the label cat',
    'no metric here has the label bird',
  ])
})

t.test('every panel has a place of its own, and a query', async t => {
  const panels = dashboard.panels as (Panel & { id: number; type: string; gridPos: Record<string, number> })[]
  t.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  t.equal(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size, panels.length)
  for (const { title, type, targets = [] } of panels) t.equal(targets.length > 0, type !== 'row', title)
})

t.test('promtool reads the rules and the queries', async t => {
  const file = join(dataDirectory(t), 'queries.yaml')
  const filled = targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'))
  const rules = filled.map((expr, i) => `      - { record: query_${i}, expr: ${JSON.stringify(expr)} }\n`).join('')
  writeFileSync(file, `groups:\n  - name: dashboard\n    rules:\n${rules}`)
  const { error, status, stderr } = spawnSync(
    'promtool',
    ['check', 'rules', join(projectRoot, 'docs/deployment/alerts.yaml'), file],
    { encoding: 'utf8' },
  )
  if (error) return void t.pass('promtool', { skip: 'promtool is not installed' })
  t.equal(status, 0, stderr)
})
