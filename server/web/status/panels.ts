import type { Field } from './point.js'

export type Ink = 'first' | 'second' | 'third'

/** One chart. */
export interface Panel {
  readonly title: string
  readonly hint: string
  readonly unit: string
  readonly lines: readonly { readonly field: Field; readonly label: string; readonly ink: Ink }[]
}

export const panels: readonly Panel[] = [
  {
    title: 'Delivery delay',
    hint: 'From the feed to the last reader; from the commit to the feed.',
    unit: 'ms',
    lines: [
      { field: 'delay50', label: 'p50', ink: 'first' },
      { field: 'delay99', label: 'p99', ink: 'second' },
      { field: 'publish99', label: 'feed p99', ink: 'third' },
    ],
  },
  {
    title: 'Events',
    hint: 'Put into the feed, and handed to clients.',
    unit: '/s',
    lines: [
      { field: 'eventsIn', label: 'in', ink: 'second' },
      { field: 'eventsOut', label: 'out', ink: 'first' },
    ],
  },
  {
    title: 'Connections',
    hint: 'WebSockets, HTTP connections, and polls that wait on these.',
    unit: '',
    lines: [
      { field: 'sockets', label: 'sockets', ink: 'first' },
      { field: 'http', label: 'HTTP', ink: 'second' },
      { field: 'polls', label: 'polls', ink: 'third' },
    ],
  },
  {
    title: 'Queues',
    hint: 'Held, and those whose socket has not taken everything.',
    unit: '',
    lines: [
      { field: 'queues', label: 'held', ink: 'first' },
      { field: 'behind', label: 'behind', ink: 'second' },
    ],
  },
  {
    title: 'Databases',
    hint: 'How long a question takes, asked once a second.',
    unit: 'ms',
    lines: [
      { field: 'postgres', label: 'PostgreSQL', ink: 'first' },
      { field: 'redis', label: 'Redis', ink: 'second' },
    ],
  },
  {
    title: 'Memory',
    hint: 'Resident, and used by JavaScript.',
    unit: 'MiB',
    lines: [
      { field: 'resident', label: 'resident', ink: 'first' },
      { field: 'heap', label: 'heap', ink: 'second' },
    ],
  },
  {
    title: 'Requests',
    hint: 'Over HTTP and sockets.',
    unit: '/s',
    lines: [{ field: 'requests', label: 'answered', ink: 'first' }],
  },
  {
    title: 'CPU and event loop',
    hint: 'Of one core; how late a timer of the slowest worker is.',
    unit: '% · ms',
    lines: [
      { field: 'cpu', label: 'CPU %', ink: 'first' },
      { field: 'loop99', label: 'loop p99 ms', ink: 'second' },
    ],
  },
]
