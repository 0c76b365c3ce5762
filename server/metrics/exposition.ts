import { type Metric, Registry } from 'prom-client'
import { type Family, type FamilyName, families } from './families.js'
import type { MachineReadings } from './machine.js'
import type { Labels, Reading } from './reading.js'

/** Media type of the text format of Prometheus. */
export const expositionType = Registry.PROMETHEUS_CONTENT_TYPE

interface Sample {
  readonly metricName: string
  readonly labels: Record<string, string | number>
  readonly value: number
}

/** The metrics in the text format of Prometheus: of the whole machine, and under other names of each worker. */
export async function exposition({ whole, workers }: MachineReadings): Promise<string> {
  const registry = new Registry()
  for (const [name, family] of Object.entries(families) as [FamilyName, Family][]) {
    if (family.together !== 'never') add(registry, name, family, samplesOf(name, family, whole, { more: {} }))
    if (!family.ofWorkers) continue
    const own = name.replace('parley_', 'parley_worker_')
    const samples = workers.flatMap(({ worker, readings }) =>
      samplesOf(name, family, readings, { more: { worker }, metricName: own }),
    )
    add(registry, own, { ...family, help: `${family.help} Of each worker.` }, samples)
  }
  return registry.metrics()
}

function samplesOf(
  name: FamilyName,
  { bounds }: Family,
  readings: readonly Reading[],
  { more, metricName = name }: { readonly more: Labels; readonly metricName?: string },
): Sample[] {
  return readings
    .filter(one => one.name === name)
    .flatMap(({ labels, value, counts }) => {
      const all = { ...more, ...labels }
      return counts ? bucketsOf(metricName, all, { bounds, counts, sum: value }) : [{ metricName, labels: all, value }]
    })
}

/** Prometheus buckets are cumulative: each includes the values of all lower buckets. */
function bucketsOf(
  name: string,
  labels: Labels,
  {
    bounds,
    counts,
    sum,
  }: { readonly bounds: readonly number[]; readonly counts: readonly number[]; readonly sum: number },
) {
  let total = 0
  const buckets: Sample[] = counts.map((count, i) => {
    total += count
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[i] ?? '+Inf' }, value: total }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ]
}

/**
 * Registers a metric with finished values. The metric classes of the library count each event themselves; this server counts in its
 * own code and collects values only for a scrape. A registry accepts any object with a name and a `get` method.
 */
function add(registry: Registry, name: string, { type, help }: Family, values: readonly Sample[]): void {
  if (values.length === 0) return
  const metric = { name, get: async () => ({ name, help, type, values, aggregator: 'sum' }) }
  registry.registerMetric(metric as unknown as Metric)
}
