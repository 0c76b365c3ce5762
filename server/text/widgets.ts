import { z } from 'zod'
import { badRequest } from '../../shared/errors.js'
import { parseJson } from './bounded-json.js'

/**
 * The widget that the text of a message begins: `/poll` or `/todo` as its first word. Undefined: the message is none
 * (docs/protocol/widgets.md). Returns JSON text.
 */
export function widgetOf(content: string): string | undefined {
  const [, command, rest = ''] = /^\/(poll|todo)(?!\S)(.*)$/s.exec(content) ?? []
  if (command === undefined) return undefined
  const [title = '', ...lines] = rest.split('\n')
  const items = lines.map(line => line.trim().replace(/^[-*]\s*/, '')).filter(item => item !== '')
  if (command === 'poll') return widget('poll', { question: title.trim(), options: items })
  return widget('todo', { task_list_title: title.trim(), tasks: items.map(taskOf) })
}

const widget = (widget_type: string, extra_data: object): string => JSON.stringify({ widget_type, extra_data })

function taskOf(item: string): { task: string; desc: string } {
  const colon = item.indexOf(': ')
  if (colon < 0) return { task: item, desc: '' }
  return { task: item.slice(0, colon).trim(), desc: item.slice(colon + 2).trim() }
}

const form = z.strictObject({
  widget_type: z.literal('zform'),
  extra_data: z.object({
    type: z.literal('choices'),
    heading: z.string(),
    choices: z.array(
      z.object({ type: z.string().optional(), short_name: z.string(), long_name: z.string(), reply: z.string() }),
    ),
  }),
})

/** The form that a program sends with a message (`widget_content`). @throws {ApiError} BAD_REQUEST */
export function formOf(text: string): string {
  const parsed = form.safeParse(jsonOf(text))
  if (!parsed.success) throw badRequest(`Widgets: ${problemOf(parsed.error)}`)
  return JSON.stringify(parsed.data)
}

const index = z.int().min(0).max(1000)
const acts = {
  poll: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('vote'), key: z.string(), vote: z.union([z.literal(1), z.literal(-1)]) }),
    z.strictObject({ type: z.literal('new_option'), option: z.string(), idx: index }),
    z.strictObject({ type: z.literal('question'), question: z.string() }),
  ]),
  todo: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('new_task'),
      key: index,
      task: z.string(),
      desc: z.string(),
      completed: z.boolean(),
    }),
    z.strictObject({ type: z.literal('strike'), key: z.string() }),
    z.strictObject({ type: z.literal('new_task_list_title'), title: z.string() }),
  ]),
}
const withTexts = z.object({
  option: z.string().optional(),
  question: z.string().optional(),
  task: z.string().optional(),
  desc: z.string().optional(),
  title: z.string().optional(),
})

/** The words in what a user did to a widget; none in acts on forms of programs, which may be any JSON. */
export function wordsOfAct(text: string): string {
  const act = withTexts.safeParse(jsonOf(text))
  return act.success ? Object.values(act.data).join(' ') : ''
}

const ofSenderOnly: ReadonlySet<string> = new Set(['question', 'new_task_list_title'])

/**
 * Checks what a user does to a widget. `first`: the content of the message's first submessage; undefined: there is none yet.
 * @throws {ApiError} BAD_REQUEST
 */
export function checkAct(first: string | undefined, text: string, isSender: boolean): void {
  const act = jsonOf(text)
  const kind = first === undefined ? undefined : kindOf(first)
  if (kind === undefined) {
    if (isSender) return
    throw badRequest(
      first === undefined ? "You can't attach a submessage to this message." : 'Only its sender may do this.',
    )
  }
  const parsed = acts[kind].safeParse(act)
  if (!parsed.success) throw badRequest(`Invalid submessage: ${problemOf(parsed.error)}`)
  if (!isSender && ofSenderOnly.has(parsed.data.type))
    throw badRequest("You can't edit a question unless you are the author.")
}

function kindOf(first: string): keyof typeof acts | undefined {
  const { widget_type } = (JSON.parse(first) ?? {}) as { widget_type?: unknown }
  return widget_type === 'poll' || widget_type === 'todo' ? widget_type : undefined
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest('Invalid json for submessage')
    throw error
  }
}

const problemOf = (error: z.ZodError): string => {
  const [issue] = error.issues
  return issue ? `${issue.path.join('.') || 'content'}: ${issue.message}` : 'wrong form'
}
