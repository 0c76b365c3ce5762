import type { EventOf } from '../../../shared/client/index.js'
import type { Submessage } from '../../../shared/resources/submessage.js'
import type { ChatState } from './chat-state.js'

export interface Poll {
  readonly question: string
  /** The users who voted for each option, in the order of their votes. */
  readonly options: readonly { readonly key: string; readonly text: string; readonly voters: readonly number[] }[]
}

export interface Tasks {
  readonly title: string
  readonly tasks: readonly {
    readonly key: string
    readonly task: string
    readonly desc: string
    readonly isDone: boolean
  }[]
}

type Widget = { readonly poll: Poll } | { readonly tasks: Tasks }

/** `submessage`: a user acted on a widget. */
export function actedOn(state: ChatState, { submessage_id: id, message_id, ...rest }: EventOf<'submessage'>): void {
  const { sender_id, msg_type, content } = rest
  state.messages[message_id]?.submessages.push({ id, message_id, sender_id, msg_type, content })
}

/** What all submessages of a message result in; undefined: the message is no widget that this page shows (docs/protocol/widgets.md). */
export function widgetOf(submessages: readonly Submessage[]): Widget | undefined {
  const [first, ...acts] = submessages.map(one => ({ sender: one.sender_id, data: dataOf(one.content) }))
  const begin = first && objectOf(first.data.extra_data)
  if (first?.data.widget_type === 'poll') return { poll: pollOf(begin ?? {}, acts) }
  if (first?.data.widget_type === 'todo') return { tasks: tasksOf(begin ?? {}, acts) }
  return undefined
}

type Data = Readonly<Record<string, unknown>>
interface Act {
  readonly sender: number
  readonly data: Data
}

const objectOf = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function dataOf(content: string): Data {
  try {
    return objectOf(JSON.parse(content))
  } catch {
    // The sender of a message may add any text to it.
    return {}
  }
}

function pollOf(begin: Data, acts: readonly Act[]): Poll {
  let question = String(begin.question ?? '')
  const options = new Map<string, { text: string; voters: Set<number> }>()
  const add = (key: string, text: string) => {
    if (![...options.values()].some(option => option.text === text)) options.set(key, { text, voters: new Set() })
  }
  for (const [index, text] of listOf(begin.options).entries()) add(`canned,${index}`, String(text))
  for (const { sender, data } of acts) {
    if (data.type === 'question') question = String(data.question)
    else if (data.type === 'new_option') add(`${sender},${data.idx}`, String(data.option))
    else if (data.type === 'vote') {
      const voters = options.get(String(data.key))?.voters
      if (data.vote === 1) voters?.add(sender)
      else voters?.delete(sender)
    }
  }
  return { question, options: [...options].map(([key, { text, voters }]) => ({ key, text, voters: [...voters] })) }
}

function tasksOf(begin: Data, acts: readonly Act[]): Tasks {
  let title = String(begin.task_list_title ?? '')
  const tasks = new Map<string, { task: string; desc: string; isDone: boolean }>()
  const add = (key: string, task: string, desc: string, isDone: boolean) => {
    if (![...tasks.values()].some(one => one.task === task)) tasks.set(key, { task, desc, isDone })
  }
  for (const [index, one] of listOf(begin.tasks).entries()) {
    const { task, desc } = objectOf(one)
    add(`${index},canned`, String(task ?? ''), String(desc ?? ''), false)
  }
  for (const { sender, data } of acts) {
    if (data.type === 'new_task_list_title') title = String(data.title)
    else if (data.type === 'new_task') {
      add(`${data.key},${sender}`, String(data.task), String(data.desc), data.completed === true)
    } else if (data.type === 'strike') {
      const task = tasks.get(String(data.key))
      if (task) task.isDone = !task.isDone
    }
  }
  return { title, tasks: [...tasks].map(([key, task]) => ({ key, ...task })) }
}

/** The number that the user's next own option or task gets: keys are `<user id>,<number>` and `<number>,<user id>`. */
export function nextNumber(submessages: readonly Submessage[], userId: number): number {
  const own = submessages.filter(one => one.sender_id === userId).map(one => dataOf(one.content))
  const numbers = own.flatMap(data =>
    data.type === 'new_option' ? Number(data.idx) : data.type === 'new_task' ? Number(data.key) : [],
  )
  return Math.max(0, ...numbers) + 1
}
