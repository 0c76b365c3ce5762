import { For, type JSX } from 'solid-js'
import { type TextKey, t } from '../language/language.js'
import { duration, short } from './format.js'
import type { Point } from './point.js'

export interface WorkerRow {
  readonly worker: string
  readonly point: Point
  /** In seconds. */
  readonly age: number
}

const columns: readonly { readonly title: TextKey; readonly of: (row: WorkerRow) => string }[] = [
  { title: 'status.upFor', of: ({ age }) => duration(age) },
  { title: 'status.sockets', of: ({ point }) => shortOrDash(point.sockets) },
  { title: 'status.queues', of: ({ point }) => shortOrDash(point.queues) },
  { title: 'status.eventsOut', of: ({ point }) => shortOrDash(point.eventsOut, '/s') },
  { title: 'status.delay99', of: ({ point }) => shortOrDash(point.delay99, ' ms') },
  { title: 'status.requests', of: ({ point }) => shortOrDash(point.requests, '/s') },
  { title: 'status.cpu', of: ({ point }) => shortOrDash(point.cpu, ' %') },
  { title: 'status.loop99', of: ({ point }) => shortOrDash(point.loop99, ' ms') },
  { title: 'status.memory', of: ({ point }) => shortOrDash(point.resident, ' MiB') },
]

const shortOrDash = (value: number | undefined, unit = ''): string => (value === undefined ? '–' : short(value) + unit)

/** One row per worker. */
export function WorkerTable(props: { rows: readonly WorkerRow[] }): JSX.Element {
  return (
    <section class="workers card">
      <h2>{t('status.workers')}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys */}
      <div class="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('status.worker')}</th>
              <For each={columns}>{({ title }) => <th scope="col">{t(title)}</th>}</For>
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
