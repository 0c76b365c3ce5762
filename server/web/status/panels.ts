import type { TextKey } from '../language/language.js'
import type { Field } from './point.js'

export type Ink = 'first' | 'second' | 'third'

/** The key of a word, or a name that is the same in all languages. */
export type Label = TextKey | { readonly name: string }

/** One chart. */
export interface Panel {
  readonly title: TextKey
  readonly hint: TextKey
  readonly unit: string
  readonly lines: readonly { readonly field: Field; readonly label: Label; readonly ink: Ink }[]
}

export const panels: readonly Panel[] = [
  {
    title: 'status.panel.delay.title',
    hint: 'status.panel.delay.hint',
    unit: 'ms',
    lines: [
      { field: 'delay50', label: { name: 'p50' }, ink: 'first' },
      { field: 'delay99', label: { name: 'p99' }, ink: 'second' },
      { field: 'publish99', label: 'status.panel.delay.publish99', ink: 'third' },
    ],
  },
  {
    title: 'status.panel.events.title',
    hint: 'status.panel.events.hint',
    unit: '/s',
    lines: [
      { field: 'eventsIn', label: 'status.panel.events.in', ink: 'second' },
      { field: 'eventsOut', label: 'status.panel.events.out', ink: 'first' },
    ],
  },
  {
    title: 'status.panel.connections.title',
    hint: 'status.panel.connections.hint',
    unit: '',
    lines: [
      { field: 'sockets', label: 'status.panel.connections.sockets', ink: 'first' },
      { field: 'http', label: { name: 'HTTP' }, ink: 'second' },
      { field: 'polls', label: 'status.panel.connections.polls', ink: 'third' },
    ],
  },
  {
    title: 'status.panel.queues.title',
    hint: 'status.panel.queues.hint',
    unit: '',
    lines: [
      { field: 'queues', label: 'status.panel.queues.held', ink: 'first' },
      { field: 'behind', label: 'status.panel.queues.behind', ink: 'second' },
    ],
  },
  {
    title: 'status.panel.databases.title',
    hint: 'status.panel.databases.hint',
    unit: 'ms',
    lines: [
      { field: 'postgres', label: { name: 'PostgreSQL' }, ink: 'first' },
      { field: 'redis', label: { name: 'Redis' }, ink: 'second' },
    ],
  },
  {
    title: 'status.panel.jobs.title',
    hint: 'status.panel.jobs.hint',
    unit: '',
    lines: [
      { field: 'jobsWaiting', label: 'status.panel.jobs.waiting', ink: 'first' },
      { field: 'jobsEnded', label: 'status.panel.jobs.ended', ink: 'second' },
      { field: 'jobsDead', label: 'status.panel.jobs.dead', ink: 'third' },
    ],
  },
  {
    title: 'status.panel.memory.title',
    hint: 'status.panel.memory.hint',
    unit: 'MiB',
    lines: [
      { field: 'resident', label: 'status.panel.memory.resident', ink: 'first' },
      { field: 'heap', label: 'status.panel.memory.heap', ink: 'second' },
    ],
  },
  {
    title: 'status.panel.requests.title',
    hint: 'status.panel.requests.hint',
    unit: '/s',
    lines: [{ field: 'requests', label: 'status.panel.requests.answered', ink: 'first' }],
  },
  {
    title: 'status.panel.cpu.title',
    hint: 'status.panel.cpu.hint',
    unit: '% · ms',
    lines: [
      { field: 'cpu', label: 'status.panel.cpu.cpu', ink: 'first' },
      { field: 'loop99', label: 'status.panel.cpu.loop99', ink: 'second' },
    ],
  },
]
