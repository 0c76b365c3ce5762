import { For, type JSX } from 'solid-js'
import { duration, short } from './format.js'
import type { Point } from './point.js'

export interface WorkerRow {
  readonly worker: string
  readonly point: Point
  /** In seconds. */
  readonly age: number
}

const columns: readonly { readonly title: string; readonly of: (row: WorkerRow) => string }[] = [
  { title: 'Up for', of: ({ age }) => duration(age) },
  { title: 'Sockets', of: ({ point }) => shortOrDash(point.sockets) },
  { title: 'Queues', of: ({ point }) => shortOrDash(point.queues) },
  { title: 'Events out', of: ({ point }) => shortOrDash(point.eventsOut, '/s') },
  { title: 'Delay p99', of: ({ point }) => shortOrDash(point.delay99, ' ms') },
  { title: 'Requests', of: ({ point }) => shortOrDash(point.requests, '/s') },
  { title: 'CPU', of: ({ point }) => shortOrDash(point.cpu, ' %') },
  { title: 'Loop p99', of: ({ point }) => shortOrDash(point.loop99, ' ms') },
  { title: 'Memory', of: ({ point }) => shortOrDash(point.resident, ' MiB') },
]

const shortOrDash = (value: number | undefined, unit = ''): string => (value === undefined ? '–' : short(value) + unit)

/** One row per worker. */
export function WorkerTable(props: { rows: readonly WorkerRow[] }): JSX.Element {
  return (
    <section class="workers card">
      <h2>Workers</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys */}
      <div class="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Worker</th>
              <For each={columns}>{({ title }) => <th scope="col">{title}</th>}</For>
            </tr>
          </thead>
          <tbody>
            <For each={props.rows}>
              {row => (
                <tr>
                  <th scope="row">{row.worker}</th>
                  <For each={columns}>{column => <td>{column.of(row)}</td>}</For>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </div>
    </section>
  )
}
