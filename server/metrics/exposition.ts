import { type Metric, Registry } from 'prom-client'
import { type Family, type FamilyName, families } from './families.js'
import type { MachineReadings } from './machine.js'
import type { Labels, Reading } from './reading.js'

/** The media type of the text. */
export const expositionType = Registry.PROMETHEUS_CONTENT_TYPE

interface Sample {
  readonly metricName: string
  readonly labels: Record<string, string | number>
  readonly value: number
}

/** The figures in the text format of Prometheus: of the machine as a whole, and of each worker under names of their own. */
export async function exposition({ whole, workers }: MachineReadings): Promise<string> {
  const registry = new Registry()
  for (const [name, family] of Object.entries(families) as [FamilyName, Family][]) {
    if (family.together !== 'never') add(registry, name, family, samplesOf(name, family, whole, {}))
    if (!family.ofWorkers) continue
    const own = name.replace('parley_', 'parley_worker_')
    const samples = workers.flatMap(({ worker, readings }) => samplesOf(name, family, readings, { worker }, own))
    add(registry, own, { ...family, help: `${family.help} Of each worker.` }, samples)
  }
  return registry.metrics()
}

function samplesOf(
  name: FamilyName,
  { bounds }: Family,
  readings: readonly Reading[],
  more: Labels,
  metricName: string = name,
): Sample[] {
  return readings
    .filter(one => one.name === name)
    .flatMap(({ labels, value, counts }) => {
      const all = { ...more, ...labels }
      return counts ? bucketsOf(metricName, all, bounds, counts, value) : [{ metricName, labels: all, value }]
    })
}

/** Each bucket counts what is in those below, too. */
function bucketsOf(name: string, labels: Labels, bounds: readonly number[], counts: readonly number[], sum: number) {
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
 * The library keeps figures of its own, to be told of each event. Ours are counted where they happen and collected when somebody
 * asks, so that it is given finished ones: a registry writes whatever has a name and can be asked for its values.
 */
function add(registry: Registry, name: string, { type, help }: Family, values: readonly Sample[]): void {
  if (values.length === 0) return
  const metric = { name, get: async () => ({ name, help, type, values, aggregator: 'sum' }) }
  registry.registerMetric(metric as unknown as Metric)
}
